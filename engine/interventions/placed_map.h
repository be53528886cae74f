// Maps that are put in the place of a head's own, under its mask.
#pragma once

#include "engine/interventions/intervention.h"

namespace headlight {

/// Weights that need nothing but the mask. `own` [queries, keys]: what the head computes, which rows without such a key keep. kind: uniform,
/// previous, self or first; positions of queries and keys count alike.
Matrix placed_map(InterventionKind kind, const Mask& mask, const Matrix& own);

/// Another head's weights under a mask: what the mask forbids is left out, and the row scaled to its own sum again; a row that loses everything
/// keeps `own`. Where nothing is forbidden, the same bits. All three have one size.
Matrix placed_map(const Matrix& other, const Mask& mask, const Matrix& own);

}  // namespace headlight
