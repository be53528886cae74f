#include "engine/attention/head.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "tests/kernels/random_matrix.h"

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

TEST(Scores, MaskedOnesAreMinusInfinityAndOthersStay) {
  Matrix scores = random_matrix("scores", 3, 3);
  const Matrix before = scores;
  mask_scores(scores, causal_mask(3));
  for (Index query = 0; query < 3; ++query) {
    for (Index key = 0; key < 3; ++key) EXPECT_EQ(scores(query, key), key <= query ? before(query, key) : -kInfinity);
  }
}

// Seeds S3-3, D8: every step by its formula, in loops and double precision; cap, bias and sink stand where the ONNX operator has them.
TEST(AttendHead, IsItsStepsInTheirOrder) {
  const Matrix q = random_matrix("q", 4, 3), k = random_matrix("k", 5, 3), v = random_matrix("v", 5, 2), bias = random_matrix("b", 4, 5);
  const HeadRule rule{.factor = 0.7F,
                      .softcap = 0.9F,
                      .bias = {{}, std::make_shared<const Matrix>(bias)},
                      .sink = 0.3F,
                      .mask = std::make_shared<const Mask>(MaskText("causal").cells({4, 5, {}}))};
  Matrix weights, z(4, 2);
  attend_head(q, k, v, rule, weights, z);
  const auto number = [](const Matrix& matrix, Index row, Index column) { return static_cast<double>(matrix(row, column)); };
  for (Index query = 0; query < 4; ++query) {
    std::array<double, 5> powers{};
    double sum = std::exp(0.3);
    for (Index key = 0; key <= query; ++key) {
      double score = 0;
      for (Index column = 0; column < 3; ++column) score += number(q, query, column) * number(k, key, column);
      const double masked = 0.9 * std::tanh(score * 0.7 / 0.9) + number(bias, query, key);
      sum += powers[static_cast<std::size_t>(key)] = std::exp(masked);
    }
    for (Index column = 0; column < 2; ++column) {
      double mixed = 0;
      for (Index key = 0; key < 5; ++key) mixed += powers[static_cast<std::size_t>(key)] / sum * number(v, key, column);
      EXPECT_NEAR(number(z, query, column), mixed, 1e-6);
    }
    for (Index key = 0; key < 5; ++key) EXPECT_NEAR(number(weights, query, key), powers[static_cast<std::size_t>(key)] / sum, 1e-6);
  }
  EXPECT_EQ(weights, compute_maps(q, k, rule).weights);
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

// Seeds S3-5: and not over queries.
TEST(Softmax, SumsOverQueriesAreInGeneralNotOne) {
  const Matrix weights = softmax_of(random_matrix("scores", 8, 8, 2), Mask(8, 8, true));
  EXPECT_GT((weights.colwise().sum().array() - 1).abs().maxCoeff(), 0.1F);
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

/// The weights of scores 0 and `difference` in a softmax of one precision.
Matrix weights_in(SoftmaxPrecision precision, float score, float difference) {
  HeadRule rule{.softmax_precision = precision, .mask = std::make_shared<const Mask>(1, 2, true)};
  return compute_maps(one_row({1}), (Matrix(2, 1) << score, score + difference).finished(), rule).weights;
}

// float16 has 11 significant bits, bfloat16 has 8: from 2048 and from 256 on, odd numbers are rounded away.
TEST(Softmax, ScoresThatItsPrecisionCannotTellApartGetTheSameWeight) {
  const Matrix even = one_row({0.5F, 0.5F});
  EXPECT_EQ(weights_in(SoftmaxPrecision::float16, 2048, 1), even);
  EXPECT_EQ(weights_in(SoftmaxPrecision::bfloat16, 256, 1), even);
  EXPECT_NE(weights_in(SoftmaxPrecision::float16, 1024, 1), even);
  EXPECT_NE(weights_in(SoftmaxPrecision::bfloat16, 128, 1), even);
  EXPECT_NE(weights_in(SoftmaxPrecision::float32, 2048, 1), even);
}

TEST(Softmax, ItsPrecisionRoundsTheWeightsAsWell) {
  const Matrix exact = weights_in(SoftmaxPrecision::float32, 0, 1), half = weights_in(SoftmaxPrecision::float16, 0, 1);
  const Matrix brain = weights_in(SoftmaxPrecision::bfloat16, 0, 1);
  EXPECT_NEAR(exact(0, 1), 0.7310586F, 1e-7F);
  EXPECT_EQ(half(0, 1), 1497.0F / 2048) << "0.7310586 is 1497.2 / 2048";
  EXPECT_EQ(brain(0, 1), 187.0F / 256) << "0.7310586 is 187.2 / 256";
}

TEST(Softmax, EmptyMapsAreLeftAlone) {
  EXPECT_EQ(softmax_of(Matrix(0, 0), Mask(0, 0, true)).size(), 0);
  EXPECT_EQ(softmax_of(Matrix(3, 0), Mask(3, 0, true)).size(), 0);
}

TEST(HeadMaps, OnlyARowWithoutAnAllowedKeyIsFlaggedAsMasked) {
  HeadRule rule{.sink = 1000.0F};  // leaves nothing for the keys: zeros, though keys are allowed
  Mask mask = causal_mask(3);
  mask.set(1, 0, false);
  mask.set(1, 1, false);
  rule.mask = std::make_shared<const Mask>(mask);
  const HeadMaps maps = maps_of_scores(random_matrix("scores", 3, 3), rule);
  EXPECT_EQ(maps.weights, Matrix::Zero(3, 3));
  EXPECT_EQ(maps.is_row_masked, (std::vector<bool>{false, true, false}));
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

}  // namespace
}  // namespace headlight
