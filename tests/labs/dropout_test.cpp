#include "engine/labs/dropout.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/attention/head.h"
#include "tests/kernels/random_matrix.h"
#include "tests/testing.h"

namespace headlight {
namespace {

Matrix causal_weights(Index tokens) {
  Matrix weights = testing::random_matrix("scores", tokens, tokens);
  softmax_rows(weights, MaskText("causal").cells({tokens, tokens, {}}));
  return weights;
}

// Seeds S2-10 and D5: off at inference, exactly, whatever the probability.
TEST(Dropout, IsOffAtInference) {
  const Matrix weights = causal_weights(9);
  const DroppedWeights first = drop_weights(weights, {.probability = 0.5F, .is_training = false}, "dropout.0.0");
  const DroppedWeights second = drop_weights(weights, {.probability = 0.5F, .is_training = false, .seed = 2}, "dropout.0.1");
  EXPECT_EQ(first.after, weights);
  EXPECT_EQ(second.after, first.after);
}

// Seeds S3-10 and D5: after the softmax; weights and row sums of before and after, and kept weights grown by 1 / (1 − p).
TEST(Dropout, InTrainingKeptWeightsGrowAndDroppedOnesAreZero) {
  const Matrix weights = causal_weights(40);
  const DroppedWeights dropped = drop_weights(weights, {.probability = 0.25F, .is_training = true}, "dropout.0.0");
  EXPECT_EQ(dropped.before, weights);
  Index zeros = 0, allowed = 0;
  for (Index query = 0; query < 40; ++query) {
    double sum = 0;
    for (Index key = 0; key < 40; ++key) {
      const float after = dropped.after(query, key);
      EXPECT_FLOAT_EQ(after, after == 0.0F ? 0.0F : weights(query, key) / 0.75F);
      zeros += key <= query && after == 0.0F;
      allowed += key <= query;
      sum += static_cast<double>(after);
    }
    EXPECT_NEAR(dropped.row_sums_before[static_cast<std::size_t>(query)], 1.0, 1e-5);
    EXPECT_NEAR(dropped.row_sums_after[static_cast<std::size_t>(query)], sum, 1e-12);
  }
  const double share = static_cast<double>(zeros) / static_cast<double>(allowed);
  EXPECT_NEAR(share, 0.25, 4 * std::sqrt(0.25 * 0.75 / static_cast<double>(allowed))) << "four standard deviations of a fair draw";
}

// Seeds D5: the mean of many samples approaches the map before.
TEST(Dropout, TheMeanOfManySamplesApproachesTheMapBefore) {
  const Matrix weights = causal_weights(6);
  constexpr int kSamples = 20'000;
  Matrix sum = Matrix::Zero(6, 6);
  for (int sample = 0; sample < kSamples; ++sample) {
    sum += drop_weights(weights, {.probability = 0.5F, .is_training = true, .seed = static_cast<std::uint64_t>(sample)}, "mean").after;
  }
  // A weight w ≤ 1 has standard deviation w·√(p/(1−p)) = w in one sample: 5 standard deviations of the mean.
  EXPECT_LE((sum / kSamples - weights).cwiseAbs().maxCoeff(), 5 / std::sqrt(static_cast<float>(kSamples)));
}

TEST(Dropout, TheSeedAndTheNameDecideWhatIsDropped) {
  const Matrix weights = causal_weights(12);
  const auto after = [&](std::uint64_t seed, std::string_view name) {
    return drop_weights(weights, {.probability = 0.5F, .is_training = true, .seed = seed}, name).after;
  };
  EXPECT_EQ(after(1, "dropout.0.0"), after(1, "dropout.0.0"));
  EXPECT_NE(after(1, "dropout.0.0"), after(2, "dropout.0.0"));
  EXPECT_NE(after(1, "dropout.0.0"), after(1, "dropout.0.1"));
}

TEST(Dropout, ProbabilitiesFromZeroUpToAndWithoutOneAreAccepted) {
  const Matrix weights = causal_weights(3);
  EXPECT_EQ(drop_weights(weights, {.probability = 0, .is_training = true}, "").after, weights);
  EXPECT_TRUE(drop_weights(weights, {.probability = 0.999999F, .is_training = true}, "").after.allFinite());
  for (const float probability : {1.0F, -0.1F, 1.5F, std::nanf("")}) {
    const Error error = testing::error_of([&] { drop_weights(weights, {.probability = probability, .is_training = true}, ""); });
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(error.detail().field, "dropout");
  }
}

}  // namespace
}  // namespace headlight
