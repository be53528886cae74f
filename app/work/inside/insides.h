// What is inside a head, for one query: a job for the compute thread. A request is a value, a result is immutable.
#pragma once

#include <memory>

#include "app/work/compute/worker.h"
#include "engine/figure/inside/inside_figure.h"

namespace headlight {

struct InsideQuestion {
  std::shared_ptr<const Snapshot> snapshot;
  HeadId head;
  Index query = 0;
  bool operator==(const InsideQuestion&) const = default;
};

struct InsideFound {
  InsideQuestion question;  ///< that it answers: a picture and its caption come from the same snapshot
  std::shared_ptr<const Inside> inside;
  std::shared_ptr<const InsidePictures> pictures;
};

/// The door for views: ask every frame, draw what comes back. Thread contract: the UI thread only.
class Insides {
 public:
  explicit Insides(Worker& worker);
  /// The last result, or null before the first.
  std::shared_ptr<const InsideFound> ask(const InsideQuestion& question);
  /// Releases question and result: call it while nobody looks inside.
  void rest() { study_.let_go(); }

 private:
  Study<InsideQuestion, InsideFound> study_;
};

}  // namespace headlight
