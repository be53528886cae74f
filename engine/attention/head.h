// One attention head in named steps (Vaswani et al. 2017, arXiv 1706.03762, section 3.2.1):
//
//     attention(Q, K, V) = softmax(Q·Kᵀ / √d_head) · V
//
// scores → scaled → masked → weights → z. Rows are queries, columns are keys; the softmax runs over keys.
#pragma once

#include <vector>

#include "engine/attention/mask.h"
#include "engine/core/matrix.h"

namespace headlight {

/// scores[query, key] = q[query] · k[key]. q: [queries, d_head], k: [keys, d_head].
void compute_scores(const MatrixView& q, const MatrixView& k, Matrix& scores);

/// Multiplies by `factor`, the product of 1/√d_head and 1/temperature.
void scale_scores(Matrix& scores, float factor);

/// Softmax over the allowed keys of every row, in place. Forbidden pairs are left out of the sum, so their weight is exactly 0 (seeds D6).
/// A row without an allowed key becomes zeros (seeds D1). A single +inf takes the whole row. NaN, several +inf, or nothing but −inf
/// among the allowed keys make them NaN.
void softmax_rows(Matrix& scores, const Mask& mask);

/// z = weights · v. v: [keys, d_head]. A key of weight 0 is left out, whatever its value holds.
void mix_values(const Matrix& weights, const MatrixView& v, MatrixBlock z);

/// Every stage of one head, for whoever wants to look at it.
struct HeadMaps {
  Matrix scores;     ///< q·k, before scaling and mask
  float factor = 1;  ///< scaled score = score · factor
  std::shared_ptr<const Mask> mask;
  Matrix weights;
  std::vector<bool> is_row_masked;  ///< true where no key is allowed: zeros, flagged
};

}  // namespace headlight
