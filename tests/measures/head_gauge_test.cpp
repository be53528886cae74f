// Laws of what is gathered row by row.
#include "engine/measures/head_gauge.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/measures/gauging.h"

namespace headlight {
namespace {

using testing::causal_mask;
using testing::gauged;
using testing::random_map;

const std::string kMany =
    "all,beyond-distance:3,offset:-2,key-set:0+3,sink:0,span-weight:2-6/0-1,entropy-without-0+2,hidden-mass:punctuation";

class Gauged : public ::testing::Test {
 protected:
  std::vector<double> values(const Matrix& map, const Mask& mask, Index at_once = 1000) const {
    const GaugePlan plan(requests, text, map.cols());
    HeadGauge gauge(plan, mask);
    for (Index first = 0; first < map.rows(); first += at_once) {
      const Index rows = std::min(at_once, map.rows() - first);
      gauge.add({first, map.block(first, 0, rows, reach_of(mask, first, rows))});
    }
    std::vector<double> found;
    for (std::size_t number = 0; number < requests.size(); ++number) found.push_back(gauge.value(number));
    return found;
  }
  static void expect_equal_bits(const std::vector<double>& a, const std::vector<double>& b) {
    ASSERT_EQ(a.size(), b.size());
    EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)), 0);
  }
  const std::vector<MeasureRequest> requests = measure_requests(kMany, "test");
  const std::vector<Token> tokens = testing::tokens_of({1, 2, 3, 1, 2, 4, 5, 1, 2, 3, 3, 6});
  const MeasuredText text{tokens};
};

TEST_F(Gauged, BlocksOfRowsOfAnySizeGiveTheSameBits) {
  for (const Mask& mask : {causal_mask(12), Mask(12, 12, true)}) {
    const Matrix map = random_map(mask, 7);
    for (const Index at_once : {1, 5, 11}) expect_equal_bits(values(map, mask), values(map, mask, at_once));
  }
}

TEST_F(Gauged, AMaskedKeyAddsNothing) {
  // The same weights among more keys, none of which a query may attend to.
  const Mask mask = causal_mask(12);
  Mask wide(12, 15, false);
  for (Index query = 0; query < 12; ++query) {
    for (Index key = 0; key < 12; ++key) wide.set(query, key, mask.allows(query, key));
  }
  const Matrix map = random_map(mask, 8);
  Matrix wide_map = Matrix::Zero(12, 15);
  wide_map.leftCols(12) = map;
  const GaugePlan plan(requests, text, 15);
  HeadGauge gauge(plan, wide);
  gauge.add({0, wide_map});
  const std::vector<double> narrow = values(map, mask);
  for (std::size_t number = 0; number < requests.size(); ++number) {
    if (std::isnan(narrow[number])) {
      EXPECT_TRUE(std::isnan(gauge.value(number))) << requests[number].id;
    } else {
      EXPECT_NEAR(gauge.value(number), narrow[number], 1e-12) << requests[number].id;
    }
  }
}

TEST_F(Gauged, FullyMaskedRowsAndRowsOfZerosCountNowhere) {
  Mask mask = causal_mask(12);
  for (Index key = 0; key < 12; ++key) mask.set(7, key, false);
  Matrix map = random_map(mask, 9);
  EXPECT_EQ(map.row(7).sum(), 0);
  const std::vector<double> masked = values(map, mask);
  mask.set(7, 0, true);
  mask.set(7, 1, true);
  expect_equal_bits(masked, values(map, mask));
}

TEST_F(Gauged, RowsOfOneKeyAreNotInformative) {
  const Mask mask = causal_mask(12);
  Matrix map = random_map(mask, 10);
  const double before = gauged("first-token", map, mask, text);
  map(0, 0) = 0.5F;
  EXPECT_EQ(gauged("first-token", map, mask, text), before);
  EXPECT_NE(gauged("sink:0", map, mask, text), gauged("sink:0", random_map(mask, 10), mask, text)) << "the sink metric counts every row";
  const std::vector<Token> one = testing::tokens_of({1});
  const MeasuredText short_text(one);
  EXPECT_TRUE(std::isnan(gauged("entropy", Matrix::Ones(1, 1), Mask(1, 1, true), short_text))) << "R is empty: undefined, not 0";
}

TEST_F(Gauged, HidingNothingChangesNothingButRounding) {
  const Mask mask = causal_mask(12);
  const Matrix map = random_map(mask, 11);
  for (const std::string id : {"entropy", "mean-distance", "induction", "confidence", "previous-lift"}) {
    EXPECT_NEAR(gauged(id + "-without-special", map, mask, text), gauged(id, map, mask, text), 1e-6) << id;
  }
  EXPECT_EQ(gauged("hidden-mass:special", map, mask, text), 0);
}

TEST_F(Gauged, RowsThatHideAllTheirWeightAreDropped) {
  const Mask mask = causal_mask(12);
  Matrix map = Matrix::Zero(12, 12);
  map.col(0).setOnes();
  EXPECT_TRUE(std::isnan(gauged("entropy-without-first-token", map, mask, text)));
  EXPECT_EQ(gauged("hidden-mass:first-token", map, mask, text), 1);
}

TEST_F(Gauged, KeepsTheRowThatGaveAMeasureMost) {
  const Mask mask = causal_mask(4);
  const std::vector<MeasureRequest> asked = measure_requests("previous-token,induction,first-token,entropy", "test");
  const std::vector<Token> few = worked_tokens();
  const MeasuredText short_text(few);
  const GaugePlan plan(asked, short_text, 4);
  HeadGauge gauge(plan, mask, true);
  gauge.add({0, worked_map()});
  EXPECT_EQ(gauge.best_cell(0).query, 1) << "of equal rows the first";
  EXPECT_EQ(gauge.best_cell(0).key, 0);
  EXPECT_EQ(gauge.best_cell(1).query, 3);
  EXPECT_EQ(gauge.best_cell(1).key, 2);
  EXPECT_EQ(gauge.best_cell(1).weight, 0.5F);
  EXPECT_EQ(gauge.best_cell(2).query, 1);
  EXPECT_EQ(gauge.best_cell(3).query, 3);
  EXPECT_EQ(gauge.best_cell(3).key, 2) << "the heaviest key of the most undecided row";
}

TEST_F(Gauged, OutputsAreAveragedOverInformativeRowsAndSharedInTheirLayer) {
  const std::vector<MeasureRequest> asked = measure_requests("output-norm,output-norm-ratio", "test");
  const std::vector<Token> few = worked_tokens();
  const MeasuredText short_text(few);
  const GaugePlan plan(asked, short_text, 4);
  const Mask mask = worked_mask();
  std::vector<std::vector<double>> values;
  for (const double scale : {1.0, 2.0}) {
    HeadGauge gauge(plan, mask);
    gauge.add({0, worked_map()});
    for (Index query = 0; query < 4; ++query) gauge.add_output(query, scale * static_cast<double>(worked_map().row(query).norm()));
    values.push_back({gauge.value(0), gauge.value(1)});
  }
  share_in_layer(plan, values);
  EXPECT_NEAR(values[0][0], measure_of(all_measures(), "output-norm").example, 1e-6);
  EXPECT_NEAR(values[1][0], 2 * values[0][0], 1e-9) << "twice W_O, twice the norm";
  EXPECT_NEAR(values[0][1], 2.0 / 3, 1e-9);
  EXPECT_NEAR(values[1][1], 4.0 / 3, 1e-9);
}

TEST_F(Gauged, AHeadWithoutANumberLeavesTheOthersOfItsLayerTheirs) {
  const std::vector<MeasureRequest> asked = measure_requests("output-norm-ratio", "test");
  const std::vector<Token> few = worked_tokens();
  const MeasuredText short_text(few);
  const GaugePlan plan(asked, short_text, 4);
  std::vector<std::vector<double>> values = {{1}, {std::nan("")}, {3}}, none = {{std::nan("")}};
  share_in_layer(plan, values);
  EXPECT_EQ(values[0][0], 0.5);
  EXPECT_TRUE(std::isnan(values[1][0]));
  EXPECT_EQ(values[2][0], 1.5);
  share_in_layer(plan, none);
  EXPECT_TRUE(std::isnan(none[0][0]));
}

TEST_F(Gauged, NanInARowMakesNanOfWhatCountsIt) {
  const Mask mask = causal_mask(12);
  Matrix map = random_map(mask, 12);
  map(5, 2) = std::nanf("");
  for (const std::string id : {"entropy", "confidence", "mean-distance", "k-coverage", "argmax-distance"}) {
    EXPECT_TRUE(std::isnan(gauged(id, map, mask, text))) << id;
  }
  EXPECT_FALSE(std::isnan(gauged("previous-token", map, mask, text)));
}

}  // namespace
}  // namespace headlight
