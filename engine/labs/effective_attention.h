// Effective attention: what is left of a head's weights once everything that its values cannot pass on is taken away (Brunner et al. 2020,
// arXiv 1908.04211). Where a query may look at more keys than the values have dimensions, other weights give the same output.
#pragma once

#include <vector>

#include "engine/attention/mask.h"
#include "engine/core/matrix.h"
#include "engine/core/progress.h"

namespace headlight {

struct EffectiveRow {
  Index allowed = 0;         ///< |K|, the keys that this query may attend to
  Index rank = 0;            ///< of T_K, the rows of T = V·W_O of these keys
  Index rank_with_ones = 0;  ///< of [T_K, 1]
  double sum = 0;            ///< of the effective weights: it need not be 1
  /// Another row with the same output exists.
  bool has_others() const { return allowed > rank; }
  /// Another row with the same output exists whose weights sum to the same.
  bool has_others_of_one_sum() const { return allowed > rank_with_ones; }
};

struct EffectiveAttention {
  Matrix weights;  ///< [queries, keys]: each row less its part in the left null space of T_K; may be negative, 0 where masked
  std::vector<EffectiveRow> rows;  ///< one a query
};

/// Row by row on the allowed keys alone: a ← a T_K T_K⁺, since a projection over all keys would put weight on masked ones. values: [keys, m],
/// T itself or anything whose columns span the same space, such as V where W_O has full rank. Ranks count what is above 1e-6 of the largest.
/// Throws Cancelled.
EffectiveAttention effective_attention(const Matrix& weights, const Mask& mask, const Matrix& values, const Watch& watch = {});

/// V as W_O reads it: V·Rᵀ with W_Oᵀ = Q·R, as many columns as a head has, with the left null space of V·W_O. values: [keys, d_value];
/// output: [d_value, d_model].
Matrix values_as_written(const Matrix& values, const Matrix& output);

}  // namespace headlight
