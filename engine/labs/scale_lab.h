// Why scores are divided by √d_head (Vaswani et al. 2017, section 3.2.1, footnote 4; seeds S3-4): for q and k of independent numbers with
// mean 0 and variance 1 the variance of q·k is d_head. Large scores push the softmax to where its derivative is nearly 0.
#pragma once

#include <cstdint>

#include "engine/core/matrix.h"

namespace headlight {

/// ‖∂softmax/∂scores‖ of one row of weights w (Frobenius): ∂w_i/∂s_j = w_i (δ_ij − w_j), so its square is
/// Σ w_i² − 2 Σ w_i³ + (Σ w_i²)². 0 for a row of a single 1 or of zeros.
double softmax_jacobian_norm(const RowVector& weights);

struct ScoreSpread {
  double variance = 0;       ///< of all scores
  double jacobian_norm = 0;  ///< mean over the rows
};

struct ScaleSample {
  ScoreSpread unscaled, scaled;
};

/// Scores of `tokens` random queries and keys of width d_head, each number of mean 0 and variance 1; both sizes at least 1.
ScaleSample sample_scale(Index d_head, Index tokens, std::uint64_t seed);

}  // namespace headlight
