#include "engine/studies/exact_sum.h"

#include <algorithm>

namespace headlight {
namespace {

constexpr int kFraction = 40;                        // bits
constexpr double kOne = 1099511627776.0;             // 2^40
constexpr double kAllIntegers = 4503599627370496.0;  // 2^52: from here on every double is an integer

}  // namespace

Int128 fixed_point(double x) {
  const double scaled = x * kOne;  // exact: a power of two
  if (std::abs(scaled) >= kAllIntegers) return static_cast<Int128>(scaled);
  const double below = std::floor(scaled), rest = scaled - below;  // both exact
  const auto integer = static_cast<std::int64_t>(below);
  const bool goes_up = rest > 0.5 || (rest == 0.5 && integer % 2 != 0);
  return integer + (goes_up ? 1 : 0);
}

double from_fixed_point(Int128 number) {
  return std::ldexp(static_cast<double>(number), -kFraction);
}

double ExactSum::mean() const {
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : from_fixed_point(sum) / static_cast<double>(count);
}

double ExactSum::standard_error() const {
  if (count < 2) return std::numeric_limits<double>::quiet_NaN();
  const double n = static_cast<double>(count), total = from_fixed_point(sum);
  const double spread = std::max(0.0, from_fixed_point(squares) - total * (total / n));
  return std::sqrt(spread / (n - 1) / n);
}

}  // namespace headlight
