// Attention on raw tensors: keys that may not be attended to.
#include <gmock/gmock.h>

#include "engine/attend/tensor_attention.h"
#include "tests/attend/tensors.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using testing::at;
using testing::attend_on;
using testing::filled_tensor;
using ::testing::HasSubstr;
using testing::random_layer;
using testing::random_tensor;
using testing::refusal_of;
using testing::row_sum;

// Seeds S0-5.
TEST(TensorAttention, NoMaskEqualsTheMaskOfOnes) {
  AttentionTensors tensors = random_layer(2, 5, 5, 12);
  const TensorAttention none = attend_on(tensors, {.heads = 3});
  tensors.mask = filled_tensor({2, 5, 5}, 1);
  const TensorAttention ones = attend_on(tensors, {.heads = 3});
  EXPECT_EQ(none.attention.values, ones.attention.values);
  EXPECT_EQ(none.output.values, ones.output.values);
}

// Seeds S0-6, S3-7, S3-8, D1.
TEST(TensorAttention, MaskedKeysAreExactlyZeroInEveryHeadAndRow) {
  AttentionTensors tensors = random_layer(2, 12, 12, 64);
  tensors.mask = filled_tensor({2, 1, 12}, 1);
  for (const std::size_t masked : {3U, 7U, 11U}) tensors.mask->values[masked] = 0;
  for (std::size_t key = 12; key < 24; ++key) tensors.mask->values[key] = 0;  // every key of the second item
  const TensorAttention result = attend_on(tensors, {.heads = 8});
  for (Index head = 0; head < 8; ++head) {
    for (Index query = 0; query < 12; ++query) {
      for (Index key = 0; key < 12; ++key) {
        EXPECT_EQ(at(result.attention, {0, head, query, key}) == 0.0F, key == 3 || key == 7 || key == 11);
        EXPECT_EQ(at(result.attention, {1, head, query, key}), 0.0F);
      }
      EXPECT_NEAR(row_sum(result, 0, head, query), 1, 1e-6);
    }
  }
  EXPECT_EQ(result.masked_row_count, 8 * 12);
  EXPECT_EQ(result.masked_rows.front(), "[1, 0, 0]");
}

// Seeds S0-7.
TEST(TensorAttention, AnotherKindOfMaskChangesAllHeadsTogether) {
  AttentionTensors tensors = random_layer(1, 6, 6, 12);
  const TensorAttention causal = attend_on(tensors, {.heads = 3, .mask_text = "causal"});
  const TensorAttention padding = attend_on(tensors, {.heads = 3, .mask_text = "padding:4"});
  for (Index head = 0; head < 3; ++head) {
    for (Index query = 0; query < 6; ++query) {
      for (Index key = 0; key < 6; ++key) {
        EXPECT_EQ(at(causal.attention, {0, head, query, key}) == 0.0F, key > query);
        EXPECT_EQ(at(padding.attention, {0, head, query, key}) == 0.0F, key >= 4);
      }
    }
  }
}

// Seeds S2-5, S2-7.
TEST(TensorAttention, WeightsPastTheValidLengthAreExactlyZero) {
  AttentionTensors tensors = random_layer(2, 4, 6, 100);
  tensors.valid_lens = FloatTensor{{2}, {3, 2}};
  const TensorAttention result = attend_on(tensors, {.heads = 5});
  for (Index batch = 0; batch < 2; ++batch) {
    for (Index head = 0; head < 5; ++head) {
      for (Index key = 0; key < 6; ++key) EXPECT_EQ(at(result.attention, {batch, head, 1, key}) == 0.0F, key >= (batch == 0 ? 3 : 2));
      EXPECT_NEAR(row_sum(result, batch, head, 1), 1, 1e-6);
    }
  }
}

// Seeds S2-6, D1.
TEST(TensorAttention, ALengthOfZeroGivesARowOfZerosAndNeverAUniformOne) {
  AttentionTensors tensors = random_layer(2, 2, 4, 12);
  tensors.valid_lens = FloatTensor{{2, 2}, {1, 0, 2, 4}};
  const TensorAttention result = attend_on(tensors, {.heads = 3});
  for (Index head = 0; head < 3; ++head) {
    for (Index key = 0; key < 4; ++key) EXPECT_EQ(at(result.attention, {0, head, 1, key}), 0.0F);
    EXPECT_EQ(at(result.attention, {0, head, 0, 0}), 1.0F);
  }
  EXPECT_EQ(result.masked_row_count, 3);
}

// Seeds D1.
TEST(TensorAttention, AMaskedRowMixesNothingAndOnlyTheOutputBiasIsLeft) {
  for (const int heads : {1, 8}) {
    AttentionTensors tensors = random_layer(1, 4, 4, 8);
    tensors.mask = filled_tensor({1, 4, 4}, 1);
    for (std::size_t key = 0; key < 4; ++key) tensors.mask->values[2 * 4 + key] = 0;
    const TensorAttention result = attend_on(tensors, {.heads = heads, .keeps_parts = true});
    for (Index column = 0; column < 8; ++column) {
      EXPECT_EQ(at(result.z, {0, 2, column}), 0.0F);
      EXPECT_EQ(at(result.output, {0, 2, column}), at(*tensors.o_bias, {column}));
    }
    EXPECT_EQ(result.masked_row_count, heads);
    EXPECT_EQ(result.overflow.nan + result.overflow.infinite, 0);
  }
}

TEST(TensorAttention, APastIsPutBeforeTheKeysAndCausalCountsFromIt) {
  AttentionTensors whole;
  whole.q = random_tensor("q", {2, 3, 6, 4});
  whole.k = random_tensor("k", {2, 3, 6, 4});
  whole.v = random_tensor("v", {2, 3, 6, 4});
  const TensorAttention all = attend_on(whole, {.mask_text = "causal"});
  const auto tokens = [](const FloatTensor& tensor, Index begin, Index end) {
    FloatTensor part = make_tensor({2, 3, end - begin, 4});
    for (Index map = 0; map < 6; ++map) {
      std::copy_n(tensor.values.begin() + (map * 6 + begin) * 4, (end - begin) * 4, part.values.begin() + map * (end - begin) * 4);
    }
    return part;
  };
  AttentionTensors step;
  step.q = tokens(*whole.q, 4, 6);
  step.k = tokens(*whole.k, 4, 6);
  step.v = tokens(*whole.v, 4, 6);
  step.past_key = tokens(*whole.k, 0, 4);
  step.past_value = tokens(*whole.v, 0, 4);
  const TensorAttention last = attend_on(step, {.mask_text = "causal", .keeps_parts = true});
  EXPECT_EQ(last.k.values, whole.k->values);
  EXPECT_EQ(last.v.values, whole.v->values);
  for (Index key = 0; key < 6; ++key) EXPECT_NEAR(at(last.attention, {1, 2, 0, key}), at(all.attention, {1, 2, 4, key}), 1e-6);
  step.past_key = step.past_value = make_tensor({2, 3, 0, 4});
  EXPECT_EQ(attend_on(step, {}).sizes.keys, 2) << "the first step's past is empty";
  step.past_value.reset();
  EXPECT_EQ(attend_on(step, {}).sizes.keys, 2);
  step.past_key = tokens(*whole.k, 0, 4);
  EXPECT_THAT(refusal_of(step, {}), HasSubstr("past_value: is missing"));
}

}  // namespace
}  // namespace headlight
