#include "app/work/head_fits.h"

#include <utility>

namespace headlight {

HeadFits::HeadFits(Worker& worker)
    : study_(worker.desk(), [](const FitRequest& request, const std::shared_ptr<const TrainedHead>&, StepContext& context) {
        return StudyStep<TrainedHead>{train_head(request.snapshot, request.target, request.steps, context.progress)};
      }) {}

void HeadFits::start(FitRequest request) {
  study_.start(std::move(request));
}

}  // namespace headlight
