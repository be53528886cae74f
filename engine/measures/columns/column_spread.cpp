#include "engine/measures/columns/column_spread.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr double kFilled = 0.3;  // the share of a stated range that values must span for the axis to be all of it

/// The axis of the histogram.
void choose_ends(const HeadColumn& column, ColumnSpread& spread) {
  spread.low = spread.smallest;
  spread.high = spread.largest;
  if (std::isfinite(column.low) && std::isfinite(column.high)) {
    if (spread.largest - spread.smallest >= kFilled * (column.high - column.low) || spread.largest <= spread.smallest) {
      spread.low = column.low;
      spread.high = column.high;
    }
  }
  // An axis that nearly begins at the measure's own end begins there: 0 rather than 0.018.
  constexpr double kNear = 0.25;
  if (std::isfinite(column.low) && spread.low - column.low < kNear * (spread.high - column.low)) spread.low = column.low;
  // A file's own scores may leave the range that the measure states.
  spread.low = std::min(spread.low, spread.smallest);
  spread.high = std::max(spread.high, spread.largest);
  if (spread.high <= spread.low) spread.high = spread.low + 1;
}

}  // namespace

double ColumnSpread::place(double value) const {
  return std::isnan(value) ? value : std::clamp((value - low) / (high - low), 0.0, 1.0);
}

int ColumnSpread::bin_of(double value) const {
  return std::min(kBins - 1, static_cast<int>(place(value) * kBins));
}

bool is_best(const HeadColumn& column, const ColumnSpread& spread, double value) {
  if (!(spread.largest > spread.smallest)) return false;
  return column.is_change ? std::abs(value) == std::max(std::abs(spread.smallest), std::abs(spread.largest)) : value == spread.largest;
}

double bar_of(const HeadColumn& column, const ColumnSpread& spread, double value) {
  if (!column.is_change) return spread.place(value);
  const double most = std::max(std::abs(spread.smallest), std::abs(spread.largest));
  return most > 0 ? std::abs(value) / most : std::abs(value);
}

ColumnSpread spread_of(const HeadColumn& column, const std::vector<HeadId>& heads) {
  ColumnSpread spread;
  spread.bins.assign(ColumnSpread::kBins, 0);
  std::vector<double> values;
  for (const HeadId head : heads) {
    const double value = column.values.of(head);
    std::isfinite(value) ? values.push_back(value) : static_cast<void>(++spread.undefined);
  }
  if (values.empty()) {
    spread.smallest = spread.largest = spread.mean = std::numeric_limits<double>::quiet_NaN();
    return spread;
  }
  const auto [smallest, largest] = std::minmax_element(values.begin(), values.end());
  spread.smallest = *smallest;
  spread.largest = *largest;
  choose_ends(column, spread);
  double sum = 0;
  for (const double value : values) {
    ++spread.bins[static_cast<std::size_t>(spread.bin_of(value))];
    sum += value;
  }
  spread.mean = sum / static_cast<double>(values.size());
  return spread;
}

}  // namespace headlight
