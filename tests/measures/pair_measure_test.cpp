// How alike two heads are (metrics, section 4).
#include "engine/measures/pair_measure.h"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/measures/gauging.h"

namespace headlight {
namespace {

using testing::even_map;
using testing::random_map;

TEST(PairMeasures, EveryRowSaysWhatItIsAndIsRightOnItsExample) {
  const Mask mask = worked_mask();
  for (const PairMeasure& measure : pair_measures()) {
    for (const std::string_view text : {measure.title, measure.formula, measure.meaning, measure.source, measure.undefined}) {
      EXPECT_NE(text, "") << measure.id;
    }
    EXPECT_EQ(&pair_measure_of(measure.id), &measure);
    const Matrix map = worked_map(), even = even_map(mask);
    EXPECT_NEAR(compare_maps(measure, mask, map, even, map, even), measure.example, 1e-6) << measure.id;
  }
}

TEST(PairMeasures, DivergenceOfTheWorkedExampleByRow) {
  const PairMeasure& measure = pair_measure_of("jensen-shannon");
  const Mask mask = worked_mask();
  const Matrix map = worked_map(), even = even_map(mask);
  const RowVector none;
  EXPECT_NEAR(*measure.of_rows({map.row(2), even.row(2), none, none}), 0.017251, 1e-6);
  EXPECT_NEAR(*measure.of_rows({map.row(3), even.row(3), none, none}), 0.044158, 1e-6);
  EXPECT_NEAR(*measure.of_rows({map.row(1), even.row(1), none, none}), 0, 1e-12);
}

TEST(PairMeasures, EqualHeadsAreAlikeAndDisjointOnesAsFarAsCanBe) {
  const Mask mask(6, 6, true);
  const Matrix map = random_map(mask, 1);
  Matrix left = Matrix::Zero(6, 6), right = left;
  left.col(1).setOnes();
  right.col(4).setOnes();
  const auto value = [&](std::string_view id, const Matrix& a, const Matrix& b) {
    return compare_maps(pair_measure_of(id), mask, a, b, a, b);
  };
  EXPECT_EQ(value("jensen-shannon", map, map), 0);
  EXPECT_NEAR(value("jensen-shannon", left, right), std::numbers::ln2, 1e-12);
  EXPECT_EQ(value("kullback-leibler", map, map), 0);
  EXPECT_EQ(value("kullback-leibler", left, right), 40);
  EXPECT_NEAR(value("output-agreement", map, map), 1, 1e-12);
  EXPECT_NEAR(value("output-agreement", map, -map), -1, 1e-12);
  EXPECT_EQ(value("attention-agreement", left, left), 1);
  EXPECT_EQ(value("attention-agreement", left, right), 0);
}

TEST(PairMeasures, AgreementOfALayerIsTheMeanOverItsPairs) {
  const Mask mask(4, 4, true);
  std::vector<Matrix> alike, apart;
  for (Index head = 0; head < 4; ++head) {
    alike.emplace_back(Matrix::Zero(4, 4)).col(2).setOnes();
    apart.emplace_back(Matrix::Zero(4, 4)).col(head).setOnes();
  }
  const auto mean = [&](const std::vector<Matrix>& heads) {
    double sum = 0;
    for (const Matrix& a : heads) {
      for (const Matrix& b : heads) sum += compare_maps(pair_measure_of("attention-agreement"), mask, a, b);
    }
    return sum / 16;
  };
  EXPECT_EQ(mean(alike), 1);
  EXPECT_EQ(mean(apart), 0.25) << "1 / heads";
}

TEST(PairMeasures, SwappingTheHeadsChangesNothingWhereItShouldNot) {
  const Mask mask = testing::causal_mask(9);
  const Matrix a = random_map(mask, 1), b = random_map(mask, 2);
  for (const PairMeasure& measure : pair_measures()) {
    const double there = compare_maps(measure, mask, a, b, a, b), back = compare_maps(measure, mask, b, a, b, a);
    EXPECT_EQ(std::abs(there - back) < 1e-12, measure.is_symmetric) << measure.id;
  }
}

TEST(PairMeasures, OutputsOfZeroAreSkippedAndCounted) {
  PairGauge gauge(pair_measure_of("output-agreement"));
  const RowVector zero = RowVector::Zero(3), one = RowVector::Ones(3);
  gauge.add({one, one, zero, one});
  gauge.add({one, one, one, one});
  EXPECT_EQ(gauge.skipped(), 1);
  EXPECT_EQ(gauge.rows(), 1);
  EXPECT_NEAR(gauge.value(), 1, 1e-12);
  EXPECT_TRUE(
      std::isnan(compare_maps(pair_measure_of("output-agreement"), Mask(2, 2, true), Matrix::Identity(2, 2), Matrix::Identity(2, 2))));
}

}  // namespace
}  // namespace headlight
