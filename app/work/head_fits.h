// Training a head of the sandbox towards the map that a person drew: a study of the compute thread.
#pragma once

#include <memory>

#include "app/document/drawn_map.h"
#include "app/work/compute/worker.h"

namespace headlight {

struct FitRequest {
  std::shared_ptr<const Snapshot> snapshot;
  TargetMap target;
  int steps = 0;
};

/// Thread contract: the UI thread only.
class HeadFits {
 public:
  explicit HeadFits(Worker& worker);
  void start(FitRequest request);
  /// The last result, or why there is none; null before the first.
  std::shared_ptr<const TrainedHead> last() const { return study_.result(); }

 private:
  Study<FitRequest, TrainedHead> study_;
};

}  // namespace headlight
