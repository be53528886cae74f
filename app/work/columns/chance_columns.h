// What measures are worth where there is nothing to find: the shown text through random weights, and its tokens shuffled (engine/studies/
// null_values.h), a draw a step.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/work/compute/worker.h"
#include "engine/measures/columns/head_column.h"
#include "engine/studies/null_values.h"

namespace headlight {

struct ChanceFound {
  std::shared_ptr<const Snapshot> snapshot;                   ///< that it is the chance of
  std::vector<std::string> ids;                               ///< of the measures
  std::vector<std::vector<ColumnBaseline>> baselines;         ///< of each measure: random weights, shuffled tokens, as far as drawn
  std::array<std::vector<std::vector<HeadValues>>, 2> drawn;  ///< by NullKind and draw
};

/// The door for views: ask every frame, draw what comes back. Thread contract: the UI thread only.
class ChanceColumns {
 public:
  explicit ChanceColumns(Worker& worker);
  /// Null until some of it is drawn for this very picture; `ids` as in measure_request. Of maps from a file: never ask.
  std::shared_ptr<const ChanceFound> ask(const std::shared_ptr<const Snapshot>& snapshot, const std::vector<std::string>& ids);
  void rest() {
    if (study_.asked()) study_.let_go();
  }

 private:
  struct Request {
    std::shared_ptr<const Snapshot> snapshot;
    std::vector<std::string> ids;
    bool operator==(const Request&) const = default;
  };
  static StudyStep<ChanceFound> draw(const Request& request, const std::shared_ptr<const ChanceFound>& so_far, StepContext& context);

  Study<Request, ChanceFound> study_;
};

}  // namespace headlight
