// What goes into one layer's attention and what comes out of it, beside the q, k, v and z that its trace keeps: rebuilt on demand by the
// functions that the forward pass used (Vaswani et al. 2017, section 3.2.2; seeds S0-8 and S1-7).
#pragma once

#include "engine/forward/trace.h"

namespace headlight {

struct LayerParts {
  /// [queries or keys, d_model]. Self-attention reads one tensor three times: resid_pre, after the norm where that comes first. In
  /// cross-attention keys and values are read from the encoder's output.
  Matrix query, key, value;
  bool is_one_tensor = true;
  /// z·W_O + b_O [queries, d_model], before skip and norm; z itself where the request leaves the projection out. Of an edited mask that
  /// stays on its map (MaskReach::this_head), this is the output of the edited z, not what the layer passes on.
  Matrix output;
};

/// What the layer reads alone: `output` stays empty.
LayerParts read_by_layer(const Model& model, const Trace& trace, int layer, ThreadPool& pool);
/// trace: of the whole run, with hidden states (not a dump's).
LayerParts parts_of_layer(const Model& model, const Trace& trace, int layer, const BlockSwitches& block, ThreadPool& pool);

}  // namespace headlight
