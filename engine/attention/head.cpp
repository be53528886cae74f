#include "engine/attention/head.h"

#include <cmath>
#include <limits>

#include "engine/attention/product.h"

namespace headlight {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using Row = Eigen::Map<Eigen::Array<float, 1, Eigen::Dynamic>>;

/// A row whose largest allowed score is not a number one can subtract: no key is allowed (zeros), one score is +∞ (it takes all), or
/// the weights are undefined.
void fill_unusual_row(Row row, const std::uint8_t* allowed, float largest) {
  Index infinite = 0;
  for (Index key = 0; key < row.size(); ++key) infinite += allowed[key] != 0 && row[key] == kInfinity;
  const bool has_winner = largest == kInfinity && infinite == 1;
  for (Index key = 0; key < row.size(); ++key) {
    const float defined = row[key] == kInfinity ? 1.0F : 0.0F;
    row[key] = allowed[key] == 0 ? 0.0F : has_winner ? defined : kNan;
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

}  // namespace

void compute_scores(const MatrixView& q, const MatrixView& k, Matrix& scores) {
  scores.resize(q.rows(), k.rows());
  multiply_transposed(q, k, scores);
}

void scale_scores(Matrix& scores, float factor) {
  scores *= factor;
}

void softmax_rows(Matrix& scores, const Mask& mask) {
  const Index keys = scores.cols();
  for (Index query = 0; keys > 0 && query < scores.rows(); ++query) {
    Row row(scores.row(query).data(), keys);
    const std::uint8_t* allowed = mask.row(query);

    for (Index key = 0; key < keys; ++key) row[key] = allowed[key] != 0 ? row[key] : -kInfinity;
    const float largest = row.maxCoeff<Eigen::PropagateNaN>();
    if (!std::isfinite(largest)) {
      fill_unusual_row(row, allowed, largest);
      continue;
    }
    row = (row - largest).exp();  // e^(s − m) / Σ e^(s − m) = e^s / Σ e^s, without overflow
    for (Index key = 0; key < keys; ++key) row[key] = allowed[key] != 0 ? row[key] : 0.0F;
    row /= row.sum();
  }
}

void mix_values(const Matrix& weights, const MatrixView& v, MatrixBlock z) {
  if (!v.allFinite()) return mix_seen_values(weights, v, z);
  multiply(weights, v, z);
}

}  // namespace headlight
