// Training a head of the sandbox towards the map that a person drew: a study of the compute thread.
#pragma once

#include <memory>

#include "app/document/wish.h"
#include "app/work/compute/worker.h"

namespace headlight {

struct FitRequest {
  std::shared_ptr<const Snapshot> snapshot;
  Wish wish;
  int steps = 0;
};

/// Thread contract: the UI thread only.
class HeadFits {
 public:
  explicit HeadFits(Worker& worker);
  void start(FitRequest request);
  /// The last result, or why there is none; null before the first.
  std::shared_ptr<const Taught> last() const { return study_.result(); }

 private:
  Study<FitRequest, Taught> study_;
};

}  // namespace headlight
