// How much of what one head writes a later head reads, by their matrices alone (Elhage et al. 2021): through its queries, its keys or its
// values.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "engine/circuits/head_factors.h"
#include "engine/core/progress.h"

namespace headlight {

/// ‖W_OV X‖ / (‖W_OV‖ ‖X‖) of W_OV of the earlier head, from 0 to 1. X of the later: W_QK for q, its transpose for k, W_OV for v. NaN where
/// the later head does not read there from what the earlier writes to, as the keys of cross-attention do.
struct Composition {
  HeadId earlier, later;
  double q = std::numeric_limits<double>::quiet_NaN();
  double k = std::numeric_limits<double>::quiet_NaN();
  double v = std::numeric_limits<double>::quiet_NaN();
};

double composition_score(const FactoredMatrix& written, const FactoredMatrix& read);

/// What random matrices score, 1 / √d_model: a score near it says nothing.
inline double composition_baseline(const Model& model) {
  return 1 / std::sqrt(static_cast<double>(model.config.d_model));
}

/// With every head of another layer that shares a stream with this head, by layer and head: those that it reads from, then those that read
/// from it. Throws Cancelled.
std::vector<Composition> compositions_of(const Model& model, HeadId head, NormGain gain, const Watch& watch = {});

/// Why there are none of this model, as a sentence; empty: there are.
std::string why_no_composition(const Model& model, HeadId head);

}  // namespace headlight
