// From what a layer's attention reads to its q and k, in the steps that a reader may want to see apart: projected, normalised, turned by
// their positions. A forward pass takes them one after the other; the trace keeps only what comes out.
#pragma once

#include "engine/attention/multi_head.h"
#include "engine/forward/surgery.h"

namespace headlight {

/// The layer's own norms of q and k (QueryKeyNorm), by the heads that its projections were trained with.
void normalise_queries_and_keys(const Model& model, int layer, Projected& projected, ThreadPool& pool, const Watch& watch = {});

/// Whether positions turn a layer's q and k (rotary positions). Those of cross-attention are not turned: its two sides are different texts.
bool turns_queries_and_keys(const ModelConfig& config, int layer);
/// Turns q and k, whose first row is that of token `first`; leaves them as they are where turns_queries_and_keys says no.
void turn_queries_and_keys(const Model& model, int layer, const HeadCounts& counts, Index first, Projected& projected, ThreadPool& pool,
                           const Watch& watch = {});

}  // namespace headlight
