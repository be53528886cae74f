#include "engine/studies/exact_sum.h"

#include <algorithm>

#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr int kFraction = 40;                        // bits
constexpr double kOne = 1099511627776.0;             // 2^40
constexpr double kAllIntegers = 4503599627370496.0;  // 2^52: from here on every double is an integer

template <typename Number>
void add_or_refuse(Number& into, Number more) {
  if (__builtin_add_overflow(into, more, &into)) {
    throw Error({.kind = ErrorKind::input,
                 .problem = "the sums of this study are too large to be added",
                 .hint = "Are all of its parts files that this program wrote?"});
  }
}

}  // namespace

void add_to(std::int64_t& into, std::int64_t more) {
  add_or_refuse(into, more);
}

void add_to(Int128& into, Int128 more) {
  add_or_refuse(into, more);
}

bool ExactSum::is_possible() const {
  const double most = static_cast<double>(count) * kMost, of_sum = from_fixed_point(sum), of_squares = from_fixed_point(squares);
  return count >= 0 && count <= kMostCounted && std::abs(of_sum) <= most && of_squares >= 0 && of_squares <= most * kMost;
}

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

double ExactSum::variance() const {
  if (count < 2) return std::numeric_limits<double>::quiet_NaN();
  const double n = static_cast<double>(count), total = from_fixed_point(sum);
  return std::max(0.0, from_fixed_point(squares) - total * (total / n)) / (n - 1);
}

double ExactSum::deviation() const {
  return std::sqrt(variance());
}

double ExactSum::standard_error() const {
  return std::sqrt(variance() / static_cast<double>(count));
}

}  // namespace headlight
