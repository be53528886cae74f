// What was chosen for a figure, as JSON: everything of a request but its runs, which are named by the subjects of a document.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/recipe/sweep.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/formats/json.h"

namespace headlight {

/// The subject whose run a head, or a baseline, is of; null: the figure's own.
using SubjectOfRun = std::function<int(const std::shared_ptr<const Snapshot>& run)>;
using RunOfId = std::function<std::shared_ptr<const Snapshot>(int subject)>;

/// Only what the figure's kind reads, and of that only what is not as usual.
Json to_json(const FigureRequest& request, const SubjectOfRun& subject_of);

/// A request without its runs and style, and whose runs its heads and its baseline take.
struct FigureChoice {
  FigureRequest request = {};
  std::vector<int> subjects = {};    ///< of each head of the request
  std::optional<Sweep> sweep = {};   ///< of several figures on one page
  std::optional<int> baseline = {};  ///< of the request's moment
};
/// From an untrusted file: every number is in its range, but whether heads and tokens exist is checked with the runs (check_figure). Throws
/// Error (input).
FigureChoice choice_from(const JsonFields& fields);
/// `run_of` gives null for the figure's own run.
FigureRequest with_runs(const FigureChoice& choice, const RunOfId& run_of);

}  // namespace headlight
