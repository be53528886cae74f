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

/// shares_text: queries and keys count the same text.
HeadSummary measure_rows(const Matrix& weights, const Mask& mask, const Watch& watch, Measures table, bool shares_text) {
  HeadSummary summary = picture_alone(weights, watch);
  const RowVector positions = RowVector::LinSpaced(summary.keys, 0.0F, static_cast<float>(summary.keys - 1));
  std::vector<RowMean> means(table.size());
  for (Index query = 0; query < summary.queries; ++query) {
    watch.check();
    const Index allowed = mask.allowed_in_row(query);
    summary.masked_rows += allowed == 0;
    if (allowed < 2) continue;
    const auto row = weights.row(query);
    const float most = row.maxCoeff<Eigen::PropagateNaN>();
    if (most == 0) continue;  // a masked row of a map from a file
    ++summary.informative_rows;
    const MeasuredRow measured{row, positions, mask, query, allowed, most, entropy(row)};
    for (std::size_t i = 0; i < table.size(); ++i) {
      if (table[i].needs_one_text && !shares_text) continue;
      if (const std::optional<double> value = table[i].of_row(measured)) means[i].add(*value);
    }
  }
  summary.measured.table = table;
  summary.measured.values.reserve(table.size());
  for (const RowMean& mean : means) summary.measured.values.push_back(mean.value());
  return summary;
}

}  // namespace

HeadSummary summarise_numbers(const Matrix& numbers, const Watch& watch, Measures table) {
  HeadSummary summary = picture_alone(numbers, watch);
  summary.measured = {table, std::vector<double>(table.size(), std::numeric_limits<double>::quiet_NaN())};
  return summary;
}

HeadSummary summarise_head(const Matrix& weights, const Mask& mask, const Watch& watch, Measures table) {
  return measure_rows(weights, mask, watch, table, weights.rows() == weights.cols());
}

HeadSummary summarise_cross_head(const Matrix& weights, const Mask& mask, const Watch& watch, Measures table) {
  return measure_rows(weights, mask, watch, table, false);
}

}  // namespace headlight
