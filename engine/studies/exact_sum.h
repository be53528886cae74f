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

/// Adds to a count or a sum. Throws Error (input) where the result is too large.
void add_to(std::int64_t& into, std::int64_t more);
void add_to(Int128& into, Int128 more);

/// Mean and its standard error over texts (metrics, 2.11).
struct ExactSum {
  static constexpr double kMost = 1073741824;  ///< 2^30: of that size a hundred million can be added
  static constexpr std::int64_t kMostCounted = std::int64_t{1} << 53U;
  std::int64_t count = 0;
  Int128 sum = 0, squares = 0;

  /// Finite, and at most kMost from zero. Other values are undefined for a study: they are not added, nor counted.
  static bool holds(double x) { return std::abs(x) <= kMost; }
  /// Only what it holds.
  void add(double x) {
    if (!holds(x)) return;
    add_to(count, 1);
    add_to(sum, fixed_point(x));
    add_to(squares, fixed_point(x * x));
  }
  void add(const ExactSum& other) {
    add_to(count, other.count);
    add_to(sum, other.sum);
    add_to(squares, other.squares);
  }
  /// Whether numbers from a file can be those of `count` values.
  bool is_possible() const;
  double mean() const;            ///< NaN of none
  double variance() const;        ///< with n − 1; NaN of fewer than two
  double deviation() const;       ///< with n − 1; NaN of fewer than two
  double standard_error() const;  ///< √(variance / n), n − 1 in the variance; NaN of fewer than two
  bool operator==(const ExactSum&) const = default;
};

}  // namespace headlight
