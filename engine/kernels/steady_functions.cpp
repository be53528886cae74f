#include "engine/kernels/steady_functions.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace headlight {
namespace {

// Taylor's sums on short intervals, one term further than doubles can tell, added up from the smallest term.

/// 1 / (first · (first + step) …), with alternating signs where step is 2: the factorials of every second number.
template <std::size_t kTerms>
constexpr std::array<double, kTerms> reciprocal_factorials(int first, int step) {
  std::array<double, kTerms> terms{};
  double term = 1;
  int number = 0;
  const auto multiply_up_to = [&](int last) {
    while (number < last) term /= ++number;
  };
  for (std::size_t at = 0; at < kTerms; ++at) {
    multiply_up_to(first + static_cast<int>(at) * step);
    terms[at] = step == 2 && at % 2 == 1 ? -term : term;
  }
  return terms;
}
constexpr auto kSine = reciprocal_factorials<10>(1, 2);    // x − x³/3! + …, up to π/4
constexpr auto kCosine = reciprocal_factorials<11>(0, 2);  // 1 − x²/2! + …
constexpr auto kPower = reciprocal_factorials<16>(0, 1);   // 1 + x + x²/2! + …, up to ln 2 / 2

template <std::size_t kTerms>
double polynomial(const std::array<double, kTerms>& terms, double x) {
  double sum = terms.back();
  for (std::size_t at = kTerms - 1; at-- > 1;) sum = sum * x + terms[at];
  return sum * x + terms[0];
}

constexpr double kLargestAngle = 1e6, kLargestPower = 700;

/// sin(x + quarters · π/2). π/2 is taken away in three parts of 33 bits (Cody and Waite 1980): the number of quarters times the first two is
/// exact.
double sine_after(double x, std::int64_t quarters) {
  const double turns = std::nearbyint(x * (2 / std::numbers::pi));
  double rest = x - turns * 0x1.921fb544p+0;
  rest -= turns * 0x1.0b4611a6p-34;
  rest -= turns * 0x1.3198a2ep-69;
  const std::int64_t quadrant = (static_cast<std::int64_t>(turns) + quarters) & 3;
  const double size = quadrant % 2 == 0 ? rest * polynomial(kSine, rest * rest) : polynomial(kCosine, rest * rest);
  return quadrant < 2 ? size : -size;
}

constexpr int kMantissaBits = 52;
constexpr double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;  // ln 2, the first part of 32 bits

}  // namespace

double steady_sin(double x) {
  return std::abs(x) <= kLargestAngle ? sine_after(x, 0) : std::sin(x);
}

double steady_cos(double x) {
  return std::abs(x) <= kLargestAngle ? sine_after(x, 1) : std::cos(x);
}

// Taken apart and put together by their bits, which is all that frexp, ldexp and nearbyint do here, without their calls: measures take a
// logarithm and a power of every row of every map.

double steady_log(double x) {
  constexpr std::uint64_t kSmallestNormal = std::uint64_t{1} << kMantissaBits, kBeyond = std::uint64_t{0x7FF} << kMantissaBits;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  if (bits - kSmallestNormal >= kBeyond - kSmallestNormal) return std::log(x);  // also what is below 0: its first bit is set
  // x = mantissa · 2^power, mantissa from √½ to √2
  const auto power = static_cast<std::int64_t>(bits - std::bit_cast<std::uint64_t>(std::numbers::sqrt2 / 2)) >> kMantissaBits;
  const auto mantissa = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(power) << kMantissaBits));
  // ln m = 2 (s + s³/3 + s⁵/5 + …), s = (m − 1) / (m + 1) ≤ 0.1716
  const double s = (mantissa - 1) / (mantissa + 1), square = s * s, times = static_cast<double>(power);
  double sum = 0;
  for (int term = 25; term >= 3; term -= 2) sum = square * (1.0 / term + sum);
  return times * kLn2High + (2 * s + (2 * s * sum + times * kLn2Low));
}

double steady_exp(double x) {
  constexpr double kRounder = 0x1.8p52;  // adding it rounds to whole numbers
  constexpr int kBias = 1023;
  if (!(std::abs(x) <= kLargestPower)) return std::exp(x);
  const double power = (x * std::numbers::log2e + kRounder) - kRounder;
  const double rest = (x - power * kLn2High) - power * kLn2Low;
  const auto factor = std::bit_cast<double>(static_cast<std::uint64_t>(static_cast<std::int64_t>(power) + kBias) << kMantissaBits);
  return polynomial(kPower, rest) * factor;
}

double steady_power(double base, double exponent) {
  if (base != 2) return steady_exp(exponent * steady_log(base));
  const double whole = std::floor(exponent);
  return std::ldexp(steady_exp((exponent - whole) * std::numbers::ln2), static_cast<int>(whole));
}

}  // namespace headlight
