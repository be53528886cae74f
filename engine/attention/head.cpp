#include "engine/attention/head.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/attention/product.h"

namespace headlight {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using Row = Eigen::Map<Eigen::Array<float, 1, Eigen::Dynamic>>;

/// A row whose largest allowed score is not a number one can subtract: nothing is allowed (zeros), one score is +∞ (it takes all), or the
/// weights are undefined.
void fill_unusual_row(Row row, const std::uint8_t* allowed, float largest) {
  Index infinite = 0;
  for (Index key = 0; key < row.size(); ++key) infinite += allowed[key] != 0 && row[key] == kInfinity;
  const bool has_winner = largest == kInfinity && infinite == 1;
  const float undefined = largest == -kInfinity ? 0.0F : kNan;
  for (Index key = 0; key < row.size(); ++key) {
    const float defined = row[key] == kInfinity ? 1.0F : 0.0F;
    row[key] = allowed[key] == 0 ? 0.0F : has_winner ? defined : undefined;
  }
}

/// Σ over the keys with a weight: where v holds NaN or ∞, 0 · v would reach queries that may not see that key.
void mix_seen_values(const Matrix& weights, const MatrixView& v, MatrixBlock z) {
  z.setZero();
  for (Index query = 0; query < weights.rows(); ++query) {
    for (Index key = 0; key < weights.cols(); ++key) {
      if (weights(query, key) != 0.0F) z.row(query) += weights(query, key) * v.row(key);
    }
  }
}

/// The nearest numbers of a narrower type, and ±∞ beyond its range.
template <typename Narrow>
void round_to(Matrix& numbers) {
  numbers = numbers.cast<Narrow>().template cast<float>().eval();
}

void round_numbers(Matrix& numbers, SoftmaxPrecision precision) {
  if (precision == SoftmaxPrecision::float16) round_to<Eigen::half>(numbers);
  if (precision == SoftmaxPrecision::bfloat16) round_to<Eigen::bfloat16>(numbers);
}

/// From scores to weights, in place.
void weigh_scores(Matrix& scores, const HeadRule& rule) {
  round_numbers(scores, rule.softmax_precision);
  softmax_rows(scores, *rule.mask, rule.sink);
  round_numbers(scores, rule.softmax_precision);
}

/// Zeros alone do not tell: beside a sink of a high score nothing is left for keys that are allowed.
bool has_allowed_key(const HeadMaps& maps, Index query) {
  for (Index key = 0; key < maps.weights.cols(); ++key) {
    const bool is_allowed = maps.mask->allows(query, key) && maps.final_score(query, key) != -kInfinity;
    if (maps.weights(query, key) != 0.0F || is_allowed) return true;
  }
  return false;
}

}  // namespace

void compute_weights(const MatrixView& q, const MatrixView& k, const HeadRule& rule, Matrix& weights) {
  compute_scores(q, k, rule, weights);
  adjust_scores(weights, rule);
  weigh_scores(weights, rule);
}

void compute_scores(const MatrixView& q, const MatrixView& k, const HeadRule& rule, Matrix& scores) {
  scores.resize(q.rows(), k.rows());
  const ScoreParameters none;
  const ScoreParameters& parameters = rule.parameters ? *rule.parameters : none;
  score_function(rule.score).compute(q, k, parameters, scores);
}

void scale_scores(Matrix& scores, float factor) {
  scores *= factor;
}

void adjust_scores(Matrix& scores, const HeadRule& rule) {
  scale_scores(scores, rule.factor);
  cap_scores(scores, rule.softcap);
  add_bias(scores, rule.bias);
}

void softmax_rows(Matrix& scores, const Mask& mask, std::optional<float> sink) {
  const Index keys = scores.cols();
  for (Index query = 0; keys > 0 && query < scores.rows(); ++query) {
    Row row(scores.row(query).data(), keys);
    const std::uint8_t* allowed = mask.row(query);

    for (Index key = 0; key < keys; ++key) row[key] = allowed[key] != 0 ? row[key] : -kInfinity;
    float largest = row.maxCoeff<Eigen::PropagateNaN>();
    if (!std::isfinite(largest)) {
      fill_unusual_row(row, allowed, largest);
      continue;
    }
    if (sink) largest = std::max(largest, *sink);
    row = (row - largest).exp();  // e^(s − m) / Σ e^(s − m) = e^s / Σ e^s, without overflow
    for (Index key = 0; key < keys; ++key) row[key] = allowed[key] != 0 ? row[key] : 0.0F;
    row /= row.sum() + (sink ? std::exp(*sink - largest) : 0.0F);
  }
}

void mix_values(const Matrix& weights, const MatrixView& v, MatrixBlock z) {
  if (!v.allFinite()) return mix_seen_values(weights, v, z);
  multiply(weights, v, z);
}

HeadMaps compute_maps(const MatrixView& q, const MatrixView& k, const HeadRule& rule) {
  Matrix scores;
  compute_scores(q, k, rule, scores);
  return maps_of_scores(std::move(scores), rule);
}

HeadMaps maps_of_scores(Matrix scores, const HeadRule& rule) {
  HeadMaps maps;
  maps.scores = std::move(scores);
  maps.factor = rule.factor;
  maps.mask = rule.mask;
  maps.weights = maps.scores;
  adjust_scores(maps.weights, rule);
  if (rule.softcap > 0.0F || !rule.bias.is_empty()) maps.final_scores = maps.weights;
  weigh_scores(maps.weights, rule);
  for (Index query = 0; query < maps.weights.rows(); ++query) maps.is_row_masked.push_back(!has_allowed_key(maps, query));
  return maps;
}

}  // namespace headlight
