// What the literature and hand-made maps say that a measure must be (metrics, sections 1 to 3).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "tests/measures/gauging.h"

namespace headlight {
namespace {

using testing::causal_mask;
using testing::even_map;
using testing::gauged;
using testing::tokens_of;

class Worked : public ::testing::Test {
 protected:
  double value(const std::string& id) const { return gauged(id, worked_map(), worked_mask(), text); }
  const std::vector<Token> tokens = worked_tokens();
  const MeasuredText text{tokens};
  const Mask worked_mask_ = worked_mask();
};

/// Row by row: all others are masked.
class WorkedRows : public Worked {
 protected:
  std::vector<double> rows(const std::string& id) const {
    std::vector<double> found;
    for (Index query = 1; query < 4; ++query) {
      Mask mask(4, 4, false);
      for (Index key = 0; key <= query; ++key) mask.set(query, key, true);
      found.push_back(gauged(id, worked_map(), mask, text));
    }
    return found;
  }
  void expect_rows(const std::string& id, const std::vector<double>& told) const {
    const std::vector<double> found = rows(id);
    for (std::size_t row = 0; row < 3; ++row) EXPECT_NEAR(found[row], told[row], 1e-6) << id << ", row " << row + 1;
    EXPECT_NEAR(value(id), (told[0] + told[1] + told[2]) / 3, 1e-6) << id << " is the mean over the informative rows";
  }
};

TEST_F(WorkedRows, AreThoseOfTheLiterature) {
  expect_rows("entropy", {0.693147, 1.029653, 1.207974});
  expect_rows("normalised-entropy", {1, 0.937231, 0.871369});
  expect_rows("effective-tokens", {2, 2.800094, 3.346696});
  expect_rows("k-coverage", {2, 3, 3});
  expect_rows("mean-distance", {0.5, 0.7, 1.1});
  expect_rows("beyond-distance:1", {0, 0.2, 0.25});
}

TEST_F(Worked, TheRowOfOneKeyWouldMakeOtherMeans) {
  // Its entropy and distance are 0 and its weight on itself 1: means over all rows are what other programs print.
  const auto over_all_rows = [&](const std::string& id, double of_first_row) { return (3 * value(id) + of_first_row) / 4; };
  EXPECT_NEAR(over_all_rows("entropy", 0), 0.732693, 1e-6);
  EXPECT_NEAR(over_all_rows("mean-distance", 0), 0.575, 1e-6);
  EXPECT_NEAR(over_all_rows("confidence", 1), 0.625, 1e-6);
  EXPECT_NEAR(over_all_rows("previous-token", 0), 0.325, 1e-6) << "Clark's form";
  EXPECT_NEAR(value("entropy"), 0.976925, 1e-6);
  EXPECT_NEAR(value("mean-distance"), 0.766667, 1e-6);
  EXPECT_NEAR(value("previous-token"), 0.433333, 1e-6);
  EXPECT_GT(std::abs(std::exp(value("entropy")) - value("effective-tokens")), 0.05) << "the mean of exp, not exp of the mean";
}

TEST_F(Worked, PatternsNameTheirCellsAndNoOthers) {
  // Tokens a b a b: a map that gives everything to one cell of a row scores where that cell is a target.
  const std::set<std::pair<Index, Index>> induction = {{2, 1}, {3, 2}}, duplicate = {{2, 0}, {3, 1}};
  for (Index query = 1; query < 4; ++query) {
    for (Index key = 0; key <= query; ++key) {
      Matrix map = Matrix::Zero(4, 4);
      map(query, key) = 1;
      EXPECT_EQ(gauged("induction", map, worked_mask(), text) > 0, induction.contains({query, key})) << query << " " << key;
      EXPECT_EQ(gauged("duplicate", map, worked_mask(), text) > 0, duplicate.contains({query, key})) << query << " " << key;
    }
  }
}

TEST_F(Worked, WithoutTheFirstTokenRowsShareOutWhatIsLeft) {
  EXPECT_NEAR(value("entropy-without-first-token"), 0.821276, 1e-6);
  EXPECT_NEAR(value("normalised-entropy-without-first-token"), 0.923685, 1e-6);
  EXPECT_NEAR(value("previous-token-without-first-token"), 0.465278, 1e-6);
  EXPECT_NEAR(value("mean-distance-without-first-token"), 0.631944, 1e-6);
  EXPECT_NEAR(value("hidden-mass:first-token"), 0.266667, 1e-6);
  EXPECT_TRUE(std::isnan(value("first-token-without-first-token")));
  EXPECT_TRUE(std::isnan(value("sink-without-first-token:0")));
}

TEST_F(Worked, WithoutTheFirstTokenTwoRowsRemainInformative) {
  const std::vector<MeasureRequest> asked =
      measure_requests("entropy,entropy-without-first-token,hidden-mass:first-token,previous-token-without-first-token", "test");
  const GaugePlan plan(asked, text, 4);
  HeadGauge gauge(plan, worked_mask_);
  gauge.add({0, worked_map()});
  EXPECT_EQ(gauge.rows(0), 3);
  EXPECT_EQ(gauge.rows(1), 2);
  EXPECT_EQ(gauge.rows(2), 3) << "of the rows before anything was taken away";
  EXPECT_EQ(gauge.rows(3), 2);
}

/// What lies below a tiny rest of a row is not lost in the difference of two sums.
TEST_F(Worked, ATinyRestIsMeasuredAsWellAsALargeOne) {
  Matrix map(4, 4);
  const float rest = 1e-5F;
  map << 1, 0, 0, 0, 1 - rest, rest, 0, 0, 1 - 3 * rest, rest, 2 * rest, 0, 1 - 4 * rest, rest, rest, 2 * rest;
  const auto of_map = [&](const std::string& id) { return gauged(id, map, worked_mask_, text); };
  EXPECT_NEAR(of_map("confidence-without-first-token"), (2.0 / 3 + 0.5) / 2, 1e-6);
  EXPECT_NEAR(of_map("entropy-without-first-token"), (std::log(3) - 2.0 / 3 * std::log(2) + 1.5 * std::log(2)) / 2, 1e-6);
  EXPECT_NEAR(of_map("previous-mul-excluding"), 2.0 / 3, 1e-6) << "keys 1 and 2 before their queries, of three equal weights that are left";
}

TEST_F(Worked, ASetAndItsComplementSumToOne) {
  EXPECT_NEAR(value("key-set:0+2") + value("key-set:1+3"), 1, 1e-6);
  EXPECT_NEAR(value("key-set:#0"), value("key-set:0+2"), 1e-12) << "by the tokens' ids";
  EXPECT_EQ(value("key-set:special"), 0);
}

TEST_F(Worked, TheSinkMetricCountsTheRowsFromItsKeyOn) {
  EXPECT_NEAR(value("sink:0"), 0.45, 1e-6);
  EXPECT_NEAR(value("sink:1"), 0.316667, 1e-6);
  EXPECT_NEAR(value("sink:2"), 0.5, 1e-6);
  EXPECT_NEAR(value("sink:3"), 0.25, 1e-6);
  EXPECT_TRUE(std::isnan(value("sink:4")));
}

TEST_F(Worked, ConfidenceWouldBeAnotherIfTheFirstRowCounted) {
  EXPECT_NEAR(value("confidence"), 0.5, 1e-6);
  EXPECT_GT(std::abs((1 + 0.5 + 0.5 + 0.5) / 4 - value("confidence")), 0.1);
}

TEST_F(Worked, BetweenTwoTextsPositionsMeanNothing) {
  const MeasuredText cross(tokens, false);
  for (const std::string id : {"previous-token", "mean-distance", "beyond-distance:1", "induction", "sink:0", "previous-mul"}) {
    EXPECT_TRUE(std::isnan(gauged(id, worked_map(), worked_mask(), cross))) << id;
  }
  EXPECT_NEAR(gauged("entropy", worked_map(), worked_mask(), cross), 0.976925, 1e-6);
}

TEST_F(Worked, MapsWithoutTokensHaveNoMeasureThatNeedsThem) {
  const MeasuredText unknown = MeasuredText::without_tokens(true);
  EXPECT_TRUE(std::isnan(gauged("duplicate", worked_map(), worked_mask(), unknown)));
  EXPECT_NEAR(gauged("previous-token", worked_map(), worked_mask(), unknown), 0.433333, 1e-6);
  EXPECT_NEAR(gauged("key-set:0+2", worked_map(), worked_mask(), unknown), 0.6, 1e-6);
  EXPECT_EQ(gauged("key-set:#0", worked_map(), worked_mask(), unknown), 0);
}

/// The mean over all rows of an even causal map, from that over the informative ones: the row of one key has entropy 0.
double even_entropy(Index count) {
  const std::vector<Token> tokens = tokens_of(std::vector<std::int64_t>(static_cast<std::size_t>(count)));
  const MeasuredText text(tokens);
  const Mask mask = causal_mask(count);
  return gauged("entropy", even_map(mask), mask, text) * static_cast<double>(count - 1) / static_cast<double>(count);
}

TEST(MeasureOracles, EntropyOfEvenMaps) {
  EXPECT_NEAR(even_entropy(6), 1.0965, 5e-5);
  EXPECT_NEAR(even_entropy(10), 1.5104, 5e-5);
  EXPECT_NEAR(even_entropy(128), 3.878, 5e-4);
  const MeasuredText text = MeasuredText::without_tokens(true);
  const Mask all(128, 128, true);
  EXPECT_NEAR(gauged("entropy", even_map(all), all, text), 4.852, 5e-4);
  EXPECT_NEAR(gauged("normalised-entropy", even_map(causal_mask(50)), causal_mask(50), text), 1, 1e-6);
  EXPECT_EQ(gauged("normalised-entropy", Matrix::Identity(9, 9), causal_mask(9), text), 0);
}

TEST(MeasureOracles, AShiftMatrixIsAPositionalHead) {
  const MeasuredText text = MeasuredText::without_tokens(true);
  Matrix map = Matrix::Zero(6, 6);
  map(0, 0) = 1;
  for (Index query = 1; query < 6; ++query) map(query, query - 1) = 1;
  EXPECT_EQ(gauged("positional-previous", map, causal_mask(6), text), 1);
  EXPECT_EQ(gauged("previous-token", map, causal_mask(6), text), 1) << "a perfect head has 1, not (n − 1) / n";
  EXPECT_EQ(gauged("previous-lift", map, causal_mask(6), text), 1 / gauged("previous-baseline", map, causal_mask(6), text));
  EXPECT_NEAR(gauged("previous-mul", map, causal_mask(6), text), 5.0 / 6, 1e-12) << "the library's has";
  const Mask both(6, 6, true);
  const Matrix turned = map.transpose();
  EXPECT_NEAR(gauged("next-token", turned, both, text), 1, 1e-12) << "labels by formula, on a map that is not symmetric";
  EXPECT_NEAR(gauged("previous-token", turned, both, text), 0, 1e-12);
}

// Seeds S2-14
TEST(MeasureOracles, OrderedByDistanceAPreviousTokenHeadComesBeforeAUniformOne) {
  constexpr Index kTokens = 8;
  Matrix previous = Matrix::Zero(kTokens, kTokens);
  for (Index query = 0; query < kTokens; ++query) previous(query, std::max<Index>(query - 1, 0)) = 1;
  const std::vector<Token> tokens = tokens_of(std::vector<std::int64_t>(kTokens, 1));
  const MeasuredText text(tokens);
  const double shortest = gauged("mean-distance", previous, causal_mask(kTokens), text);
  const double even = gauged("mean-distance", even_map(causal_mask(kTokens)), causal_mask(kTokens), text);
  EXPECT_NEAR(shortest, 1, 1e-6);
  EXPECT_GT(even, shortest);
}

TEST(MeasureOracles, TiesGoToTheLowestKey) {
  const Mask mask = causal_mask(2);
  EXPECT_EQ(gauged("positional-previous", even_map(mask), mask, MeasuredText::without_tokens(true)), 1);
}

TEST(MeasureOracles, InductionTargetsLeaveOutTheDiagonal) {
  const std::vector<Token> tokens = tokens_of({5, 5, 5});  // a a a: what followed the last copy is the query itself
  const MeasuredText text(tokens);
  const Matrix map = Matrix::Identity(3, 3);
  EXPECT_EQ(gauged("induction", map, causal_mask(3), text), 0);
  const std::vector<Token> pair = tokens_of({5, 5});
  const MeasuredText short_text(pair);
  EXPECT_TRUE(std::isnan(gauged("induction", Matrix::Identity(2, 2), causal_mask(2), short_text))) << "no target at all";
}

TEST(MeasureOracles, APatternThatCoversEverythingHasLiftOne) {
  const std::vector<Token> tokens = tokens_of(std::vector<std::int64_t>(30, 1));
  const MeasuredText text(tokens);
  const Mask before = MaskText("causal+no-self").cells({30, 30, {}});
  EXPECT_NEAR(gauged("duplicate-lift", testing::random_map(before, 3), before, text), 1, 1e-6);
}

TEST(MeasureOracles, APatternThatCoversEverythingHasMulOne) {
  const std::vector<Token> tokens = tokens_of(std::vector<std::int64_t>(30, 1));
  const MeasuredText text(tokens);
  const Mask before = MaskText("causal+no-self").cells({30, 30, {}});
  EXPECT_NEAR(gauged("duplicate-mul", testing::random_map(before, 3), before, text), 1, 1e-6) << "which is why it finds no head";
}

TEST(MeasureOracles, TheAbsScoreHasNoLowerBound) {
  const Index count = 100;
  const std::vector<Token> tokens = tokens_of(std::vector<std::int64_t>(count, 1));
  const MeasuredText text(tokens);
  double expected = 0;  // all keys before the query are targets
  for (Index query = 0; query < count; ++query) {
    const auto before = static_cast<double>(query), even = 1 / (before + 1);
    expected += 1 - before * (1 - even) - even;
  }
  const double found = gauged("duplicate-abs", even_map(causal_mask(count)), causal_mask(count), text);
  EXPECT_NEAR(found, expected / static_cast<double>(count), 1e-4);
  double with_diagonal = found;  // as the library would, with the query's own key as a target
  for (Index query = 0; query < count; ++query) with_diagonal -= (1 - 2 / static_cast<double>(query + 1)) / static_cast<double>(count);
  EXPECT_NEAR(with_diagonal, -48.5, 0.05);
}

TEST(MeasureOracles, InductionByOffsetCountsRowsOfTheSecondHalf) {
  // S tokens twice, a head that finds what followed: the mass at the offset S − 1 is 1 in the rows S … 2S − 1.
  const Index S = 5;
  Matrix map = Matrix::Zero(2 * S, 2 * S);
  for (Index query = 0; query < 2 * S; ++query) map(query, query < S ? 0 : query - (S - 1)) = 1;
  std::vector<std::int64_t> ids;
  for (Index at = 0; at < 2 * S; ++at) ids.push_back(at % S);
  const std::vector<Token> tokens = tokens_of(ids);
  const MeasuredText text(tokens);
  EXPECT_EQ(gauged("induction", map, causal_mask(2 * S), text), 1);
  EXPECT_NEAR(gauged("offset:-4", map, causal_mask(2 * S), text), 1, 1e-12) << "row 4 looks at key 0, too";
  EXPECT_EQ(gauged("duplicate", map, causal_mask(2 * S), text), 0);
}

}  // namespace
}  // namespace headlight
