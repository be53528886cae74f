// Training a head of the sandbox towards the map that a person drew: a study of the compute thread.
#pragma once

#include <memory>

#include "app/document/wish.h"
#include "app/work/compute/worker.h"

namespace headlight {

struct LessonRequest {
  std::shared_ptr<const Snapshot> snapshot;
  Wish wish;
  int steps = 0;
};

/// Thread contract: the UI thread only.
class Lessons {
 public:
  explicit Lessons(Worker& worker);
  void start(LessonRequest request);
  /// The last lesson, or why there is none; null before the first.
  std::shared_ptr<const Taught> last() const { return study_.result(); }

 private:
  Study<LessonRequest, Taught> study_;
};

}  // namespace headlight
