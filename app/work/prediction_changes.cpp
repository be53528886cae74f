#include "app/work/prediction_changes.h"

namespace headlight {

PredictionsBefore::PredictionsBefore(Worker& worker)
    : study_(worker.desk(), [](const PredictionChangesRequest& request, StepContext& context) {
        return find_changes(request, context.pool, context.progress);
      }) {}

std::shared_ptr<const PredictionChanges> PredictionsBefore::ask(const PredictionChangesRequest& request) {
  std::shared_ptr<const PredictionChanges> found = study_.ask(request);
  return found && found->request == request ? found : nullptr;
}

void PredictionsBefore::rest() {
  if (study_.asked()) study_.let_go();
}

}  // namespace headlight
