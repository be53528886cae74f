#include "engine/labs/scale_lab.h"

#include <algorithm>
#include <cmath>

#include "engine/attention/head.h"
#include "engine/core/random.h"

namespace headlight {
namespace {

Matrix random_vectors(Index rows, Index columns, std::uint64_t seed, std::string_view name) {
  RandomStream stream(seed, name);
  Matrix vectors(rows, columns);
  for (float& value : vectors.reshaped<Eigen::RowMajor>()) value = stream.next_normal();
  return vectors;
}

ScoreSpread spread_of(Matrix scores) {
  const Eigen::ArrayXXd wide = scores.cast<double>().array();
  ScoreSpread spread{.variance = (wide - wide.mean()).square().mean()};
  softmax_rows(scores, Mask(scores.rows(), scores.cols(), true));
  for (Index query = 0; query < scores.rows(); ++query) spread.jacobian_norm += softmax_jacobian_norm(scores.row(query));
  spread.jacobian_norm /= static_cast<double>(scores.rows());
  return spread;
}

}  // namespace

double softmax_jacobian_norm(const RowVector& weights) {
  const Eigen::ArrayXd w = weights.cast<double>().array();
  const double squares = w.square().sum();
  return std::sqrt(std::max(0.0, squares - 2 * w.cube().sum() + squares * squares));
}

ScaleSample sample_scale(Index d_head, Index tokens, std::uint64_t seed) {
  Matrix scores;
  compute_scores(random_vectors(tokens, d_head, seed, "scale.q"), random_vectors(tokens, d_head, seed, "scale.k"), {}, scores);
  const ScoreSpread unscaled = spread_of(scores);
  scale_scores(scores, static_cast<float>(1.0 / std::sqrt(static_cast<double>(d_head))));
  return {.unscaled = unscaled, .scaled = spread_of(scores)};
}

}  // namespace headlight
