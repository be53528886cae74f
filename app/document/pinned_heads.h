// The pins of a document as heads of their runs, and what is compared of them, for figures.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/document.h"
#include "engine/figure/figure_source.h"

namespace headlight {

/// The run of a subject, or why there is none: it is being computed, or was refused.
struct SubjectRun {
  std::shared_ptr<const Snapshot> snapshot;
  std::string problem;
};

using RunOfSubject = std::function<SubjectRun(int subject)>;

/// A head of another subject than the focused one carries the run that `run_of_subject` gives for its id, and its name; one of the focused
/// subject has a name if there are several texts.
ComparedHead pinned_head(const Document& document, const Pin& pin, const RunOfSubject& run_of_subject);
/// All pins in their order.
std::vector<ComparedHead> pinned_heads(const Document& document, const RunOfSubject& run_of_subject);
/// All pins; then, while there is a baseline, the heads that are pinned of the focused subject, as they were before.
std::vector<ComparedHead> heads_to_compare(const Document& document, const RunOfSubject& run_of_subject);
/// Which two of heads_to_compare are subtracted where nobody has chosen: a pin and the same head before, where both are of one size or the
/// baseline is still being computed; else the first two of one size. None: there are no such two. `own`: the run of the focused subject.
std::optional<ComparedPair> pair_to_subtract(const Document& document, const Snapshot& own, const std::vector<ComparedHead>& heads);

}  // namespace headlight
