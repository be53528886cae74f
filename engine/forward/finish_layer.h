// The second half of a layer alone: what comes after its heads. For runs that change what heads give and share all that lies before it.
#pragma once

#include "engine/forward/forward.h"

namespace headlight {

/// resid_post [tokens, d_model] of a layer from its resid_pre and z [tokens, heads · d_value]: the bits of run_layer, which calls it.
Matrix finish_layer(const Model& model, int layer, const LayerRequest& request, const Matrix& resid_pre, const MatrixView& z,
                    ThreadPool& pool, const Watch& watch = {});

}  // namespace headlight
