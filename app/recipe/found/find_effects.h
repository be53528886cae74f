// What a figure shows beyond its run: computed for a command, a file that is proved, and a series.
#pragma once

#include "engine/core/parallel.h"
#include "engine/core/progress.h"
#include "engine/figure/kinds/figure_kinds.h"

namespace headlight {

/// Finds anew what a figure shows beyond its run: of what heads or places do to a target by running its text once for each of them, of a lab by
/// doing the experiment. What a study found is in the request already. Nothing where the figure shows no such thing, or check_figure refuses it.
/// Throws Error: usage for a head that a lab does not find, for edits and words that the run cannot have (EffectPlan), and for texts that do
/// not fit each other (sweep_patches); input where the target has no value (prune_heads); Cancelled.
void find_effects(const Snapshot& snapshot, FigureRequest& request, ThreadPool& pool, Progress& progress);

/// The run that a figure is of: where it is of a study's texts, one without a text of its own; else `run`. `measured`: the model and the edits
/// of the study; none: those of the run.
std::shared_ptr<const Snapshot> run_of_figure(const std::shared_ptr<const Snapshot>& run, const FigureRequest& request,
                                              const std::optional<Query>& measured = {});

}  // namespace headlight
