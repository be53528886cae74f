// The door to predictions of the shown model for views: a page of positions is a job for the compute thread.
#pragma once

#include <memory>

#include "app/work/compute/worker.h"
#include "engine/figure/predictions/predictions.h"

namespace headlight {

/// Ask every frame, draw what comes back. Thread contract: the UI thread only.
class Predictions {
 public:
  explicit Predictions(Worker& worker);
  /// The last result, or null before the first.
  std::shared_ptr<const PredictionsFound> ask(const PredictionRequest& request);
  /// Releases request and result: call it while predictions are not shown.
  void rest();

 private:
  Study<PredictionRequest, PredictionsFound> study_;
};

}  // namespace headlight
