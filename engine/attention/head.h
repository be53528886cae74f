// One attention head in named steps (Vaswani et al. 2017, arXiv 1706.03762, section 3.2.1):
//
//     attention(Q, K, V) = softmax(Q·Kᵀ / √d_head) · V
//
// scores → scaled (→ capped → biased) → masked → weights → z: attend_head, below, is all of it. Rows are queries, columns are keys; the
// softmax runs over keys.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/attention/mask.h"
#include "engine/attention/score.h"
#include "engine/core/matrix.h"
#include "engine/kernels/instruction_set.h"

namespace headlight {

/// The type that scores are rounded to before the softmax, and weights after it. Sums are float32 in any case.
enum class SoftmaxPrecision : std::uint8_t { float32, float16, bfloat16 };

/// How one head turns q and k into weights.
struct HeadRule {
  ScoreKind score = ScoreKind::dot;
  std::shared_ptr<const ScoreParameters> parameters = {};  ///< for score functions that have some
  float factor = 1;                                        ///< scaled score = score · factor: 1/√d_head · 1/temperature
  float softcap = 0;                                       ///< 0: none
  ScoreBias bias = {};
  /// A score without a key: takes its share of every row and mixes in no value (gpt-oss, arXiv 2508.10925).
  std::optional<float> sink = {};
  SoftmaxPrecision softmax_precision = SoftmaxPrecision::float32;
  std::shared_ptr<const Mask> mask = {};
  /// [queries, keys]: weights that replace the softmax's, whatever the scores are; 0 where the mask forbids. Null: none.
  std::shared_ptr<const Matrix> placed_weights = {};

  /// Nothing happens to scores but scale and mask.
  bool is_plain() const { return softcap == 0.0F && bias.is_empty() && softmax_precision == SoftmaxPrecision::float32; }
};

/// In all of these the watch is asked often enough for a map of any size. Throws Cancelled if it says so; what is written over is lost.

/// One whole head: q [queries, d_head], k [keys, d_head], v [keys, d_value] → weights [queries, keys], z [queries, d_value]. The steps
/// below in their order; each writes over the one before, in `weights`.
void attend_head(const MatrixView& q, const MatrixView& k, const MatrixView& v, const HeadRule& rule, Matrix& weights, MatrixBlock z,
                 const Watch& watch = {});

/// scores[query, key], by the score function: for the dot product q[query] · k[key].
void compute_scores(const MatrixView& q, const MatrixView& k, const HeadRule& rule, Matrix& scores, const Watch& watch = {});

/// Multiplies by `factor`, the product of 1/√d_head and 1/temperature.
void scale_scores(MatrixBlock scores, float factor, const Watch& watch = {});

/// scaled, capped and biased, in place: all that happens to scores before mask and softmax.
void adjust_scores(MatrixBlock scores, const HeadRule& rule, const Watch& watch = {});

/// −∞ where the query may not attend to the key, in place. first_query: that of the first row of scores, which may have fewer keys than the mask.
void mask_scores(MatrixBlock scores, const Mask& mask, const Watch& watch = {}, Index first_query = 0);

/// Softmax over the keys of every row, in place. A key of −∞ is left out of the sum, so its weight is exactly 0 (seeds D6). A row of
/// nothing but −∞ becomes zeros (seeds D1). A single +∞ takes the whole row; NaN and several +∞ make NaN of every key that is not −∞.
/// With a sink the row sums to 1 less the sink's share.
void softmax_rows(MatrixBlock masked, std::optional<float> sink = {}, const Watch& watch = {});
/// One row: factor, mask and softmax at once.
void softmax_row(const SoftmaxRow& row);
/// All steps from scores to weights at once, for a plain rule: the bits of the steps alone. first_query: as in mask_scores.
void weigh_plain_scores(MatrixBlock scores, const HeadRule& rule, Index first_query = 0, const Watch& watch = {});
/// softmax_rows with the rule's sink; scores are rounded to its precision before, and weights after.
void weigh_scores(MatrixBlock masked, const HeadRule& rule, const Watch& watch = {});
/// Mask and softmax at once.
void softmax_rows(MatrixBlock scores, const Mask& mask, std::optional<float> sink = {}, const Watch& watch = {});

/// z = weights · v. v: [keys, d_value]. A key of weight 0 is left out, whatever its value holds. Never −0, which would tell how many keys of
/// weight 0 there were.
void mix_values(const MatrixView& weights, const MatrixView& v, MatrixBlock z, const Watch& watch = {});

/// After z = weights · v over all keys: makes that the sum over the keys with a weight.
void finish_mix(const MatrixView& weights, const MatrixView& v, MatrixBlock z, const Watch& watch = {});
/// What finish_mix does where every number is finite: −0 becomes 0.
inline void clear_signs_of_zeros(MatrixBlock z) {
  z.array() += 0.0F;
}

/// Every stage of one head, for whoever wants to look at it.
struct HeadMaps {
  Matrix scores;        ///< by the score function, before scaling and mask
  float factor = 1;     ///< scaled score = score · factor
  Matrix final_scores;  ///< scaled, capped and biased, before the mask; empty where that is scores · factor
  std::shared_ptr<const Mask> mask;
  Matrix weights;
  std::vector<bool> is_row_masked;  ///< true where no key is allowed: zeros, flagged
  Matrix v = {};                    ///< [keys, d_value]; empty where the values are not known
  RowVector value_norms = {};       ///< ‖v‖ of every key [keys]; empty likewise

  float scaled_score(Index query, Index key) const { return scores(query, key) * factor; }
  float final_score(Index query, Index key) const { return final_scores.size() > 0 ? final_scores(query, key) : scaled_score(query, key); }
};

/// The same steps up to the weights, keeping what lies between them. Weights are bit for bit those of attend_head.
HeadMaps compute_maps(const MatrixView& q, const MatrixView& k, const HeadRule& rule, const Watch& watch = {});

/// The steps after the score function.
HeadMaps maps_of_scores(Matrix scores, const HeadRule& rule, const Watch& watch = {});

}  // namespace headlight
