// Steady functions keep their stated errors, and their bits are those that every machine must give.
#include "engine/kernels/steady_functions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "engine/core/random.h"

namespace headlight {
namespace {

/// Distance from the exact value in units of its last place; `floor`: errors below it do not count.
double ulps(double found, long double exact, double floor) {
  const double error = static_cast<double>(std::abs(static_cast<long double>(found) - exact));
  if (error <= floor) return 0;
  return error / std::ldexp(1.0, std::ilogb(static_cast<double>(exact)) - 52);
}

TEST(SteadyFunctions, KeepTheirStatedErrors) {
  RandomStream random(1, "steady");
  double sine = 0, cosine = 0, log = 0, exp = 0, power = 0;
  for (int draw = 0; draw < 400'000; ++draw) {
    const double share = static_cast<double>(random.next_uniform()), sign = draw % 2 == 0 ? 1 : -1;
    const double angle = sign * std::exp(share * 25 - 12) / 4, wide = sign * share * 700;
    sine = std::max(sine, ulps(steady_sin(angle), std::sin(static_cast<long double>(angle)), 1e-16));
    cosine = std::max(cosine, ulps(steady_cos(angle), std::cos(static_cast<long double>(angle)), 1e-16));
    const double positive = std::exp(wide);
    log = std::max(log, ulps(steady_log(positive), std::log(static_cast<long double>(positive)), 1e-16));
    log = std::max(log, ulps(steady_log(1 + share), std::log(1 + static_cast<long double>(share)), 1e-16));
    exp = std::max(exp, ulps(steady_exp(wide), std::exp(static_cast<long double>(wide)), 0));
    power = std::max(power, ulps(steady_power(10000, -share), std::pow(10000.0L, static_cast<long double>(-share)), 0));
  }
  EXPECT_LE(sine, 3);
  EXPECT_LE(cosine, 3);
  EXPECT_LE(log, 3);
  EXPECT_LE(exp, 3);
  EXPECT_LE(power, 100);
}

TEST(SteadyFunctions, AreExactWhereNumbersAreRound) {
  for (int whole = -60; whole <= 60; ++whole) EXPECT_EQ(steady_power(2, whole), std::ldexp(1.0, whole));
  EXPECT_EQ(steady_exp(0), 1);
  EXPECT_EQ(steady_log(1), 0);
  EXPECT_EQ(steady_sin(0), 0);
  EXPECT_EQ(steady_cos(0), 1);
}

TEST(SteadyFunctions, BeyondTheirRangeAreThoseOfTheLibrary) {
  constexpr double kEndless = std::numeric_limits<double>::infinity();
  EXPECT_EQ(steady_exp(-800), 0);
  EXPECT_EQ(steady_exp(800), kEndless);
  EXPECT_EQ(steady_log(0), -kEndless);
  EXPECT_TRUE(std::isnan(steady_log(-1)));
  EXPECT_TRUE(std::isnan(steady_sin(kEndless)));
  EXPECT_EQ(steady_cos(1e7), std::cos(1e7));
}

/// The bits of many results as one number: the same wherever this is run.
TEST(SteadyFunctions, HaveTheBitsThatEveryMachineGives) {
  RandomStream random(2, "steady");
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto add = [&](double number) { hash = (hash ^ std::bit_cast<std::uint64_t>(number)) * 0x100000001b3U; };
  for (int draw = 0; draw < 10'000; ++draw) {
    const auto share = static_cast<double>(random.next_uniform());
    for (const double number : {steady_sin(share * 5000), steady_cos(share * 5000), steady_log(share + 1e-9), steady_exp(share * 40 - 20),
                                steady_power(500000, -share)}) {
      add(number);
    }
  }
  EXPECT_EQ(hash, 10766020790762694961U);
}

}  // namespace
}  // namespace headlight
