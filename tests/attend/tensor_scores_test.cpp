// Attention on raw tensors: how queries are scored with keys.
#include <gmock/gmock.h>

#include <cmath>

#include "engine/attend/tensor_attention.h"
#include "tests/attend/tensors.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using testing::at;
using testing::attend_on;
using testing::filled_tensor;
using ::testing::HasSubstr;
using testing::kMinusInfinity;
using testing::random_layer;
using testing::random_tensor;
using testing::refusal_of;
using testing::Shape;

TEST(TensorAttention, ScoresAreTakenAtTheStageThatIsAskedFor) {
  AttentionTensors tensors = random_layer(1, 3, 4, 8);
  tensors.mask = FloatTensor{{1, 1, 4}, {0, 0.5F, kMinusInfinity, 0}};
  tensors.is_mask_float = true;
  TensorAttentionOptions options{.heads = 2, .softcap = 1.5F};
  const auto scores = [&](ScoreStage stage) {
    options.stage = stage;
    return attend_on(tensors, options);
  };
  const TensorAttention scaled = scores(ScoreStage::scaled), capped = scores(ScoreStage::capped), masked = scores(ScoreStage::masked);
  for (Index query = 0; query < 3; ++query) {
    double sum = 0;
    for (Index key = 0; key < 4; ++key) {
      const Shape cell = {0, 1, query, key};
      EXPECT_NEAR(at(capped.scores, cell), 1.5 * std::tanh(double{at(scaled.scores, cell)} / 1.5), 1e-6);
      EXPECT_EQ(at(masked.scores, cell), key == 2 ? kMinusInfinity : at(capped.scores, cell) + (key == 1 ? 0.5F : 0.0F));
      sum += std::exp(double{at(masked.scores, cell)});
    }
    for (Index key = 0; key < 4; ++key) {
      EXPECT_NEAR(at(masked.attention, {0, 1, query, key}), std::exp(double{at(masked.scores, {0, 1, query, key})}) / sum, 1e-6);
    }
  }
  const TensorAttention weights = scores(ScoreStage::weights);
  EXPECT_EQ(weights.scores.values, weights.attention.values);
}

TEST(TensorAttention, TheScaleIsOneOverTheRootOfTheHeadWidthUnlessGiven) {
  const AttentionTensors tensors = random_layer(1, 3, 4, 32);
  EXPECT_EQ(attend_on(tensors, {.heads = 2}).scale, 0.25F);
  EXPECT_EQ(attend_on(tensors, {.heads = 2}).output.values, attend_on(tensors, {.heads = 2, .scale = 0.25F}).output.values);
  EXPECT_EQ(attend_on(tensors, {.heads = 2, .score = ScoreKind::cosine}).scale, 1.0F);
  EXPECT_NE(attend_on(tensors, {.heads = 2, .scale = 1.0F}).output.values, attend_on(tensors, {.heads = 2}).output.values);
}

// Seeds S2-2.
TEST(TensorAttention, AdditiveScoresAreWvTanhOfQPlusKAndWidthsMayDiffer) {
  AttentionTensors tensors;
  tensors.q = random_tensor("q", {1, 2, 3, 4});
  tensors.k = random_tensor("k", {1, 2, 5, 6});
  tensors.v = random_tensor("v", {1, 2, 5, 2});
  tensors.additive_query = random_tensor("W_q", {7, 4});
  tensors.additive_key = random_tensor("W_k", {7, 6});
  tensors.additive_vector = random_tensor("w_v", {7});
  const TensorAttention result = attend_on(tensors, {.score = ScoreKind::additive, .stage = ScoreStage::scaled});
  double score = 0;
  for (Index hidden = 0; hidden < 7; ++hidden) {
    double sum = 0;
    for (Index i = 0; i < 4; ++i) sum += double{at(*tensors.additive_query, {hidden, i})} * double{at(*tensors.q, {0, 1, 2, i})};
    for (Index i = 0; i < 6; ++i) sum += double{at(*tensors.additive_key, {hidden, i})} * double{at(*tensors.k, {0, 1, 4, i})};
    score += double{at(*tensors.additive_vector, {hidden})} * std::tanh(sum);
  }
  EXPECT_NEAR(at(result.scores, {0, 1, 2, 4}), score, 1e-5);
  EXPECT_THAT(refusal_of(tensors, {.score = ScoreKind::dot}), AllOf(HasSubstr("tensor k"), HasSubstr("6"), HasSubstr("4")));
  tensors.additive_vector = random_tensor("w_v", {6});
  EXPECT_THAT(refusal_of(tensors, {.score = ScoreKind::additive}), AllOf(HasSubstr("additive.w_v"), HasSubstr("[6]"), HasSubstr("[7]")));
}

// Seeds S3-9.
TEST(TensorAttention, RelativeScoresWithoutTheirTensorsAreTheDotProductExactly) {
  AttentionTensors tensors = random_layer(2, 4, 5, 12);
  const TensorAttention dot = attend_on(tensors, {.heads = 3});
  EXPECT_EQ(attend_on(tensors, {.heads = 3, .score = ScoreKind::relative}).attention.values, dot.attention.values);
  tensors.distance_keys = make_tensor({3, 8, 4});
  tensors.key_bias = make_tensor({3, 4});
  tensors.distance_bias = make_tensor({3, 8});
  EXPECT_EQ(attend_on(tensors, {.heads = 3, .score = ScoreKind::relative}).attention.values, dot.attention.values);
}

TEST(TensorAttention, ARelativeBiasIsAddedAfterTheScalingByKeyMinusQuery) {
  AttentionTensors tensors = random_layer(1, 3, 4, 8);
  const TensorAttentionOptions options{.heads = 2, .stage = ScoreStage::masked};
  const FloatTensor plain = attend_on(tensors, options).scores;
  tensors.relative_bias = random_tensor("bias", {2, 6});
  const FloatTensor biased = attend_on(tensors, options).scores;
  for (Index query = 0; query < 3; ++query) {
    for (Index key = 0; key < 4; ++key) {
      EXPECT_EQ(at(biased, {0, 1, query, key}), at(plain, {0, 1, query, key}) + at(*tensors.relative_bias, {1, key - query + 2}));
    }
  }
}

TEST(TensorAttention, ScoresBeyondFloatAreCounted) {
  AttentionTensors tensors;
  tensors.x = filled_tensor({1, 2, 4}, 1e30F);
  const TensorAttention result = attend_on(tensors, {.heads = 1});
  EXPECT_GT(result.overflow.nan, 0);
  EXPECT_EQ(attend_on(random_layer(1, 2, 2, 4), {.heads = 1}).overflow.nan, 0);
}

}  // namespace
}  // namespace headlight
