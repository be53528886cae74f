#include "engine/labs/mask_fill.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace headlight {
namespace {

/// What a row without an allowed key comes to under each convention, with scores 1, 2, 3.
enum class Outcome { nan, uniform, mask_ignored, zeros };

Outcome outcome_of(const std::vector<double>& weights) {
  const auto near = [&](double a, double b, double c) {
    return std::abs(weights[0] - a) < 1e-3 && std::abs(weights[1] - b) < 1e-3 && std::abs(weights[2] - c) < 1e-3;
  };
  if (std::all_of(weights.begin(), weights.end(), [](double weight) { return std::isnan(weight); })) return Outcome::nan;
  if (near(1.0 / 3, 1.0 / 3, 1.0 / 3)) return Outcome::uniform;
  if (near(.090031, .244728, .665241)) return Outcome::mask_ignored;
  EXPECT_EQ(weights, std::vector<double>(3, 0.0));
  return Outcome::zeros;
}

const FillConvention& convention_of(std::string_view name) {
  const auto all = fill_conventions();
  const auto found = std::find_if(all.begin(), all.end(), [&](const FillConvention& row) { return row.name == name; });
  if (found == all.end()) throw std::runtime_error("no convention " + std::string(name));
  return *found;
}

std::vector<double> masked_row(std::string_view name, Precision precision) {
  const double scores[] = {1, 2, 3};
  return fill_weights(convention_of(name), scores, {false, false, false}, precision);
}

struct Expected {
  std::string_view name;
  Outcome float16, float32, float64;
};

// Seeds D1, D6: only what is left out of the sum, or cleaned up afterwards, gives zeros in every precision.
TEST(MaskFill, ARowWithoutAllowedKeysUnderEveryConvention) {
  constexpr Expected kTable[] = {
      {"replace by −∞", Outcome::nan, Outcome::nan, Outcome::nan},
      {"replace by −1e6", Outcome::nan, Outcome::uniform, Outcome::uniform},  // float16 ends at 65504: −1e6 is −∞ there
      {"replace by −1e9", Outcome::nan, Outcome::uniform, Outcome::uniform},
      {"replace by −1e10", Outcome::nan, Outcome::uniform, Outcome::uniform},
      {"replace by −9e15", Outcome::nan, Outcome::uniform, Outcome::uniform},
      {"add −10000", Outcome::uniform, Outcome::mask_ignored, Outcome::mask_ignored},  // float16 has steps of 8 there
      {"add −1e9", Outcome::nan, Outcome::uniform, Outcome::mask_ignored},             // float32 has steps of 64 there
      {"replace by −∞, then NaN to 0", Outcome::zeros, Outcome::zeros, Outcome::zeros},
      {"left out of the sum", Outcome::zeros, Outcome::zeros, Outcome::zeros},
  };
  EXPECT_EQ(std::size(kTable), fill_conventions().size());
  for (const Expected& row : kTable) {
    EXPECT_EQ(outcome_of(masked_row(row.name, Precision::float16)), row.float16) << row.name;
    EXPECT_EQ(outcome_of(masked_row(row.name, Precision::float32)), row.float32) << row.name;
    EXPECT_EQ(outcome_of(masked_row(row.name, Precision::float64)), row.float64) << row.name;
  }
}

// Seeds D6: where one key is allowed all agree, and ours is exactly 0 elsewhere.
TEST(MaskFill, WithAnAllowedKeyAllConventionsAgree) {
  const double scores[] = {1, 2, 3};
  for (const FillConvention& convention : fill_conventions()) {
    for (const Precision precision : {Precision::float16, Precision::float32, Precision::float64}) {
      const std::vector<double> weights = fill_weights(convention, scores, {true, true, false}, precision);
      const double rounding = precision == Precision::float16 ? 5e-4 : 1e-6;
      EXPECT_NEAR(weights[0], 0.26894142, rounding) << convention.name;
      EXPECT_NEAR(weights[1], 0.73105858, rounding) << convention.name;
      EXPECT_EQ(weights[2], 0.0) << convention.name;
    }
  }
}

// gpt-oss (arXiv 2508.10925): e^1 / (e^1 + e^2 + e^1.5) and so on, whatever stands over the masked key.
TEST(MaskFill, ASinkTakesItsShareUnderEveryConvention) {
  const double scores[] = {1, 2, 3};
  for (const FillConvention& convention : fill_conventions()) {
    const std::vector<double> weights = fill_weights(convention, scores, {true, true, false}, Precision::float32, 1.5F);
    ASSERT_EQ(weights.size(), 3U) << "the sink's own weight is left out";
    EXPECT_NEAR(weights[0], 0.18632372, 1e-6) << convention.name;
    EXPECT_NEAR(weights[1], 0.50648039, 1e-6) << convention.name;
    EXPECT_EQ(weights[2], 0.0) << convention.name;
  }
}

TEST(MaskFill, WeightsAreRoundedToThePrecisionAskedFor) {
  const double scores[] = {1, 2, 3};
  const FillConvention& replace = convention_of("replace by −1e6");
  const double wide = fill_weights(replace, scores, {true, true, true}, Precision::float64)[0];
  const double single = fill_weights(replace, scores, {true, true, true}, Precision::float32)[0];
  const double half = fill_weights(replace, scores, {true, true, true}, Precision::float16)[0];
  EXPECT_NEAR(wide, 0.09003057317038046, 1e-16);
  EXPECT_EQ(single, static_cast<double>(static_cast<float>(single)));
  EXPECT_NE(single, wide);
  EXPECT_EQ(half * 16384, std::round(half * 16384)) << "11 bits between 2^-4 and 2^-3";
  EXPECT_NEAR(half, wide, 0x1p-15);
}

}  // namespace
}  // namespace headlight
