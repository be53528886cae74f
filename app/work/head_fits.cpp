#include "app/work/head_fits.h"

#include <utility>

namespace headlight {

HeadFits::HeadFits(Worker& worker)
    : study_(worker.desk(), [](const FitRequest& request, const std::shared_ptr<const Taught>&, StepContext& context) {
        return StudyStep<Taught>{teach(request.snapshot, request.wish, request.steps, context.progress)};
      }) {}

void HeadFits::start(FitRequest request) {
  study_.start(std::move(request));
}

}  // namespace headlight
