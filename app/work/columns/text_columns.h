// Measures of all heads of the shown text, as columns: a study of the desk, a few layers a step.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/work/compute/worker.h"
#include "engine/measures/run/run_measures.h"

namespace headlight {

struct TextColumnsFound {
  std::shared_ptr<const Snapshot> snapshot;  ///< that was measured
  HeadColumns columns;                       ///< one for each measure, in the order in which they were asked for
  int layers = 0;                            ///< that are measured so far; of others values are undefined
};

/// The door for views: ask every frame, draw what comes back. Thread contract: the UI thread only.
class TextColumns {
 public:
  explicit TextColumns(Worker& worker);
  /// `ids` as in measure_request. The newest that was found, maybe of the text or the measures before, or of some layers alone; null before
  /// the first. Measures that are known of this very picture are not measured again.
  std::shared_ptr<const TextColumnsFound> ask(const std::shared_ptr<const Snapshot>& snapshot, const std::vector<std::string>& ids);
  /// Releases what it holds: call it while nobody shows measures.
  void rest() {
    if (study_.asked()) study_.let_go();
  }

 private:
  struct Request {
    std::shared_ptr<const Snapshot> snapshot;
    std::vector<std::string> ids;
    std::weak_ptr<const TextColumnsFound> before = {};  ///< only saves work
    bool operator==(const Request& other) const { return snapshot == other.snapshot && ids == other.ids; }
  };
  static StudyStep<TextColumnsFound> measure(const Request& request, const std::shared_ptr<const TextColumnsFound>& so_far,
                                             StepContext& context);

  Study<Request, TextColumnsFound> study_;
};

}  // namespace headlight
