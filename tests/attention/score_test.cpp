#include "engine/attention/score.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/attention/head.h"
#include "tests/kernels/random_matrix.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;

Matrix scores_of(const MatrixView& q, const MatrixView& k, ScoreKind kind, ScoreParameters parameters = {}) {
  Matrix scores;
  compute_scores(q, k, {.score = kind, .parameters = std::make_shared<const ScoreParameters>(std::move(parameters))}, scores);
  return scores;
}

TEST(ScoreFunctions, EveryKindHasARowInItsPlaceAndAName) {
  for (const ScoreFunction& function : score_functions()) {
    EXPECT_EQ(&score_function(function.kind), &function);
    EXPECT_EQ(score_kind_of(function.name), function.kind);
    EXPECT_FALSE(function.formula.empty() || function.source.empty());
  }
  const Error error = error_of([] { score_kind_of("dott"); });
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_NE(std::string(error.what()).find("dot, cosine, additive, relative"), std::string::npos);
}

// Seeds S3-3: S_ij = Σ_d Q_id K_jd.
TEST(ScoreFunctions, FollowTheirFormulasInPlainLoops) {
  const Matrix q = testing::random_matrix("q", 5, 7), k = testing::random_matrix("k", 9, 7);
  const ScoreParameters parameters{.additive = testing::random_matrix("w_v", 1, 7).row(0),
                                   .distance_keys = testing::random_matrix("R", 13, 7),
                                   .key_bias = testing::random_matrix("v", 1, 7).row(0),
                                   .distance_bias = testing::random_matrix("S", 1, 13).row(0)};
  const Matrix dot = scores_of(q, k, ScoreKind::dot), cosine = scores_of(q, k, ScoreKind::cosine);
  const Matrix additive = scores_of(q, k, ScoreKind::additive, parameters), relative = scores_of(q, k, ScoreKind::relative, parameters);
  for (Index query = 0; query < 5; ++query) {
    for (Index key = 0; key < 9; ++key) {
      const Index distance = key - query + 4;
      double product = 0, lengths[2] = {}, sum = 0, terms = parameters.distance_bias[distance];
      for (Index at = 0; at < 7; ++at) {
        const double a = q(query, at), b = k(key, at);
        product += a * b;
        lengths[0] += a * a;
        lengths[1] += b * b;
        sum += parameters.additive[at] * std::tanh(a + b);
        terms += a * parameters.distance_keys(distance, at) + parameters.key_bias[at] * b;
      }
      EXPECT_NEAR(dot(query, key), product, 1e-5);
      EXPECT_NEAR(cosine(query, key), product / std::sqrt(lengths[0] * lengths[1]), 1e-6);
      EXPECT_NEAR(additive(query, key), sum, 1e-5);
      EXPECT_NEAR(relative(query, key), product + terms, 1e-5);
    }
  }
}

// Seeds S2-2: a(q, k) = w_v · tanh(W_q q + W_k k), with queries and keys of different widths (Dive into Deep Learning 11.3.3).
TEST(ScoreFunctions, AdditiveTakesQueriesAndKeysOfDifferentWidths) {
  const Matrix queries = testing::random_matrix("queries", 3, 20), keys = testing::random_matrix("keys", 5, 12);
  const Matrix to_q = testing::random_matrix("W_q", 20, 8, 0.2F), to_k = testing::random_matrix("W_k", 12, 8, 0.2F);
  const RowVector additive = testing::random_matrix("w_v", 1, 8).row(0);
  const Matrix scores = scores_of(queries * to_q, keys * to_k, ScoreKind::additive,
                                  {.additive = additive, .distance_keys = {}, .key_bias = {}, .distance_bias = {}});
  for (Index query = 0; query < 3; ++query) {
    for (Index key = 0; key < 5; ++key) {
      double score = 0;
      for (Index unit = 0; unit < 8; ++unit) {
        double sum = 0;
        for (Index at = 0; at < 20; ++at) sum += static_cast<double>(to_q(at, unit)) * static_cast<double>(queries(query, at));
        for (Index at = 0; at < 12; ++at) sum += static_cast<double>(to_k(at, unit)) * static_cast<double>(keys(key, at));
        score += static_cast<double>(additive[unit]) * std::tanh(sum);
      }
      EXPECT_NEAR(scores(query, key), score, 1e-5);
    }
  }
}

// Seeds S3-9: with R = 0, v = 0 and S = 0 the relative form is the plain dot product, exactly.
TEST(ScoreFunctions, RelativeWithoutItsTermsIsTheDotProduct) {
  const Matrix q = testing::random_matrix("q", 6, 8), k = testing::random_matrix("k", 4, 8);
  const ScoreParameters zeros{
      .additive = {}, .distance_keys = Matrix::Zero(9, 8), .key_bias = RowVector::Zero(8), .distance_bias = RowVector::Zero(9)};
  EXPECT_EQ(scores_of(q, k, ScoreKind::relative, zeros), scores_of(q, k, ScoreKind::dot));
  EXPECT_EQ(scores_of(q, k, ScoreKind::relative), scores_of(q, k, ScoreKind::dot));
}

TEST(ScoreFunctions, CosineOfAZeroVectorIsZeroNotNan) {
  const Matrix k = testing::random_matrix("k", 3, 4);
  EXPECT_EQ(scores_of(Matrix::Zero(2, 4), k, ScoreKind::cosine), Matrix::Zero(2, 3));
}

TEST(ScoreBias, ByDistanceIsReadAlongTheDiagonals) {
  RowVector by_distance(5);  // 2 queries, 4 keys
  by_distance << 10, 11, 12, 13, 14;
  Matrix scores = Matrix::Zero(2, 4);
  add_bias(scores, {.by_distance = std::make_shared<const RowVector>(by_distance), .by_cell = {}});
  Matrix expected(2, 4);
  expected << 11, 12, 13, 14, 10, 11, 12, 13;
  EXPECT_EQ(scores, expected);
}

TEST(Softcap, KeepsScoresWithinItsBoundAndZeroLeavesThemAlone) {
  Matrix scores(1, 3);
  scores << -1000, 0.5F, 1000;
  Matrix capped = scores;
  cap_scores(capped, 2);
  EXPECT_FLOAT_EQ(capped(0, 0), -2);
  EXPECT_FLOAT_EQ(capped(0, 1), 2 * std::tanh(0.25F));
  EXPECT_FLOAT_EQ(capped(0, 2), 2);
  cap_scores(scores, 0);
  EXPECT_EQ(scores(0, 2), 1000);
}

TEST(Sink, TakesItsShareOfEveryRow) {
  Matrix scores = Matrix::Zero(2, 3);
  softmax_rows(scores, Mask(2, 3, true), 0.0F);
  EXPECT_TRUE(scores.isApproxToConstant(0.25F));
  scores.setZero();
  softmax_rows(scores, Mask(2, 3, true), 1000.0F);
  EXPECT_EQ(scores, Matrix::Zero(2, 3));
}

}  // namespace
}  // namespace headlight
