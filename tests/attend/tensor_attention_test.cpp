#include "engine/attend/tensor_attention.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/attend/tensors.h"
#include "tests/reference/slow_attention.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using testing::at;
using testing::attend_on;
using testing::error_of;
using testing::filled_tensor;
using ::testing::HasSubstr;
using testing::random_layer;
using testing::random_mask;
using testing::random_tensor;
using testing::refusal_of;
using testing::row_sum;
using testing::Shape;
using testing::swap_first_axes;

// Seeds S0-4, S3-11.
TEST(TensorAttention, GivesTheOutputAndTheWeightsOfEveryHead) {
  AttentionTensors tensors = random_layer(2, 12, 12, 64);
  const TensorAttention result = attend_on(tensors, {.heads = 8});
  EXPECT_EQ(result.output.shape, (Shape{2, 12, 64}));
  EXPECT_EQ(result.attention.shape, (Shape{2, 8, 12, 12}));
}

// Seeds S3-5.
TEST(TensorAttention, WeightsSumToOneOverKeysAndInGeneralNotOverQueries) {
  const TensorAttention result = attend_on(random_layer(2, 7, 7, 12), {.heads = 3});
  double largest_from_one = 0;
  for (Index batch = 0; batch < 2; ++batch) {
    for (Index query = 0; query < 7; ++query) EXPECT_NEAR(row_sum(result, batch, 2, query), 1, 1e-6);
    double column = 0;
    for (Index query = 0; query < 7; ++query) column += double{at(result.attention, {batch, 2, query, 0})};
    largest_from_one = std::max(largest_from_one, std::abs(column - 1));
  }
  EXPECT_GT(largest_from_one, 0.1);
}

TEST(TensorAttention, ASinkTakesItsShareOfEveryRow) {
  AttentionTensors tensors = random_layer(2, 4, 4, 6);
  const TensorAttention plain = attend_on(tensors, {.heads = 2, .stage = ScoreStage::masked});
  tensors.sinks = FloatTensor{{2}, {0.5F, -1.0F}};
  const TensorAttention result = attend_on(tensors, {.heads = 2});
  for (Index head = 0; head < 2; ++head) {
    double keys = 0;
    for (Index key = 0; key < 4; ++key) keys += std::exp(double{at(plain.scores, {1, head, 2, key})});
    const double sink = std::exp(head == 0 ? 0.5 : -1.0);
    EXPECT_NEAR(row_sum(result, 1, head, 2), keys / (keys + sink), 1e-6);
  }
  const TensorAttention same_for_all = attend_on(tensors, {.heads = 2, .sink = 0.5F});
  EXPECT_EQ(at(same_for_all.attention, {0, 0, 1, 1}), at(result.attention, {0, 0, 1, 1}));
  EXPECT_NE(at(same_for_all.attention, {0, 1, 1, 1}), at(result.attention, {0, 1, 1, 1}));
  EXPECT_THAT(same_for_all.notes, ::testing::Contains(HasSubstr("sinks is not used")));
  tensors.sinks = FloatTensor{{3}, {0, 0, 0}};
  EXPECT_THAT(refusal_of(tensors, {.heads = 2}), AllOf(HasSubstr("tensor sinks"), HasSubstr("[3]"), HasSubstr("[2]")));
}

TEST(TensorAttention, AMissingTensorIsNamed) {
  AttentionTensors tensors = random_layer(1, 4, 4, 6);
  EXPECT_THAT(refusal_of(tensors, {.heads = 2, .score = ScoreKind::additive}), HasSubstr("tensor additive.w_v: is missing"));
  tensors.past_key = random_tensor("past", {1, 2, 3, 3});
  EXPECT_THAT(refusal_of(tensors, {.heads = 2}), HasSubstr("tensor past_value: is missing"));
}

TEST(TensorAttention, AgreesWithTheSlowSecondOpinionOnEveryItem) {
  const AttentionTensors tensors = random_layer(2, 5, 7, 12);
  const FloatTensor mask = random_mask("mask", {2, 5, 7});
  AttentionTensors masked = tensors;
  masked.mask = mask;
  const TensorAttention result = attend_on(masked, {.heads = 3});
  const auto linear = [](const FloatTensor& weight, const FloatTensor& bias) {
    return Linear{Matrix(Eigen::Map<const Matrix>(weight.values.data(), 12, 12).transpose()),
                  Eigen::Map<const RowVector>(bias.values.data(), 12)};
  };
  for (Index batch = 0; batch < 2; ++batch) {
    const auto table = [&](const FloatTensor& tensor) {
      return testing::to_table(Eigen::Map<const Matrix>(tensor.values.data() + batch * tensor.shape[1] * 12, tensor.shape[1], 12));
    };
    const auto slow = testing::slow_multi_head(table(*tensors.query), table(*tensors.key), table(*tensors.value),
                                               linear(*tensors.q_weight, *tensors.q_bias), linear(*tensors.k_weight, *tensors.k_bias),
                                               linear(*tensors.v_weight, *tensors.v_bias), linear(*tensors.o_weight, *tensors.o_bias), 3,
                                               0.5, [&](int, int query, int key) {
                                                 return at(mask, {batch, query, key}) == 1;
                                               });
    EXPECT_LE(testing::largest_difference(slow.output, Eigen::Map<const Matrix>(result.output.values.data() + batch * 60, 5, 12)), 1e-5);
  }
}

// Seeds S0-9.
TEST(TensorAttention, AnotherValueLeavesTheWeightsAsTheyAre) {
  AttentionTensors tensors = random_layer(2, 5, 7, 12);
  const TensorAttention first = attend_on(tensors, {.heads = 3});
  tensors.value = random_tensor("other", {2, 7, 12});
  const TensorAttention second = attend_on(tensors, {.heads = 3});
  EXPECT_EQ(first.attention.values, second.attention.values);
  EXPECT_NE(first.output.values, second.output.values);
}

TEST(TensorAttention, XIsQueryKeyAndValueInOne) {
  AttentionTensors separate = random_layer(2, 5, 5, 12);
  separate.key = separate.value = separate.query;
  AttentionTensors joined = separate;
  joined.x = joined.query;
  joined.query = joined.key = joined.value = std::nullopt;
  EXPECT_EQ(attend_on(separate, {.heads = 3}).output.values, attend_on(joined, {.heads = 3}).output.values);
}

// Seeds S2-3, S2-4.
TEST(TensorAttention, OneProductForAllHeadsEqualsAProductPerHead) {
  const AttentionTensors fused = random_layer(2, 5, 7, 12, false);
  const TensorAttention all = attend_on(fused, {.heads = 3, .has_output_projection = false});
  for (Index head = 0; head < 3; ++head) {
    AttentionTensors single = fused;
    for (const auto part : {&AttentionTensors::q_weight, &AttentionTensors::k_weight, &AttentionTensors::v_weight}) {
      const std::vector<float>& rows = (fused.*part)->values;
      single.*part = FloatTensor{{4, 12}, {rows.begin() + head * 48, rows.begin() + (head + 1) * 48}};
    }
    const TensorAttention one = attend_on(single, {.heads = 1, .has_output_projection = false});
    double largest = 0;
    for (Index batch = 0; batch < 2; ++batch) {
      for (Index query = 0; query < 5; ++query) {
        for (Index column = 0; column < 4; ++column) {
          const float from_all = at(all.output, {batch, query, head * 4 + column}), from_one = at(one.output, {batch, query, column});
          largest = std::max(largest, std::abs(double{from_all} - double{from_one}));
        }
      }
    }
    EXPECT_LE(largest, 1e-5) << "head " << head;
  }
}

// Seeds S2-8, S3-13.
TEST(TensorAttention, FourQueriesAndSixKeysGiveMapsOfFourBySix) {
  AttentionTensors tensors = random_layer(3, 4, 6, 12);
  EXPECT_EQ(attend_on(tensors, {.heads = 3}).attention.shape, (Shape{3, 3, 4, 6}));
  for (auto part : {&AttentionTensors::query, &AttentionTensors::key, &AttentionTensors::value})
    tensors.*part = swap_first_axes(*(tensors.*part));
  tensors.mask = random_tensor("mask", {4, 6, 3});
  for (float& value : tensors.mask->values) value = value > 0 ? 1.0F : 0.0F;
  const TensorAttention result = attend_on(tensors, {.heads = 3, .layout = TensorLayout::sequence_first});
  EXPECT_EQ(result.attention.shape, (Shape{3, 3, 4, 6}));
  EXPECT_EQ(result.output.shape, (Shape{4, 3, 12}));
}

/// The toy run of Dive into Deep Learning 10.3: inputs of ones, lengths 3 and 2, no bias.
AttentionTensors toy_run() {
  AttentionTensors tensors;
  tensors.query = filled_tensor({2, 4, 100}, 1);
  tensors.key = tensors.value = filled_tensor({2, 6, 100}, 1);
  for (const auto part :
       {&AttentionTensors::q_weight, &AttentionTensors::k_weight, &AttentionTensors::v_weight, &AttentionTensors::o_weight}) {
    tensors.*part = random_tensor("weight", {100, 100}, 0.1F);
  }
  tensors.valid_lens = FloatTensor{{2}, {3, 2}};
  return tensors;
}

// Seeds S2-9.
TEST(TensorAttention, TheToyRunGivesThirdsAndHalvesAndOneOutputRow) {
  const TensorAttention result = attend_on(toy_run(), {.heads = 5});
  EXPECT_EQ(result.output.shape, (Shape{2, 4, 100}));
  for (Index head = 0; head < 5; ++head) {
    for (Index query = 0; query < 4; ++query) {
      for (Index key = 0; key < 6; ++key) {
        EXPECT_NEAR(at(result.attention, {0, head, query, key}), key < 3 ? 1.0 / 3 : 0, 1e-6);
        EXPECT_NEAR(at(result.attention, {1, head, query, key}), key < 2 ? 1.0 / 2 : 0, 1e-6);
      }
    }
  }
  for (std::size_t i = 0; i < result.output.values.size(); ++i) EXPECT_NEAR(result.output.values[i], result.output.values[i % 100], 1e-5);
}

// Seeds S2-10.
TEST(TensorAttention, TwoRunsAreIdenticalBitForBit) {
  EXPECT_EQ(attend_on(toy_run(), {.heads = 5}).output.values, attend_on(toy_run(), {.heads = 5}).output.values);
}

// Seeds S2-11.
TEST(TensorAttention, BiasIsOptionalForAllFourProjectionsTogether) {
  AttentionTensors tensors = random_layer(1, 4, 4, 100);
  EXPECT_EQ(attend_on(tensors, {.heads = 5}).parameters, 40'400);
  const TensorAttention switched_off = attend_on(tensors, {.heads = 5, .has_bias = false});
  EXPECT_EQ(switched_off.parameters, 40'000);
  EXPECT_EQ(switched_off.output.values, attend_on(random_layer(1, 4, 4, 100, false), {.heads = 5}).output.values);
}

// Seeds S3-12.
TEST(TensorAttention, TheOutputBiasAddsExactlyItself) {
  AttentionTensors tensors = random_layer(2, 4, 4, 12);
  const FloatTensor bias = *tensors.o_bias;
  const TensorAttention with = attend_on(tensors, {.heads = 3});
  tensors.o_bias.reset();
  const TensorAttention without = attend_on(tensors, {.heads = 3});
  for (std::size_t i = 0; i < with.output.values.size(); ++i)
    EXPECT_EQ(with.output.values[i], without.output.values[i] + bias.values[i % 12]);
}

// Seeds S4-10.
TEST(TensorAttention, WithoutAnOutputProjectionTheHeadsAreJoinedOnly) {
  AttentionTensors tensors = random_layer(2, 5, 7, 12);
  tensors.v_weight = random_tensor("wide", {18, 12});
  tensors.v_bias.reset();
  tensors.o_weight = random_tensor("o", {10, 18});
  tensors.o_bias.reset();
  const TensorAttention joined = attend_on(tensors, {.heads = 3, .has_output_projection = false});
  EXPECT_EQ(joined.output.shape, (Shape{2, 5, 3 * 6})) << "K heads of width d_v";
  const TensorAttention projected = attend_on(tensors, {.heads = 3, .keeps_parts = true});
  EXPECT_EQ(projected.output.shape, (Shape{2, 5, 10}));
  EXPECT_EQ(projected.z.values, joined.output.values);
}

// Seeds S3-1.
TEST(TensorAttention, SequenceFirstEqualsBatchFirstExactly) {
  AttentionTensors tensors = random_layer(3, 5, 7, 12);
  const TensorAttention expected = attend_on(tensors, {.heads = 3, .keeps_parts = true});
  for (auto part : {&AttentionTensors::query, &AttentionTensors::key, &AttentionTensors::value})
    tensors.*part = swap_first_axes(*(tensors.*part));
  const TensorAttention found = attend_on(tensors, {.heads = 3, .layout = TensorLayout::sequence_first, .keeps_parts = true});
  EXPECT_EQ(found.attention.values, expected.attention.values) << "maps are [batch, heads, query, key] in either layout";
  EXPECT_EQ(found.output.values, swap_first_axes(expected.output).values);
  EXPECT_EQ(found.z.values, swap_first_axes(expected.z).values);
}

// Seeds S3-1, S3-2.
TEST(ProjectHeads, KeepsTheAxesBeforeTheWidthHoweverManyThereAre) {
  ThreadPool pool(2);
  const FloatTensor x = random_tensor("x", {5, 3, 12}), weight = random_tensor("w", {24, 12}), bias = random_tensor("b", {24});
  const FloatTensor sequence = project_heads({"x", x}, {"q", weight, &bias}, 4, pool);
  EXPECT_EQ(sequence.shape, (Shape{5, 3, 4, 6}));
  const FloatTensor flat = project_heads({"x", {{15, 12}, x.values}}, {"q", weight, &bias}, 4, pool);
  EXPECT_EQ(flat.shape, (Shape{15, 4, 6}));
  EXPECT_EQ(flat.values, sequence.values);
  double expected = double{bias.values[7]};
  for (Index in = 0; in < 12; ++in) expected += double{at(x, {2, 1, in})} * double{at(weight, {7, in})};
  EXPECT_NEAR(at(sequence, {2, 1, 1, 1}), expected, 1e-5) << "head 1, column 1 is row 7 of the weight";
}

// Seeds D4.
TEST(ProjectHeads, AHeadCountThatDoesNotDivideIsRefused) {
  ThreadPool pool(1);
  const FloatTensor x = random_tensor("x", {2, 8}), weight = random_tensor("w", {100, 8});
  const Error error = error_of([&] { project_heads({"x", x}, {"q", weight, nullptr}, 3, pool); });
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_THAT(error.message(), AllOf(HasSubstr("100"), HasSubstr("3 heads")));
}

TEST(TensorAttention, SplitInputsNeedNoHeadCountAndEqualWhatIsSplitHere) {
  AttentionTensors joined;
  joined.query = random_tensor("q", {2, 4, 12});
  joined.key = random_tensor("k", {2, 6, 12});
  joined.value = random_tensor("v", {2, 6, 12});
  AttentionTensors split;
  split.q = split_heads(*joined.query, 3);
  split.k = split_heads(*joined.key, 3);
  split.v = split_heads(*joined.value, 3);
  EXPECT_EQ(attend_on(joined, {.heads = 3}).output.values, attend_on(split, {}).output.values);
  EXPECT_THAT(refusal_of(split, {.heads = 4}), AllOf(HasSubstr("3 heads already"), HasSubstr("found 4")));
}

TEST(TensorAttention, GroupsOfHeadsShareTheirKeysAndValues) {
  AttentionTensors tensors;
  tensors.q = random_tensor("q", {2, 6, 4, 8});
  tensors.k = random_tensor("k", {2, 2, 5, 8});
  tensors.v = random_tensor("v", {2, 2, 5, 8});
  const TensorAttention shared = attend_on(tensors, {});
  AttentionTensors repeated = tensors;
  for (const auto part : {&AttentionTensors::k, &AttentionTensors::v}) {
    FloatTensor all = make_tensor({2, 6, 5, 8});
    for (std::int64_t map = 0; map < 12; ++map) {
      std::copy_n((tensors.*part)->values.begin() + (map / 6 * 2 + map % 6 / 3) * 40, 40, all.values.begin() + map * 40);
    }
    repeated.*part = all;
  }
  EXPECT_EQ(attend_on(repeated, {}).attention.values, shared.attention.values);
  EXPECT_EQ(attend_on(repeated, {}).output.values, shared.output.values);
  tensors.q = random_tensor("q", {2, 5, 4, 8});
  EXPECT_THAT(refusal_of(tensors, {}), AllOf(HasSubstr("2 heads"), HasSubstr("divides 5")));
}

TEST(TensorAttention, HasTheSameBitsForAnyNumberOfThreads) {
  const AttentionTensors tensors = random_layer(2, 37, 41, 200);
  SilentProgress silent;
  ThreadPool one(1), three(3);
  const TensorAttention first = attend_tensors(tensors, {.heads = 8}, one, silent),
                        second = attend_tensors(tensors, {.heads = 8}, three, silent);
  EXPECT_EQ(first.attention.values, second.attention.values);
  EXPECT_EQ(first.output.values, second.output.values);
}

}  // namespace
}  // namespace headlight
