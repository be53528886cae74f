// How values are spread: 256 bins over a measure's stated range, or bins of eighths of a power of two where it has no limit.
#pragma once

#include <array>
#include <cstdint>

#include "engine/measures/measure.h"
#include "engine/studies/exact_sum.h"

namespace headlight {

/// The bins of a measure. Without an upper limit: from `low` on, bin i holds low + 2^(i/8 − 16) up to the next; bin 0 also all below, bin 255
/// all above 2^16 or so. Without a lower limit: the same downwards from `high`.
class Bins {
 public:
  static constexpr std::size_t kCount = 256;
  explicit Bins(const Measure& measure) : low_(measure.low), high_(measure.high) {}
  /// Of a finite value.
  std::size_t bin_of(double value) const;
  /// Where a bin begins and ends, counted in the direction in which bins are numbered.
  double edge(std::size_t bin) const;

 private:
  bool is_logarithmic() const { return std::isinf(low_) || std::isinf(high_); }
  double low_, high_;
};

struct Histogram {
  std::array<std::int64_t, Bins::kCount> counts{};

  void add(const Histogram& other) {
    for (std::size_t bin = 0; bin < counts.size(); ++bin) add_to(counts[bin], other.counts[bin]);
  }
  /// The value below which `share` of all lie, evenly spread inside a bin. NaN of none.
  double quantile(const Bins& bins, double share) const;
  bool operator==(const Histogram&) const = default;
};

}  // namespace headlight
