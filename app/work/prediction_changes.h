// The door to what a baseline predicted, for views: a job for the compute thread.
#pragma once

#include <memory>

#include "app/work/compute/worker.h"
#include "engine/figure/predictions/prediction_changes.h"

namespace headlight {

/// Ask every frame, draw what comes back. Thread contract: the UI thread only.
class PredictionsBefore {
 public:
  explicit PredictionsBefore(Worker& worker);
  /// Null until the changes of this request are there.
  std::shared_ptr<const PredictionChanges> ask(const PredictionChangesRequest& request);
  /// Releases request and result: call it while they are not shown.
  void rest();

 private:
  Study<PredictionChangesRequest, PredictionChanges> study_;
};

}  // namespace headlight
