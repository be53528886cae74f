// Effective attention: what is taken away changes no output.
#include "engine/labs/effective_attention.h"

#include <gtest/gtest.h>

#include "engine/core/random.h"

namespace headlight {
namespace {

Matrix random_rows(Index rows, Index columns, RandomStream& random) {
  Matrix matrix(rows, columns);
  for (Index at = 0; at < matrix.size(); ++at) matrix.data()[at] = random.next_normal();
  return matrix;
}

/// Rows that share 1 among their first keys.
Matrix causal_weights(Index tokens, RandomStream& random) {
  Matrix weights = Matrix::Zero(tokens, tokens);
  for (Index query = 0; query < tokens; ++query) {
    for (Index key = 0; key <= query; ++key) weights(query, key) = std::exp(random.next_normal());
    weights.row(query) /= weights.row(query).sum();
  }
  return weights;
}

Mask causal(Index tokens) {
  Mask mask(tokens, tokens, true);
  for (Index query = 0; query < tokens; ++query) {
    for (Index key = query + 1; key < tokens; ++key) mask.set(query, key, false);
  }
  return mask;
}

/// Metrics 5.4.
TEST(EffectiveAttention, OfTheWorkedExampleHasItsValues) {
  Matrix values(3, 2), weights(1, 3);
  values << 1, 0, 0, 1, 1, 1;
  weights << .5F, .3F, .2F;
  const EffectiveAttention found = effective_attention(weights, Mask(1, 3, true), values);
  Matrix told(1, 3), output(1, 2);
  told << .3F, .1F, .4F;
  output << .7F, .5F;
  EXPECT_LT((found.weights - told).cwiseAbs().maxCoeff(), 1e-6F);
  EXPECT_LT((found.weights * values - output).cwiseAbs().maxCoeff(), 1e-6F);
  ASSERT_EQ(found.rows.size(), 1U);
  EXPECT_NEAR(found.rows[0].sum, .8, 1e-6);
  EXPECT_EQ(found.rows[0].rank, 2);
  EXPECT_EQ(found.rows[0].rank_with_ones, 3);
  EXPECT_TRUE(found.rows[0].has_others());
  EXPECT_FALSE(found.rows[0].has_others_of_one_sum()) << "no other weights that sum to 1 give this output";
}

TEST(EffectiveAttention, HasTheOutputOfTheWeightsAndNoWeightOnMaskedKeys) {
  RandomStream random(3, "effective");
  constexpr Index kTokens = 12, kWidth = 4;
  const Matrix weights = causal_weights(kTokens, random), values = random_rows(kTokens, kWidth, random);
  const EffectiveAttention found = effective_attention(weights, causal(kTokens), values);
  EXPECT_LT((found.weights * values - weights * values).cwiseAbs().maxCoeff(), 1e-5F);
  for (Index query = 0; query < kTokens; ++query) {
    const EffectiveRow& row = found.rows[static_cast<std::size_t>(query)];
    EXPECT_EQ(row.allowed, query + 1);
    EXPECT_EQ(row.rank, std::min(query + 1, kWidth));
    EXPECT_EQ(row.has_others(), query + 1 > kWidth);
    EXPECT_EQ(row.has_others_of_one_sum(), query + 1 > kWidth + 1);
    for (Index key = query + 1; key < kTokens; ++key) EXPECT_EQ(found.weights(query, key), 0);
    if (!row.has_others()) {
      EXPECT_LT((found.weights.row(query) - weights.row(query)).cwiseAbs().maxCoeff(), 1e-6F);
    }
    EXPECT_LE(found.weights.row(query).norm(), weights.row(query).norm() + 1e-6F) << "the shortest of all with this output";
  }
  const EffectiveAttention again = effective_attention(found.weights, causal(kTokens), values);
  EXPECT_LT((again.weights - found.weights).cwiseAbs().maxCoeff(), 1e-5F) << "nothing more can be taken away";
}

TEST(EffectiveAttention, CountsEqualValuesOnceAndLeavesRowsWithoutKeysEmpty) {
  const Matrix values = Matrix::Ones(3, 2);
  Matrix weights(2, 3);
  weights << .2F, .3F, .5F, 0, 0, 0;
  Mask mask(2, 3, true);
  for (Index key = 0; key < 3; ++key) mask.set(1, key, false);
  const EffectiveAttention found = effective_attention(weights, mask, values);
  EXPECT_EQ(found.rows[0].rank, 1);
  EXPECT_EQ(found.rows[0].rank_with_ones, 1) << "any weights that sum to 1 give the same";
  EXPECT_TRUE(found.rows[0].has_others_of_one_sum());
  for (Index key = 0; key < 3; ++key) EXPECT_NEAR(found.weights(0, key), 1 / 3.0, 1e-6);
  EXPECT_EQ(found.rows[1].allowed, 0);
  EXPECT_EQ(found.weights.row(1).cwiseAbs().maxCoeff(), 0);
}

TEST(EffectiveAttention, IsThatOfTheValuesAsTheOutputMatrixReadsThem) {
  RandomStream random(4, "effective");
  constexpr Index kTokens = 9;
  const Matrix weights = causal_weights(kTokens, random), values = random_rows(kTokens, 5, random), output = random_rows(5, 20, random);
  const Matrix narrow = values_as_written(values, output);
  EXPECT_EQ(narrow.cols(), 5);
  EXPECT_LT((narrow * narrow.transpose() - values * output * (values * output).transpose()).cwiseAbs().maxCoeff(), 1e-3F);
  const EffectiveAttention of_narrow = effective_attention(weights, causal(kTokens), narrow);
  const EffectiveAttention of_whole = effective_attention(weights, causal(kTokens), values * output);
  EXPECT_LT((of_narrow.weights - of_whole.weights).cwiseAbs().maxCoeff(), 1e-5F);
  Matrix blind = output;  // W_O that drops a number of the values
  blind.row(0).setZero();
  const EffectiveAttention found = effective_attention(weights, causal(kTokens), values_as_written(values, blind));
  EXPECT_EQ(found.rows.back().rank, 4);
}

}  // namespace
}  // namespace headlight
