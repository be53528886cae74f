#include "engine/analysis/head_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {
namespace {

constexpr float kTiny = std::numeric_limits<float>::min();  // inside the logarithm of 0

/// Mean over the rows that count; NaN over none.
class RowMean {
 public:
  void add(double value) {
    sum_ += value;
    ++rows_;
  }
  double value() const { return rows_ == 0 ? std::numeric_limits<double>::quiet_NaN() : sum_ / rows_; }

 private:
  double sum_ = 0;
  int rows_ = 0;
};

/// −Σ a ln a, with 0 ln 0 = 0.
double entropy(const Eigen::Ref<const RowVector>& row) {
  return -static_cast<double>((row.array() * row.array().max(kTiny).log()).sum());
}

/// Σ a · |query − key|, with keys = 0, 1, 2, …
double distance(const Eigen::Ref<const RowVector>& row, const RowVector& keys, Index query) {
  return static_cast<double>((row.array() * (keys.array() - static_cast<float>(query)).abs()).sum());
}

void pool_maxima(const Matrix& weights, HeadSummary& summary, const Watch& watch) {
  summary.pool = std::max<Index>(1, (std::max(weights.rows(), weights.cols()) + kPooledSide - 1) / kPooledSide);
  const Index pool = summary.pool;
  if (pool == 1) {
    summary.pooled = weights;
    return;
  }
  summary.pooled.resize((weights.rows() + pool - 1) / pool, (weights.cols() + pool - 1) / pool);
  for (Index row = 0; row < summary.pooled.rows(); ++row) {
    watch.check();
    const Index height = std::min(pool, weights.rows() - row * pool);
    RowVector band = weights.row(row * pool);
    for (Index below = 1; below < height; ++below) band = band.cwiseMax<Eigen::PropagateNaN>(weights.row(row * pool + below));
    for (Index column = 0; column < summary.pooled.cols(); ++column) {
      const Index width = std::min(pool, weights.cols() - column * pool);
      summary.pooled(row, column) = band.segment(column * pool, width).maxCoeff<Eigen::PropagateNaN>();
    }
  }
}

HeadSummary picture_alone(const Matrix& weights, const Watch& watch) {
  HeadSummary summary;
  summary.queries = weights.rows();
  summary.keys = weights.cols();
  if (weights.size() > 0) summary.largest = weights(0, 0);
  for (Index query = 0; weights.cols() > 0 && query < weights.rows(); ++query) {
    watch.check();
    summary.largest = std::fmax(summary.largest, weights.row(query).maxCoeff<Eigen::PropagateNumbers>());
  }
  pool_maxima(weights, summary, watch);
  return summary;
}

}  // namespace

HeadSummary summarise_numbers(const Matrix& numbers, const Watch& watch) {
  HeadSummary summary = picture_alone(numbers, watch);
  summary.normalised_entropy = summary.effective_tokens = summary.confidence = std::nan("");
  summary.previous_token = summary.first_token = summary.mean_distance = std::nan("");
  return summary;
}

HeadSummary summarise_head(const Matrix& weights, const Mask& mask, const Watch& watch) {
  HeadSummary summary = picture_alone(weights, watch);

  // Distances need both axes to be the same sequence.
  const bool is_square = summary.queries == summary.keys;
  const RowVector keys = RowVector::LinSpaced(summary.keys, 0.0F, static_cast<float>(summary.keys - 1));
  RowMean normalised_entropy, effective_tokens, confidence, previous_token, first_token, mean_distance;
  for (Index query = 0; query < summary.queries; ++query) {
    watch.check();
    const Index allowed = mask.allowed_in_row(query);
    summary.masked_rows += allowed == 0;
    if (allowed < 2) continue;
    const auto row = weights.row(query);
    const float most = row.maxCoeff<Eigen::PropagateNaN>();
    if (most == 0) continue;  // a masked row of a map from a file
    const double nats = entropy(row);
    normalised_entropy.add(nats / std::log(static_cast<double>(allowed)));
    effective_tokens.add(std::exp(nats));
    confidence.add(most);
    first_token.add(row[0]);
    ++summary.informative_rows;
    if (!is_square) continue;
    mean_distance.add(distance(row, keys, query));
    if (query > 0 && mask.allows(query, query - 1)) previous_token.add(row[query - 1]);
  }
  summary.normalised_entropy = normalised_entropy.value();
  summary.effective_tokens = effective_tokens.value();
  summary.confidence = confidence.value();
  summary.previous_token = previous_token.value();
  summary.first_token = first_token.value();
  summary.mean_distance = mean_distance.value();
  return summary;
}

HeadSummary summarise_cross_head(const Matrix& weights, const Mask& mask, const Watch& watch) {
  HeadSummary summary = summarise_head(weights, mask, watch);
  summary.previous_token = summary.mean_distance = std::nan("");
  return summary;
}

}  // namespace headlight
