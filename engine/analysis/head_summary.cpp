#include "engine/analysis/head_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/kernels/instruction_set.h"

namespace headlight {
namespace {

// Numbers of a row, before those of the measures.
enum RowNumber : Index { kKind, kLargest, kFirstMeasure };
// What rows add up to, before the sums of the measures and then the numbers of rows that have each measure.
enum Sum : Index { kLargestSoFar, kMaskedRows, kInformativeRows, kFirstSum };
// Kinds of rows.
constexpr double kUninformative = 0, kInformative = 1, kMasked = 2;
constexpr double kDoesNotCount = -std::numeric_limits<double>::infinity();

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

float larger_or_nan(float a, float b) {
  return b > a || std::isnan(b) ? b : a;
}

Index pool_of(Index queries, Index keys) {
  return std::max<Index>(1, (std::max(queries, keys) + kPooledSide - 1) / kPooledSide);
}

Index divided_up(Index number, Index by) {
  return (number + by - 1) / by;
}

}  // namespace

HeadMeter::HeadMeter(Index queries, Index keys, const MeterSettings& settings)
    : queries_(queries),
      keys_(keys),
      settings_(settings),
      pool_(pool_of(queries, keys)),
      band_(keys),
      pooled_(divided_up(queries, pool_), divided_up(keys, pool_)),
      sums_(divided_up(queries, pool_), kFirstSum + 2 * std::ssize(settings.table)) {}

HeadMeter::HeadMeter(const Mask& mask, const MeterSettings& settings) : HeadMeter(mask.queries(), mask.keys(), settings) {
  mask_ = &mask;
}

Index HeadMeter::begin_after(const HeadSummary& before, Index rows) {
  if (before.pool != pool_ || before.sums.cols() != sums_.cols()) return 0;
  before_ = &before;
  first_ = next_ = rows / pool_ * pool_;
  pooled_.resize(pooled_.rows() - first_ / pool_, pooled_.cols());
  sums_.resize(sums_.rows() - first_ / pool_, sums_.cols());
  return first_;
}

void HeadMeter::add(const HeadRows& rows, const Watch& watch) {
  std::vector<double> numbers(static_cast<std::size_t>(kFirstMeasure) + settings_.table.size());
  for (Index at = 0; at < rows.weights.rows(); ++at, ++next_) {
    watch.check();
    pool_row(rows.weights.row(at));
    measure_row(next_, rows.weights.row(at), numbers.data());
    add_up(numbers.data(), sums_for_row());
  }
}

void HeadMeter::pool_row(Eigen::Ref<const RowVector> row) {
  const Index reach = row.size();
  if (pool_ == 1) {
    auto picture_row = pooled_.row(next_ - first_);
    picture_row.head(reach) = row;
    picture_row.tail(picture_row.size() - reach).setZero();
    return;
  }
  const Index shared = std::min(reach, band_reach_);
  if (shared > 0) band_.head(shared) = band_.head(shared).cwiseMax<Eigen::PropagateNaN>(row.head(shared));
  if (reach > band_reach_) {
    band_.segment(band_reach_, reach - band_reach_) = row.tail(reach - band_reach_);
    // Behind their reach the rows above have weight 0.
    for (Index key = band_reach_; band_rows_ > 0 && key < reach; ++key) band_[key] = larger_or_nan(0.0F, band_[key]);
    band_reach_ = reach;
  }
  ++band_rows_;
  if (band_rows_ == pool_ || next_ + 1 == queries_) pool_band();
}

void HeadMeter::pool_band() {
  auto picture_row = pooled_.row((next_ - first_) / pool_);
  const Index filled = divided_up(band_reach_, pool_), whole = band_reach_ / pool_;
  const bool has_nan = std::isnan(instruction_set().largest(band_.data(), band_reach_));
  const float* const band = band_.data();
  float* const cells = picture_row.data();
  for (Index column = 0; column < whole && !has_nan; ++column) {
    float largest = band[column * pool_];
    for (Index at = 1; at < pool_; ++at) largest = std::max(largest, band[column * pool_ + at]);
    cells[column] = largest;
  }
  for (Index column = has_nan ? 0 : whole; column < filled; ++column) {
    const Index begin = column * pool_, end = std::min(begin + pool_, band_reach_);
    cells[column] = band[begin];
    for (Index key = begin + 1; key < end; ++key) cells[column] = larger_or_nan(cells[column], band[key]);
  }
  picture_row.tail(picture_row.size() - filled).setZero();
  band_rows_ = band_reach_ = 0;
}

void HeadMeter::measure_row(Index query, Eigen::Ref<const RowVector> row, double* numbers) const {
  const float most = instruction_set().largest(row.data(), row.size());  // NaN of a row that holds NaN
  const float seen = std::isnan(most) ? row.maxCoeff<Eigen::PropagateNumbers>() : most;
  numbers[kLargest] = static_cast<double>(row.size() == keys_ ? seen : std::fmax(seen, 0.0F));
  numbers[kKind] = kUninformative;
  std::fill_n(numbers + kFirstMeasure, settings_.table.size(), kDoesNotCount);
  if (mask_ == nullptr) return;
  const Index allowed = mask_->allowed_in_row(query, row.size());  // past its reach no key is allowed
  if (allowed == 0) numbers[kKind] = kMasked;
  if (allowed < 2) return;
  if (most == 0) return;  // a masked row of a map from a file
  numbers[kKind] = kInformative;
  const MeasuredRow measured{
      .weights = RowNumbers(row.data(), row.size()), .cells = mask_->row(query), .query = query, .allowed = allowed, .largest = most};
  for (std::size_t i = 0; i < settings_.table.size(); ++i) {
    const Measure& measure = settings_.table[i];
    const bool is_defined = settings_.shares_text || !measure.needs_one_text;
    if (!is_defined) continue;
    if (const std::optional<RowValue> value = measure.of_row(measured)) numbers[kFirstMeasure + static_cast<Index>(i)] = value->value;
  }
}

/// Those of its row of the picture, which begin with what the rows above add up to: a sum is one chain of additions from the first row on,
/// wherever adding began.
double* HeadMeter::sums_for_row() {
  const Index band = (next_ - first_) / pool_;
  if (next_ % pool_ == 0) {
    if (band > 0) {
      sums_.row(band) = sums_.row(band - 1);
    } else if (first_ > 0) {
      sums_.row(0) = before_->sums.middle_rows(first_ / pool_ - 1, 1).row(0);
    } else {
      sums_.row(0).setZero();
      sums_(0, kLargestSoFar) = kNan;
    }
  }
  return sums_.row(band).data();
}

void HeadMeter::add_up(const double* numbers, double* sums) const {
  const std::size_t measures = settings_.table.size();
  double& largest = sums[kLargestSoFar];
  largest = numbers[kLargest] > largest || std::isnan(largest) ? numbers[kLargest] : largest;
  sums[kMaskedRows] += numbers[kKind] == kMasked ? 1 : 0;
  sums[kInformativeRows] += numbers[kKind] == kInformative ? 1 : 0;
  const double* const of_row = numbers + kFirstMeasure;
  double *const sum = sums + kFirstSum, *const count = sum + measures;
  for (std::size_t i = 0; i < measures; ++i) {
    const bool has_value = !(of_row[i] == kDoesNotCount);
    sum[i] += has_value ? of_row[i] : 0.0;
    count[i] += has_value ? 1.0 : 0.0;
  }
}

void HeadMeter::tell_sums(HeadSummary& summary) const {
  const std::size_t measures = settings_.table.size();
  summary.measured.table = settings_.table;
  summary.measured.values.assign(measures, kNan);
  if (summary.sums.rows() == 0) return;
  const SharedRowsOf<double>::Rows all = summary.sums.middle_rows(summary.sums.rows() - 1, 1);
  if (keys_ > 0) summary.largest = static_cast<float>(all(0, kLargestSoFar));
  summary.masked_rows = static_cast<int>(all(0, kMaskedRows));
  summary.informative_rows = static_cast<int>(all(0, kInformativeRows));
  const double *const sum = all.data() + kFirstSum, *const count = sum + measures;
  for (std::size_t i = 0; i < measures; ++i) {
    if (count[i] > 0) summary.measured.values[i] = sum[i] / count[i];
  }
}

HeadSummary HeadMeter::finish() {
  HeadSummary summary;
  summary.pool = pool_;
  summary.queries = queries_;
  summary.keys = keys_;
  if (before_ != nullptr) {
    summary.pooled = before_->pooled.continued(first_ / pool_, std::move(pooled_));
    summary.sums = before_->sums.continued(first_ / pool_, std::move(sums_));
  } else {
    summary.pooled = std::move(pooled_);
    summary.sums = std::move(sums_);
  }
  tell_sums(summary);
  return summary;
}

namespace {

HeadSummary summarise(HeadMeter meter, const Matrix& numbers, const Watch& watch) {
  meter.add({0, numbers}, watch);
  return meter.finish();
}

}  // namespace

HeadSummary summarise_numbers(const Matrix& numbers, const Watch& watch, Measures table) {
  return summarise(HeadMeter(numbers.rows(), numbers.cols(), {table}), numbers, watch);
}

HeadSummary summarise_head(const Matrix& weights, const Mask& mask, const Watch& watch, Measures table) {
  return summarise(HeadMeter(mask, {table, weights.rows() == weights.cols()}), weights, watch);
}

HeadSummary summarise_cross_head(const Matrix& weights, const Mask& mask, const Watch& watch, Measures table) {
  return summarise(HeadMeter(mask, {table, false}), weights, watch);
}

}  // namespace headlight
