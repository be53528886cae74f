#include "engine/analysis/head_summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/measures/gauging.h"

namespace headlight {
namespace {

using testing::causal_mask;

TEST(HeadSummary, OfTheWorkedExampleHasItsValues) {
  const HeadSummary summary = summarise_head(worked_map(), causal_mask(4));
  EXPECT_EQ(summary.informative_rows, 3);  // row 0 may attend to itself only
  EXPECT_EQ(summary.masked_rows, 0);
  EXPECT_NEAR(summary.value("normalised-entropy"), 0.936200, 1e-5);
  EXPECT_NEAR(summary.value("effective-tokens"), (2 + 2.800094 + 3.346696) / 3, 1e-5);
  EXPECT_NEAR(summary.value("confidence"), 0.5, 1e-6);  // 0.625 if row 0 were kept
  EXPECT_NEAR(summary.value("previous-token"), 0.433333, 1e-5);
  EXPECT_NEAR(summary.value("first-token"), 0.266667, 1e-5);
  EXPECT_NEAR(summary.value("mean-distance"), 0.766667, 1e-5);
  EXPECT_EQ(summary.largest, 1.0F);
}

TEST(HeadSummary, AUniformCausalHeadHasNormalisedEntropyOne) {
  Matrix weights = Matrix::Zero(10, 10);
  for (Index query = 0; query < 10; ++query) weights.row(query).head(query + 1).setConstant(1.0F / static_cast<float>(query + 1));
  EXPECT_NEAR(summarise_head(weights, causal_mask(10)).value("normalised-entropy"), 1.0, 1e-6);
}

TEST(HeadSummary, AOneHotHeadHasEntropyZeroAndConfidenceOne) {
  Matrix weights = Matrix::Zero(5, 5);
  weights(0, 0) = 1;
  for (Index query = 1; query < 5; ++query) weights(query, query - 1) = 1;
  const HeadSummary summary = summarise_head(weights, causal_mask(5));
  EXPECT_NEAR(summary.value("normalised-entropy"), 0.0, 1e-6);
  EXPECT_NEAR(summary.value("effective-tokens"), 1.0, 1e-6);
  EXPECT_EQ(summary.value("confidence"), 1.0);
  EXPECT_EQ(summary.value("previous-token"), 1.0);  // a perfect previous-token head
  EXPECT_EQ(summary.value("mean-distance"), 1.0);
}

// Label by formula: attention to the next token is not attention to the previous one.
TEST(HeadSummary, ANextTokenHeadHasNoPreviousTokenMass) {
  Matrix weights = Matrix::Zero(4, 4);
  for (Index query = 0; query < 4; ++query) weights(query, (query + 1) % 4) = 1;
  EXPECT_EQ(summarise_head(weights, Mask(4, 4, true)).value("previous-token"), 0.0);
}

TEST(HeadSummary, PreviousTokenMassCountsOnlyRowsThatMayAttendThere) {
  Mask mask(3, 3, true);
  mask.set(1, 0, false);
  const Matrix weights = (Matrix(3, 3) << 0.2F, 0.4F, 0.4F, 0, 0.5F, 0.5F, 0.1F, 0.9F, 0).finished();
  EXPECT_NEAR(summarise_head(weights, mask).value("previous-token"), 0.9, 1e-6);
}

// Seeds D1: metrics skip rows without a key and say how many.
TEST(HeadSummary, FullyMaskedRowsAreSkippedAndCounted) {
  Mask mask(3, 3, true);
  for (Index key = 0; key < 3; ++key) mask.set(1, key, false);
  const Matrix weights = (Matrix(3, 3) << 0.5F, 0.5F, 0, 0, 0, 0, 0.5F, 0, 0.5F).finished();
  const HeadSummary summary = summarise_head(weights, mask);
  EXPECT_EQ(summary.masked_rows, 1);
  EXPECT_EQ(summary.informative_rows, 2);
  EXPECT_NEAR(summary.value("effective-tokens"), 2.0, 1e-6);
  EXPECT_NEAR(summary.value("normalised-entropy"), std::numbers::ln2 / std::log(3.0), 1e-6);
}

TEST(HeadSummary, WithoutInformativeRowsEveryFigureIsUndefined) {
  for (const HeadSummary& summary :
       {summarise_head(Matrix::Ones(1, 1), Mask(1, 1, true)), summarise_head(Matrix(0, 0), Mask(0, 0, true))}) {
    EXPECT_EQ(summary.informative_rows, 0);
    ASSERT_EQ(summary.measured.values.size(), head_measures().size());
    for (const double measure : summary.measured.values) EXPECT_TRUE(std::isnan(measure));
  }
}

TEST(HeadSummary, DistancesOfUnequalAxesAreUndefined) {
  const HeadSummary summary = summarise_head(Matrix::Constant(2, 4, 0.25F), Mask(2, 4, true));
  EXPECT_TRUE(std::isnan(summary.value("mean-distance")));
  EXPECT_TRUE(std::isnan(summary.value("previous-token")));
  EXPECT_NEAR(summary.value("effective-tokens"), 4.0, 1e-5);
}

TEST(HeadSummary, SmallMapsAreKeptWhole) {
  const HeadSummary summary = summarise_head(worked_map(), causal_mask(4));
  EXPECT_EQ(summary.pool, 1);
  EXPECT_EQ(*summary.pooled.whole(), worked_map());
}

TEST(HeadSummary, PoolingKeepsASpikeOfOneCell) {
  Matrix weights = Matrix::Zero(600, 520);
  weights(599, 519) = 0.75F;
  weights(3, 6) = 0.5F;
  const HeadSummary summary = summarise_head(weights, Mask(600, 520, true));
  EXPECT_EQ(summary.pool, 3);
  EXPECT_EQ(summary.pooled.rows(), 200);
  EXPECT_EQ(summary.pooled.cols(), 174);
  EXPECT_EQ(summary.pooled.at(199, 173), 0.75F);
  EXPECT_EQ(summary.pooled.at(1, 2), 0.5F);
  EXPECT_EQ(summary.pooled.whole()->sum(), 1.25F);
  EXPECT_EQ(summary.largest, 0.75F);
  EXPECT_EQ(summary.queries, 600);
}

TEST(HeadSummary, NanCellsStayVisibleInThePooledMap) {
  Matrix weights = Matrix::Constant(300, 300, 0.1F);
  weights(10, 10) = std::nanf("");
  const HeadSummary summary = summarise_head(weights, Mask(300, 300, true));
  EXPECT_TRUE(std::isnan(summary.pooled.at(5, 5)));
  EXPECT_EQ(summary.largest, 0.1F);
}

}  // namespace
}  // namespace headlight
