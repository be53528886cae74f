#include "engine/attention/head.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/large_pages.h"
#include "engine/core/number_runs.h"
#include "engine/kernels/product.h"

namespace headlight {

void attend_head(const MatrixView& q, const MatrixView& k, const MatrixView& v, const HeadRule& rule, Matrix& weights, MatrixBlock z,
                 const Watch& watch) {
  compute_scores(q, k, rule, weights, watch);               // scores:  Q·Kᵀ
  adjust_scores(weights, rule, watch);                      // scaled:  scores / √d_head
  mask_scores(weights, *rule.mask, watch);                  // masked:  −∞ where the query may not attend to the key
  weigh_scores(weights, rule, watch);                       // weights: e^masked / Σ e^masked, row by row
  if (rule.placed_weights) weights = *rule.placed_weights;  // a map that an edit puts in their place
  mix_values(weights, v, z, watch);                         // z:       weights · V
}

void compute_scores(const MatrixView& q, const MatrixView& k, const HeadRule& rule, Matrix& scores, const Watch& watch) {
  scores.resize(q.rows(), k.rows());
  prefer_large_pages(scores.data(), static_cast<std::size_t>(scores.size()) * sizeof(float));
  const ScoreParameters none;
  const ScoreParameters& parameters = rule.parameters ? *rule.parameters : none;
  score_function(rule.score).compute(q, k, parameters, scores, watch);
}

void scale_scores(MatrixBlock scores, float factor, const Watch& watch) {
  change_rows(scores, watch, [&](NumberRun run) { run *= factor; });
}

void adjust_scores(MatrixBlock scores, const HeadRule& rule, const Watch& watch) {
  scale_scores(scores, rule.factor, watch);
  cap_scores(scores, rule.softcap, watch);
  add_bias(scores, rule.bias, watch);
}

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using Row = Eigen::Map<Eigen::Array<float, 1, Eigen::Dynamic>>;

// The rare cases, at the end of this file.
void fill_unusual_row(Row row, float largest);
void mix_seen_values(const MatrixView& weights, const MatrixView& v, MatrixBlock z, const Watch& watch);
bool has_allowed_key(const HeadMaps& maps, Index query);
void round_numbers(MatrixBlock numbers, SoftmaxPrecision precision, const Watch& watch);

}  // namespace

void mask_scores(MatrixBlock scores, const Mask& mask, const Watch& watch, Index first_query) {
  for (Index row = 0; row < scores.rows(); ++row) {
    watch.check();
    instruction_set().mask(scores.row(row).data(), mask.row(first_query + row), scores.cols());
  }
}

void softmax_rows(MatrixBlock masked, std::optional<float> sink, const Watch& watch) {
  for (Index query = 0; query < masked.rows(); ++query) {
    watch.check();
    softmax_row({.numbers = masked.row(query).data(), .count = masked.cols(), .has_sink = sink.has_value(), .sink = sink.value_or(0.0F)});
  }
}

void softmax_row(const SoftmaxRow& row) {
  // e^(s − m) / Σ e^(s − m) = e^s / Σ e^s with the largest m, without overflow; e^−∞ is exactly 0
  if (row.count == 0 || instruction_set().softmax(row)) return;
  Row numbers(row.numbers, row.count);
  fill_unusual_row(numbers, numbers.maxCoeff<Eigen::PropagateNaN>());
}

void softmax_rows(MatrixBlock scores, const Mask& mask, std::optional<float> sink, const Watch& watch) {
  mask_scores(scores, mask, watch);
  softmax_rows(scores, sink, watch);
}

void weigh_plain_scores(MatrixBlock scores, const HeadRule& rule, Index first_query, const Watch& watch) {
  for (Index row = 0; row < scores.rows(); ++row) {
    watch.check();
    softmax_row({.numbers = scores.row(row).data(),
                 .count = scores.cols(),
                 .factor = rule.factor,
                 .allowed = rule.mask->row(first_query + row),
                 .has_sink = rule.sink.has_value(),
                 .sink = rule.sink.value_or(0.0F)});
  }
}

void weigh_scores(MatrixBlock masked, const HeadRule& rule, const Watch& watch) {
  round_numbers(masked, rule.softmax_precision, watch);
  softmax_rows(masked, rule.sink, watch);
  round_numbers(masked, rule.softmax_precision, watch);
}

void mix_values(const MatrixView& weights, const MatrixView& v, MatrixBlock z, const Watch& watch) {
  multiply(weights, v, z, watch);
  finish_mix(weights, v, z, watch);
}

void finish_mix(const MatrixView& weights, const MatrixView& v, MatrixBlock z, const Watch& watch) {
  if (!z.allFinite()) mix_seen_values(weights, v, z, watch);
  clear_signs_of_zeros(z);
}

HeadMaps compute_maps(const MatrixView& q, const MatrixView& k, const HeadRule& rule, const Watch& watch) {
  Matrix scores;
  compute_scores(q, k, rule, scores, watch);
  return maps_of_scores(std::move(scores), rule, watch);
}

namespace {

/// Copies each row as far as its query may see and turns it into weights while it is in the cache. All later keys get the weight 0.
Matrix weights_of_plain_scores(const Matrix& scores, const HeadRule& rule, const Watch& watch) {
  Matrix weights(scores.rows(), scores.cols());
  prefer_large_pages(weights.data(), static_cast<std::size_t>(weights.size()) * sizeof(float));
  for (Index query = 0; query < scores.rows(); ++query) {
    const Index reach = reach_of(*rule.mask, query, 1);
    weights.row(query).head(reach) = scores.row(query).head(reach);
    weights.row(query).tail(scores.cols() - reach).setZero();
    weigh_plain_scores(weights.block(query, 0, 1, reach), rule, query, watch);
  }
  return weights;
}

}  // namespace

HeadMaps maps_of_scores(Matrix scores, const HeadRule& rule, const Watch& watch) {
  HeadMaps maps;
  maps.scores = std::move(scores);
  maps.factor = rule.factor;
  maps.mask = rule.mask;
  const bool has_final_scores = rule.softcap > 0.0F || !rule.bias.is_empty();
  if (rule.placed_weights) {
    maps.weights = *rule.placed_weights;
    if (has_final_scores) {
      maps.final_scores = copy_numbers(maps.scores, watch);
      adjust_scores(maps.final_scores, rule, watch);
    }
  } else if (rule.is_plain()) {
    maps.weights = weights_of_plain_scores(maps.scores, rule, watch);
  } else {
    maps.weights = copy_numbers(maps.scores, watch);
    adjust_scores(maps.weights, rule, watch);
    if (has_final_scores) maps.final_scores = copy_numbers(maps.weights, watch);
    mask_scores(maps.weights, *rule.mask, watch);
    weigh_scores(maps.weights, rule, watch);
  }
  for (Index query = 0; query < maps.weights.rows(); ++query) {
    watch.check();
    maps.is_row_masked.push_back(!has_allowed_key(maps, query));
  }
  return maps;
}

namespace {

/// A row whose largest score is not a number one can subtract: every key is at −∞ (zeros), one is at +∞ (it takes all), or the weights
/// are undefined.
void fill_unusual_row(Row row, float largest) {
  const bool has_winner = largest == kInfinity && (row == kInfinity).count() == 1;
  for (float& number : row) {
    const float defined = number == kInfinity ? 1.0F : 0.0F;
    number = number == -kInfinity ? 0.0F : has_winner ? defined : kNan;
  }
}

/// Σ over the keys with a weight, by the chain of the product: where v holds NaN or ∞, 0 · v would reach queries that may not see that key.
void mix_seen_values(const MatrixView& weights, const MatrixView& v, MatrixBlock z, const Watch& watch) {
  z.setZero();
  for (Index query = 0; query < weights.rows(); ++query) {
    watch.check();
    for (Index key = 0; key < weights.cols(); ++key) {
      const float weight = weights(query, key);
      for (Index column = 0; weight != 0.0F && column < z.cols(); ++column) {
        z(query, column) = std::fma(weight, v(key, column), z(query, column));
      }
    }
  }
}

/// Zeros alone do not tell: beside a sink of a high score nothing is left for keys that are allowed.
bool has_allowed_key(const HeadMaps& maps, Index query) {
  for (Index key = 0; key < maps.weights.cols(); ++key) {
    const bool is_allowed = maps.mask->allows(query, key) && maps.final_score(query, key) != -kInfinity;
    if (maps.weights(query, key) != 0.0F || is_allowed) return true;
  }
  return false;
}

/// The nearest numbers of a narrower type, and ±∞ beyond its range.
template <typename Narrow>
void round_to(MatrixBlock numbers, const Watch& watch) {
  change_rows(numbers, watch, [](NumberRun run) { run = run.cast<Narrow>().template cast<float>().eval(); });
}

void round_numbers(MatrixBlock numbers, SoftmaxPrecision precision, const Watch& watch) {
  if (precision == SoftmaxPrecision::float16) round_to<Eigen::half>(numbers, watch);
  if (precision == SoftmaxPrecision::bfloat16) round_to<Eigen::bfloat16>(numbers, watch);
}

}  // namespace
}  // namespace headlight
