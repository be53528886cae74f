// Sums, bins and the texts that gave most: the same in any order and any split.
#include "engine/studies/exact_sum.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/core/random.h"
#include "engine/studies/study.h"
#include "engine/studies/study_tables.h"
#include "tests/testing.h"

namespace headlight {
namespace {

TEST(FixedPoint, RoundsHalvesToEven) {
  const double step = std::ldexp(1.0, -40);
  EXPECT_TRUE(fixed_point(0.5 * step) == 0);
  EXPECT_TRUE(fixed_point(1.5 * step) == 2);
  EXPECT_TRUE(fixed_point(2.5 * step) == 2);
  EXPECT_TRUE(fixed_point(-0.5 * step) == 0);
  EXPECT_TRUE(fixed_point(-1.5 * step) == -2);
  EXPECT_TRUE(fixed_point(0.75 * step) == 1);
  EXPECT_TRUE(fixed_point(-0.75 * step) == -1);
  EXPECT_TRUE(fixed_point(1) == Int128{1} << 40);
  EXPECT_TRUE(fixed_point(-std::ldexp(1.0, 70)) == -(Int128{1} << 110)) << "more than 64 bits";
  for (const double x : {0.0, 1.0, -3.25, 1e6, 0.1}) EXPECT_NEAR(from_fixed_point(fixed_point(x)), x, step);
}

TEST(ExactSum, MeanAndErrorAreThoseOfTheTextbook) {
  ExactSum sum;
  EXPECT_TRUE(std::isnan(sum.mean()));
  for (const double x : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) sum.add(x);
  EXPECT_EQ(sum.count, 8);
  EXPECT_NEAR(sum.mean(), 5, 1e-12);
  EXPECT_NEAR(sum.standard_error(), std::sqrt(32.0 / 7 / 8), 1e-12);
  ExactSum one;
  one.add(3);
  EXPECT_TRUE(std::isnan(one.standard_error()));
}

TEST(ExactSum, AnyOrderAndAnySplitGiveTheSameBits) {
  RandomStream random(1, "sums");
  std::vector<double> numbers;
  for (int at = 0; at < 1000; ++at) numbers.push_back(static_cast<double>(random.next_normal()) * std::pow(10.0, at % 9 - 6));
  ExactSum forwards, backwards;
  std::vector<ExactSum> parts(7);
  for (std::size_t at = 0; at < numbers.size(); ++at) {
    forwards.add(numbers[at]);
    backwards.add(numbers[numbers.size() - 1 - at]);
    parts[at % 7].add(numbers[at]);
  }
  ExactSum joined;
  for (const ExactSum& part : parts) joined.add(part);
  EXPECT_TRUE(forwards == backwards);
  EXPECT_TRUE(forwards == joined);
}

TEST(ExactSum, WhatIsTooLargeIsNotCounted) {
  ExactSum sum;
  sum.add(2);
  for (const double x : {std::ldexp(1.0, 43) * 1.5, -1e300, static_cast<double>(INFINITY), std::nan("")}) sum.add(x);
  EXPECT_EQ(sum.count, 1);
  EXPECT_EQ(sum.mean(), 2);
  sum.add(-ExactSum::kMost);
  EXPECT_EQ(sum.count, 2);
  EXPECT_TRUE(sum.is_possible());
}

TEST(ExactSum, SumsThatLeaveTheirRangeAreRefused) {
  ExactSum large{.count = 1, .sum = 0, .squares = Int128{1} << 126};
  EXPECT_FALSE(large.is_possible()) << "one value has no such square";
  const ExactSum more = large;
  EXPECT_EQ(testing::error_of([&] { large.add(more); }).kind(), ErrorKind::input);
  EXPECT_FALSE((ExactSum{.count = 1, .sum = 0, .squares = -1}.is_possible()));
  EXPECT_FALSE((ExactSum{.count = 0, .sum = 1, .squares = 0}.is_possible()));
  EXPECT_FALSE((ExactSum{.count = ExactSum::kMostCounted + 1, .sum = 0, .squares = 0}.is_possible()));
}

TEST(Bins, CoverTheRangeOfEveryMeasure) {
  for (const Measure& measure : all_measures()) {
    const Bins bins(measure);
    for (std::size_t bin = 0; bin < Bins::kCount; ++bin) {
      const double begin = bins.edge(bin), end = bins.edge(bin + 1);
      EXPECT_NE(begin, end) << measure.id;
      EXPECT_EQ(bins.bin_of((begin + end) / 2), bin) << measure.id;
    }
    if (std::isinf(measure.low)) continue;
    EXPECT_EQ(bins.bin_of(measure.low), 0U);
    EXPECT_EQ(bins.bin_of(std::min(measure.high, 1e9)), 255U);
  }
}

TEST(Bins, WhatIsOutsideIsInTheLastOnes) {
  const Bins share(measure_of(all_measures(), "first-token")), distance(measure_of(all_measures(), "mean-distance")),
      below(measure_of(all_measures(), "previous-abs"));
  EXPECT_EQ(share.bin_of(-0.1), 0U);
  EXPECT_EQ(share.bin_of(1.00001), 255U);
  EXPECT_EQ(distance.bin_of(1e-9), 0U);
  EXPECT_EQ(distance.bin_of(1e9), 255U);
  EXPECT_EQ(below.bin_of(1), 0U);
  EXPECT_EQ(below.bin_of(-1e9), 255U);
}

TEST(Histogram, QuantilesLieWithinABinOfTheTrueOnes) {
  for (const std::string_view id : {"first-token", "mean-distance", "previous-abs"}) {
    const Measure& measure = measure_of(all_measures(), id);
    const Bins bins(measure);
    Histogram histogram;
    RandomStream random(2, std::string(id));
    std::vector<double> values;
    for (int at = 0; at < 5000; ++at) {
      const double share = static_cast<double>(random.next_uniform());
      values.push_back(std::isinf(measure.low) ? 1 - 30 * share : std::isinf(measure.high) ? 30 * share : share);
      ++histogram.counts[bins.bin_of(values.back())];
    }
    std::sort(values.begin(), values.end());
    for (const double wanted : {0.05, 0.5, 0.95}) {
      const double exact = values[static_cast<std::size_t>(wanted * 5000)], found = histogram.quantile(bins, wanted);
      const std::size_t bin = bins.bin_of(exact);
      EXPECT_NEAR(found, exact, 1.5 * std::abs(bins.edge(bin + 1) - bins.edge(bin)) + 1e-12) << id << " " << wanted;
    }
  }
  EXPECT_TRUE(std::isnan(Histogram().quantile(Bins(all_measures()[0]), 0.5)));
}

TEST(Histogram, AQuantileSaysNoMoreThanItsBinKnows) {
  const Measure &share = measure_of(all_measures(), "previous-token"), &distance = measure_of(all_measures(), "mean-distance");
  EXPECT_EQ(quantile_text(share, 1e-5), "< 0.004") << "all of the first bin reads the same";
  EXPECT_EQ(quantile_text(share, 0.003), "< 0.004");
  EXPECT_EQ(quantile_text(share, 0.25), "0.250");
  EXPECT_EQ(quantile_text(share, 1), "> 0.996");
  EXPECT_EQ(bins_text(share), "read from 256 bins, each 0.0039 wide.");
  EXPECT_EQ(quantile_text(distance, 1e-9), "< 1.7e-5");
  EXPECT_EQ(quantile_text(distance, 3.14), "3.1");
  EXPECT_EQ(bins_text(distance), "read from 256 bins, each 9 % wider than the one before.");
}

TEST(StudyCell, KeepsTheHighestExamplesWhateverTheirOrder) {
  const auto text = std::make_shared<const std::string>("x");
  std::vector<TopExample> examples;
  for (std::uint64_t index = 0; index < 20; ++index) {
    TopExample example{.value = static_cast<double>(index * 7 % 5), .hash = index * 31 % 11, .index = index};
    example.text = text;
    examples.push_back(example);
  }
  const auto kept = [&](const std::vector<TopExample>& order) {
    StudyCell cell;
    for (const TopExample& example : order) cell.add_example(example, 6);
    std::vector<std::uint64_t> indices;
    for (const TopExample& example : cell.top) indices.push_back(example.index);
    return indices;
  };
  const std::vector<std::uint64_t> forwards = kept(examples);
  EXPECT_EQ(forwards.size(), 6U);
  std::reverse(examples.begin(), examples.end());
  EXPECT_EQ(kept(examples), forwards);
  StudyCell none;
  none.add_example(examples.front(), 0);
  EXPECT_TRUE(none.top.empty());
}

}  // namespace
}  // namespace headlight
