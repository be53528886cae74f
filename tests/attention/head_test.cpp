#include "engine/attention/head.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/attention/random_matrix.h"
#include "tests/reference/slow_attention.h"

namespace headlight {
namespace {

using testing::random_matrix;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Matrix softmax_of(Matrix scores, const Mask& mask) {
  softmax_rows(scores, mask);
  return scores;
}

Matrix one_row(std::initializer_list<float> values) {
  Matrix row(1, static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), row.data());
  return row;
}

Mask causal_mask(Index tokens) {
  return MaskText("causal").cells({tokens, tokens, {}});
}

// Seeds D7: rows are queries. A query that matches everything makes its row, and not its column, uneven.
TEST(Scores, RowsAreQueriesAndColumnsAreKeys) {
  const Matrix q = (Matrix(2, 2) << 1, 0, 0, 1).finished();
  const Matrix k = (Matrix(3, 2) << 5, 1, 6, 2, 7, 3).finished();
  Matrix scores;
  compute_scores(q, k, {}, scores);
  EXPECT_EQ(scores, (Matrix(2, 3) << 5, 6, 7, 1, 2, 3).finished());
}

TEST(Scores, ScalingMultipliesEveryScore) {
  Matrix scores = one_row({2, -4, 0.5F});
  scale_scores(scores, 0.25F);
  EXPECT_EQ(scores, one_row({0.5F, -1, 0.125F}));
}

TEST(Softmax, GivesTheTextbookWeights) {
  const Matrix weights = softmax_of(one_row({1, 2, 3}), Mask(1, 3, true));
  EXPECT_NEAR(weights(0, 0), 0.09003057, 1e-7);
  EXPECT_NEAR(weights(0, 1), 0.24472847, 1e-7);
  EXPECT_NEAR(weights(0, 2), 0.66524096, 1e-7);
}

// Seeds S3-5: the sum runs over keys.
TEST(Softmax, RowsSumToOneForEveryLength) {
  for (Index tokens = 1; tokens <= 70; ++tokens) {
    const Matrix weights = softmax_of(random_matrix("scores", tokens, tokens, 5), causal_mask(tokens));
    for (Index query = 0; query < tokens; ++query) EXPECT_NEAR(weights.row(query).sum(), 1.0F, 1e-5F) << tokens << " tokens";
  }
}

// Seeds D6 and S3-8: forbidden pairs are left out of the sum, so their weight is exactly 0.
TEST(Softmax, CausalCellsAboveTheDiagonalAreExactlyZero) {
  const Matrix weights = softmax_of(random_matrix("scores", 33, 33, 3), causal_mask(33));
  for (Index query = 0; query < 33; ++query) {
    for (Index key = query + 1; key < 33; ++key) EXPECT_EQ(weights(query, key), 0.0F);
    EXPECT_GT(weights(query, query), 0.0F);
  }
}

TEST(Softmax, ForbiddenScoresPlayNoPartHoweverLargeTheyAre) {
  Mask mask(1, 4, true);
  mask.set(0, 3, false);
  EXPECT_EQ(softmax_of(one_row({1, 2, 3, 3e38F}), mask), softmax_of(one_row({1, 2, 3, -7}), mask));
  EXPECT_EQ(softmax_of(one_row({1, 2, 3, kNan}), mask)(0, 3), 0.0F);
  EXPECT_TRUE(softmax_of(one_row({1, 2, 3, kInfinity}), mask).allFinite());
}

// Seeds D1.
TEST(Softmax, FullyMaskedRowBecomesZerosNotNan) {
  Mask mask(3, 5, true);
  for (Index key = 0; key < 5; ++key) mask.set(1, key, false);
  const Matrix weights = softmax_of(random_matrix("scores", 3, 5), mask);
  EXPECT_EQ(weights.row(1), Matrix::Zero(1, 5));
  EXPECT_NEAR(weights.row(0).sum(), 1.0F, 1e-6F);
}

TEST(Softmax, LargeScoresDoNotOverflow) {
  const Matrix weights = softmax_of(one_row({3e38F, 3e38F, -3e38F}), Mask(1, 3, true));
  EXPECT_EQ(weights, one_row({0.5F, 0.5F, 0}));
}

TEST(Softmax, ASingleInfiniteScoreTakesTheWholeRow) {
  EXPECT_EQ(softmax_of(one_row({1, kInfinity, 2}), Mask(1, 3, true)), one_row({0, 1, 0}));
}

TEST(Softmax, UndefinedRowsBecomeNanAndOtherRowsStay) {
  Matrix scores = random_matrix("scores", 4, 3);
  scores(0, 1) = kNan;
  scores.row(1) << kInfinity, kInfinity, 0;
  scores.row(2).setConstant(-kInfinity);
  Mask mask(4, 3, true);
  mask.set(0, 2, false);
  const Matrix weights = softmax_of(scores, mask);
  EXPECT_TRUE(std::isnan(weights(0, 0)) && std::isnan(weights(0, 1)));
  EXPECT_EQ(weights(0, 2), 0.0F);
  EXPECT_TRUE(weights.row(1).array().isNaN().all());
  EXPECT_EQ(weights.row(2), Matrix::Zero(1, 3)) << "nothing but −∞ is a row without an allowed key (seeds D1)";
  EXPECT_NEAR(weights.row(3).sum(), 1.0F, 1e-6F);
}

TEST(Softmax, EmptyMapsAreLeftAlone) {
  EXPECT_EQ(softmax_of(Matrix(0, 0), Mask(0, 0, true)).size(), 0);
  EXPECT_EQ(softmax_of(Matrix(3, 0), Mask(3, 0, true)).size(), 0);
}

TEST(MixValues, KeysOfWeightZeroAreLeftOutWhateverTheirValues) {
  const Matrix weights = softmax_of(Matrix::Zero(3, 3), causal_mask(3));
  Matrix v = random_matrix("v", 3, 2);
  const Matrix clean = weights * v;
  v(2, 0) = kNan;
  v(2, 1) = kInfinity;
  Matrix z(3, 2);
  mix_values(weights, v, z);
  EXPECT_TRUE(z.topRows(2).isApprox(clean.topRows(2), 1e-6F));
  EXPECT_TRUE(std::isnan(z(2, 0)));
}

/// Random shapes and masks, some with rows that may attend to nothing, against plain loops in double precision.
TEST(Head, AgreesWithTheSlowSecondOpinionOnRandomShapesAndMasks) {
  RandomStream random(1, "shapes");
  for (int trial = 0; trial < 200; ++trial) {
    const auto size = [&] { return static_cast<Index>(1 + random.next() % 40); };
    const Index queries = size(), keys = size(), width = size();
    const std::string name = std::to_string(trial);
    const Matrix q = random_matrix("q" + name, queries, width), k = random_matrix("k" + name, keys, width);
    const Matrix v = random_matrix("v" + name, keys, 5);
    Mask mask(queries, keys, false);
    const std::uint64_t rarity = 1 + random.next() % 4;
    for (Index query = 0; query < queries; ++query) {
      for (Index key = 0; key < keys; ++key) mask.set(query, key, random.next() % 4 < rarity);
    }
    Matrix weights;
    compute_scores(q, k, {}, weights);
    scale_scores(weights, 0.7F);
    softmax_rows(weights, mask);
    Matrix z(queries, 5);
    mix_values(weights, v, z);

    testing::Table wide_v = testing::to_table(v);
    const auto allows = [&](int query, int key) { return mask.allows(query, key); };
    const auto slow_weights = testing::slow_head(testing::to_table(q), testing::to_table(k), testing::to_table(k), 0,
                                                 static_cast<std::size_t>(width), 0.7, allows)
                                  .weights;
    testing::Table slow_z(static_cast<std::size_t>(queries), testing::Row(5, 0.0));
    for (std::size_t query = 0; query < slow_z.size(); ++query) {
      for (std::size_t key = 0; key < wide_v.size(); ++key) {
        for (std::size_t column = 0; column < 5; ++column) slow_z[query][column] += slow_weights[query][key] * wide_v[key][column];
      }
    }
    EXPECT_LE(testing::largest_difference(slow_weights, weights), 1e-5) << "trial " << trial;
    EXPECT_LE(testing::largest_difference(slow_z, z), 1e-5) << "trial " << trial;
  }
}

}  // namespace
}  // namespace headlight
