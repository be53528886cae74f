// Sums that come out the same in any order and any split: x and x² as integers of 128 bits, each times 2^40, rounded half to even.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace headlight {

__extension__ using Int128 = __int128;

/// x · 2^40 to the nearest integer, of two equally near the even one. |x| up to 2^80.
Int128 fixed_point(double x);
/// The nearest double to number / 2^40.
double from_fixed_point(Int128 number);

/// Mean and its standard error over texts (metrics, 2.11).
struct ExactSum {
  std::int64_t count = 0;
  Int128 sum = 0, squares = 0;

  /// Finite numbers alone.
  void add(double x) {
    ++count;
    sum += fixed_point(x);
    squares += fixed_point(x * x);
  }
  void add(const ExactSum& other) {
    count += other.count;
    sum += other.sum;
    squares += other.squares;
  }
  double mean() const;            ///< NaN of none
  double standard_error() const;  ///< √(variance / n), n − 1 in the variance; NaN of fewer than two
  bool operator==(const ExactSum&) const = default;
};

}  // namespace headlight
