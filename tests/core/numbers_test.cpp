#include "engine/core/numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace headlight {
namespace {

TEST(NumberText, HasARealMinusAndNoNegativeZero) {
  EXPECT_EQ(number_text(-2.5, 3), "−2.500");
  EXPECT_EQ(number_text(-0.0001, 3), "0.000");
  EXPECT_EQ(number_text(std::nan(""), 3), "–");
  EXPECT_EQ(number_text(-INFINITY, 3), "−inf");
  EXPECT_EQ(signed_number_text(0.1026, 3), "+0.103");
  EXPECT_EQ(signed_number_text(-2.5, 3), "−2.500");
  EXPECT_EQ(signed_number_text(0.0001, 3), "0.000");
  EXPECT_EQ(signed_number_text(std::nan(""), 3), "–");
}

TEST(WeightText, KeepsTwoSignificantDigitsOfATinyWeight) {
  EXPECT_EQ(weight_text(0.8734), "0.873");
  EXPECT_EQ(weight_text(0.001), "0.001");
  EXPECT_EQ(weight_text(0.0003), "3.0e-4");
  EXPECT_EQ(weight_text(3.14e-6), "3.1e-6");
  EXPECT_EQ(weight_text(-3.14e-12), "−3.1e-12");
  EXPECT_EQ(weight_text(0.00031, 4), "0.0003");
  EXPECT_EQ(weight_text(std::nan("")), "–");
}

TEST(WeightText, ReadsAsZeroOnlyWhatIsZero) {
  EXPECT_EQ(weight_text(0), "0.000");
  EXPECT_EQ(weight_text(-0.0), "0.000");
  for (double weight = 1; weight > 1e-40; weight *= 0.37) {
    EXPECT_NE(weight_text(weight).find_first_of("123456789"), std::string::npos) << weight;
  }
  EXPECT_EQ(weight_text(static_cast<double>(std::numeric_limits<float>::denorm_min())), "1.4e-45");
}

TEST(PercentText, NeverRoundsTo100OrTo0WhatIsNot) {
  EXPECT_EQ(percent_text(0.996), "99.6\u00A0%");
  EXPECT_EQ(percent_text(0.9996), ">\u00A099.9\u00A0%");
  EXPECT_EQ(percent_text(0.99999), ">\u00A099.9\u00A0%");
  EXPECT_EQ(percent_text(0.004), "0.4\u00A0%");
  EXPECT_EQ(percent_text(0.0004), "<\u00A00.1\u00A0%");
  EXPECT_EQ(percent_text(1e-30), "<\u00A00.1\u00A0%");
  EXPECT_EQ(percent_text(1.004), "100.4\u00A0%");
}

TEST(PercentText, SaysTheRestInWholePercents) {
  EXPECT_EQ(percent_text(0), "0\u00A0%");
  EXPECT_EQ(percent_text(1), "100\u00A0%");
  EXPECT_EQ(percent_text(1 - 1.2e-7), "100\u00A0%") << "two roundings to float32 below 1";
  EXPECT_EQ(percent_text(0.126), "13\u00A0%");
  EXPECT_EQ(percent_text(0.99), "99\u00A0%");
  EXPECT_EQ(percent_text(-0.25), "−25\u00A0%");
  EXPECT_EQ(percent_text(std::nan("")), "–");
}

TEST(Numbers, PlacesBySizeLeaveOutWhatIsNotANumber) {
  EXPECT_EQ(places_by_size({0.5, std::nan(""), -2, 0.5, 1}), (std::vector<std::size_t>{2, 4, 0, 3}));
}

}  // namespace
}  // namespace headlight
