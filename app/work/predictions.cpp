#include "app/work/predictions.h"

namespace headlight {

Predictions::Predictions(Worker& worker)
    : study_(worker.desk(), [](const PredictionRequest& request, StepContext& context) {
        const PredictionSpan span{request.first, request.count, kListedPredictions};
        return find_predictions(request.snapshot, span, context.pool, context.progress);
      }) {}

std::shared_ptr<const PredictionsFound> Predictions::ask(const PredictionRequest& request) {
  return study_.ask(request);
}

void Predictions::rest() {
  if (study_.asked()) study_.let_go();
}

}  // namespace headlight
