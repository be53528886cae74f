#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "engine/analysis/head_summary.h"
#include "engine/measures/measure.h"
#include "tests/extra_measure.h"
#include "tests/measures/gauging.h"

namespace headlight {
namespace {

using testing::causal_mask;
using testing::kLastKey;
using testing::measures_and;
using testing::random_map;

TEST(Measures, StayWithinTheRangeOfTheirRow) {
  for (const Index tokens : {2, 3, 17, 64}) {
    for (const Mask& mask : {causal_mask(tokens), Mask(tokens, tokens, true)}) {
      const HeadSummary summary = summarise_head(random_map(mask, static_cast<std::uint64_t>(tokens)), mask);
      for (const Measure& measure : head_measures()) {
        const double value = summary.value(measure.id);
        EXPECT_GE(value, measure.low - 1e-6) << measure.id;
        EXPECT_LE(value, measure.high + 1e-6) << measure.id;
        EXPECT_LE(value, static_cast<double>(tokens)) << measure.id << " up to " << measure.limit;
      }
    }
  }
}

TEST(Measures, OneMoreIsMeasuredBesideTheOthersWithoutChangingThem) {
  const std::vector<Measure> longer = measures_and(kLastKey);
  const Mask mask = causal_mask(9);
  const Matrix weights = random_map(mask, 7);
  const HeadSummary usual = summarise_head(weights, mask);
  const HeadSummary summary = summarise_head(weights, mask, {}, longer);
  ASSERT_EQ(summary.measured.values.size(), usual.measured.values.size() + 1);
  EXPECT_EQ(std::memcmp(summary.measured.values.data(), usual.measured.values.data(), usual.measured.values.size() * sizeof(double)), 0);
  EXPECT_EQ(summary.value("last_key"), static_cast<double>(weights(8, 8)) / 8) << "the mean over the 8 rows of two or more keys";
  EXPECT_THROW(usual.value("last_key"), std::out_of_range);
}

TEST(Measures, OneMoreCountsOnlyTheRowsInWhichItHasAValue) {
  Measure late = kLastKey;
  late.of_row = [](const MeasuredRow& row) { return row.query < 5 ? std::nullopt : std::optional<RowValue>(row.query); };
  const std::vector<Measure> longer = measures_and(late);
  const Mask mask = causal_mask(9), few = causal_mask(5);
  EXPECT_EQ(summarise_head(random_map(mask, 7), mask, {}, longer).value("last_key"), (5 + 6 + 7 + 8) / 4.0);
  EXPECT_TRUE(std::isnan(summarise_head(random_map(few, 7), few, {}, longer).value("last_key")));
}

TEST(Measures, OneMoreThatNeedsOneTextIsUndefinedBetweenTwo) {
  Measure lone = kLastKey;
  const Mask mask(4, 4, true), oblong(3, 4, true);
  const Matrix weights = random_map(mask, 7);
  for (const bool needs_one_text : {false, true}) {
    lone.needs_one_text = needs_one_text;
    const std::vector<Measure> longer = measures_and(lone);
    EXPECT_EQ(std::isnan(summarise_cross_head(weights, mask, {}, longer).value("last_key")), needs_one_text);
    EXPECT_EQ(std::isnan(summarise_head(weights.topRows(3), oblong, {}, longer).value("last_key")), needs_one_text);
    EXPECT_FALSE(std::isnan(summarise_head(weights, mask, {}, longer).value("last_key")));
    EXPECT_TRUE(std::isnan(summarise_numbers(weights, {}, longer).value("last_key")));
  }
}

TEST(Measures, AreWrittenByTheirUnit) {
  EXPECT_EQ(measure_text(measure_of(head_measures(), "mean-distance"), 2.44), "2.4");
  EXPECT_EQ(measure_text(measure_of(head_measures(), "first-token"), 0.0000031), "3.1e-6");
  EXPECT_EQ(measure_text(measure_of(head_measures(), "effective-tokens"), std::nan("")), "–");
}

}  // namespace
}  // namespace headlight
