// One token's way through a layer: what attention adds to its vector, what the feed-forward part reads, bends and adds. Each step is rebuilt
// by the function that the forward pass used (seeds S1-1 … S1-6).
#pragma once

#include "engine/forward/trace.h"

namespace headlight {

/// [d_model] each, but `inner`. Of a mask that stays on its map these are the steps of the edited z, as in LayerParts.
struct LayerWalk {
  RowVector before;           ///< the stream at the token's place
  RowVector attention;        ///< what attention adds: z·W_O + b_O, with the norm that a few models have for it
  RowVector after_attention;  ///< their sum, or without the skip `attention` alone; after the norm of post-norm models
  RowVector inner;            ///< [d_ff] what the bend takes: x·W_1 + b_1, or the gate; empty: the layer has no feed-forward part
  RowVector feed_forward;     ///< what the feed-forward part adds; empty likewise
  RowVector after;            ///< the stream after the layer
};

/// trace: of a run, with hidden states (not a dump's). token: one of its queries.
LayerWalk walk_layer(const Model& model, const Trace& trace, int layer, const BlockSwitches& block, Index token, ThreadPool& pool);

}  // namespace headlight
