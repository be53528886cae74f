// The queries that the figures of a sweep are of.
#pragma once

#include <vector>

#include "app/recipe/sweep.h"
#include "engine/core/progress.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {

/// One for each of the sweep's values, in their order: `query` with what the value changes. Of training: with the parameters that the head
/// has after so many steps, all of one training, which begins with the query's own; where no step lowers the loss any more, the last ones
/// are alike. Throws Error (usage) where nothing can be trained: another model than the sandbox, no drawn cell, a head that is not there or
/// cannot be fitted (head_fit.h); what the pipeline throws; or Cancelled.
std::vector<Query> queries_of_sweep(const Sweep& sweep, const Query& query, Pipeline& pipeline, Progress& progress);

/// What a head should learn is framed in its map, as `--draw` frames it; other sweeps frame nothing.
void frame_drawn_map(const Sweep& sweep, const Snapshot& snapshot, FigureRequest& request);

/// Why a head of this query cannot be trained towards the map, as a sentence without its full stop; empty: as far as is known before a run,
/// it can.
std::string why_no_training(const Query& query, const DrawnMap& drawn_map);

}  // namespace headlight
