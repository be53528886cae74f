#include "engine/attend/mask_tensor.h"

#include <gmock/gmock.h>

#include <limits>

#include "tests/attend/tensors.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using testing::at;
using testing::error_of;
using testing::filled_tensor;
using ::testing::HasSubstr;
using testing::kMinusInfinity;
using ::testing::Not;
using testing::random_mask;
using testing::Shape;

constexpr TensorLayout kBatchFirst = TensorLayout::batch_first, kSequenceFirst = TensorLayout::sequence_first;

/// What a mask tensor comes to, [batch][head].
std::vector<std::vector<HeadMask>> masks_of(MaskSources sources, const AttentionSizes& sizes, TensorLayout layout = kBatchFirst) {
  const TensorMasks masks(std::move(sources), layout, sizes);
  std::vector<std::vector<HeadMask>> items;
  for (Index batch = 0; batch < sizes.batch; ++batch) items.push_back(masks.of_item(batch));
  return items;
}

/// Whether every pair of every head is allowed as `allows(batch, head, query, key)` says.
template <typename Allows>
void expect_mask(const std::vector<std::vector<HeadMask>>& masks, const AttentionSizes& sizes, Allows allows) {
  for (Index batch = 0; batch < sizes.batch; ++batch) {
    for (Index head = 0; head < sizes.heads; ++head) {
      const HeadMask& found = masks[static_cast<std::size_t>(batch)][static_cast<std::size_t>(head)];
      for (Index query = 0; query < sizes.queries; ++query) {
        for (Index key = 0; key < sizes.keys; ++key) {
          ASSERT_EQ(found.mask->allows(query, key), allows(batch, head, query, key))
              << "batch " << batch << " head " << head << " query " << query << " key " << key;
        }
      }
    }
  }
}

Error refusal_of(const Shape& shape, const AttentionSizes& sizes, TensorLayout layout = kBatchFirst) {
  return error_of([&] { TensorMasks({.mask = filled_tensor(shape, 1)}, layout, sizes); });
}

// Seeds S0-6.
TEST(MaskTensor, ABatchMaskHoldsForAllHeadsAndQueries) {
  const AttentionSizes sizes{2, 3, 4, 5};
  const FloatTensor mask = random_mask("mask", {2, 1, 5});
  expect_mask(masks_of({.mask = mask}, sizes), sizes, [&](Index batch, Index, Index, Index key) { return at(mask, {batch, 0, key}) == 1; });
}

TEST(MaskTensor, EveryAxisOfFourMayBeOne) {
  const AttentionSizes sizes{2, 3, 4, 5};
  for (int ones = 0; ones < 16; ++ones) {
    const auto extent = [&](int axis, std::int64_t full) { return (ones >> axis) % 2 == 1 ? std::int64_t{1} : full; };
    const FloatTensor mask = random_mask("mask", {extent(0, 2), extent(1, 3), extent(2, 4), extent(3, 5)});
    const auto place = [&](int axis, Index index) { return (ones >> axis) % 2 == 1 ? Index{0} : index; };
    expect_mask(masks_of({.mask = mask}, sizes), sizes, [&](Index batch, Index head, Index query, Index key) {
      return at(mask, {place(0, batch), place(1, head), place(2, query), place(3, key)}) == 1;
    });
  }
}

TEST(MaskTensor, ThreeAxesAreBatchQueryKey) {
  const AttentionSizes sizes{2, 3, 4, 5};
  const FloatTensor per_item = random_mask("mask", {2, 4, 5}), for_all = random_mask("mask", {1, 4, 5});
  expect_mask(masks_of({.mask = per_item}, sizes), sizes, [&](Index batch, Index, Index query, Index key) {
    return at(per_item, {batch, query, key}) == 1;
  });
  expect_mask(masks_of({.mask = for_all}, sizes), sizes, [&](Index, Index, Index query, Index key) {
    return at(for_all, {0, query, key}) == 1;
  });
  EXPECT_THAT(refusal_of({3, 4, 5}, sizes).message(), HasSubstr("[1, head, query, key]")) << "a mask per head says so";
}

TEST(MaskTensor, OneAxisIsTheKeys) {
  const AttentionSizes sizes{2, 3, 4, 5};
  const FloatTensor mask = random_mask("mask", {5});
  expect_mask(masks_of({.mask = mask}, sizes), sizes, [&](Index, Index, Index, Index key) { return at(mask, {key}) == 1; });
}

// Seeds S0-7, S3-7.
TEST(MaskTensor, OneMaskIsSharedByAllHeadsUnlessItHasAnAxisOfHeads) {
  const AttentionSizes sizes{1, 3, 4, 4};
  for (const MaskSources& shared : {MaskSources{.mask = random_mask("mask", {1, 1, 4})}, MaskSources{.text = "causal"}}) {
    const auto heads = masks_of(shared, sizes)[0];
    EXPECT_EQ(heads[0].mask, heads[1].mask);
    EXPECT_EQ(heads[0].mask, heads[2].mask);
  }
  const auto own = masks_of({.mask = random_mask("mask", {1, 3, 4, 4})}, sizes)[0];
  EXPECT_NE(*own[0].mask, *own[1].mask);
}

// Seeds D3.
TEST(MaskTensor, TwoAxesAreAcceptedWhereOneReadingFits) {
  const AttentionSizes sizes{2, 8, 12, 12};
  const FloatTensor by_query = random_mask("mask", {12, 12}), by_item = random_mask("mask", {2, 12}),
                    by_head = random_mask("mask", {8, 12});
  expect_mask(masks_of({.mask = by_query}, sizes), sizes, [&](Index, Index, Index query, Index key) {
    return at(by_query, {query, key}) == 1;
  });
  expect_mask(masks_of({.mask = by_item}, sizes), sizes, [&](Index batch, Index, Index, Index key) {
    return at(by_item, {batch, key}) == 1;
  });
  expect_mask(masks_of({.mask = by_head}, sizes), sizes, [&](Index, Index head, Index, Index key) {
    return at(by_head, {head, key}) == 1;
  });
}

// Seeds D3.
TEST(MaskTensor, TwoAxesThatFitSeveralReadingsAreRefusedWithTheFormsToUse) {
  const Error heads = refusal_of({8, 8}, {2, 8, 8, 8});
  EXPECT_EQ(heads.kind(), ErrorKind::input);
  EXPECT_THAT(heads.message(),
              AllOf(HasSubstr("tensor mask"), HasSubstr("[8, 8]"), HasSubstr("query x key and head x key"),
                    HasSubstr("[1, n_q, n_k] = [1, 8, 8]"), HasSubstr("[1, h, 1, n_k] = [1, 8, 1, 8]"), Not(HasSubstr("batch x key"))));
  const Error items = refusal_of({2, 2}, {2, 8, 2, 2});
  EXPECT_THAT(items.message(), AllOf(HasSubstr("[2, 2]"), HasSubstr("query x key and batch x key"), HasSubstr("[B, 1, n_k] = [2, 1, 2]")));
  const Error sequence = refusal_of({2, 2}, {2, 8, 2, 2}, kSequenceFirst);
  EXPECT_THAT(sequence.message(), AllOf(HasSubstr("[n_q, n_k, 1] = [2, 2, 1]"), HasSubstr("[1, n_k, B] = [1, 2, 2]")));
}

// Seeds D3.
TEST(MaskTensor, TwoAxesThatFitNoReadingAreRefusedWithAllThree) {
  EXPECT_THAT(refusal_of({3, 12}, {2, 8, 12, 12}).message(), AllOf(HasSubstr("[3, 12]"), HasSubstr("[12, 12] (query x key)"),
                                                                   HasSubstr("[2, 12] (batch x key)"), HasSubstr("[8, 12] (head x key)")));
  EXPECT_THAT(refusal_of({12, 11}, {2, 8, 12, 12}).message(), HasSubstr("[12, 11]"));
}

// Seeds D3.
TEST(MaskTensor, ReadingsThatGiveTheSameMaskCountAsOne) {
  const AttentionSizes sizes{1, 1, 4, 4};
  const FloatTensor mask = random_mask("mask", {1, 4});  // batch × key and head × key: the same keys for everyone
  expect_mask(masks_of({.mask = mask}, sizes), sizes, [&](Index, Index, Index, Index key) { return at(mask, {0, key}) == 1; });
}

// Seeds S3-6, S3-13.
TEST(MaskTensor, SequenceFirstMasksAreQueryKeyBatchAndTheOuterAxesMayBeOne) {
  const AttentionSizes sizes{3, 2, 4, 6};
  for (const Shape& shape : {Shape{4, 6, 3}, Shape{1, 6, 3}, Shape{4, 6, 1}, Shape{1, 6, 1}}) {
    const FloatTensor mask = random_mask("mask", shape);
    expect_mask(masks_of({.mask = mask}, sizes, kSequenceFirst), sizes, [&](Index batch, Index, Index query, Index key) {
      return at(mask, {shape[0] == 1 ? 0 : query, key, shape[2] == 1 ? 0 : batch}) == 1;
    });
  }
}

// Seeds S3-6.
TEST(MaskTensor, ASequenceFirstMaskWithAWrongQueryAxisIsRefused) {
  EXPECT_THAT(
      refusal_of({5, 6, 3}, {3, 2, 4, 6}, kSequenceFirst).message(),
      AllOf(HasSubstr("the query axis (axis 0 of [query, key, batch])"), HasSubstr("5 in [5, 6, 3]"), HasSubstr("expected 4 or 1")));
}

// Seeds S3-6.
TEST(MaskTensor, ASequenceFirstMaskWithAWrongKeyAxisIsRefused) {
  for (const std::int64_t keys : {5, 1}) {
    EXPECT_THAT(refusal_of({4, keys, 3}, {3, 2, 4, 6}, kSequenceFirst).message(),
                AllOf(HasSubstr("the key axis (axis 1 of [query, key, batch])"), HasSubstr("expected 6"), Not(HasSubstr("or 1"))));
  }
}

// Seeds S3-6.
TEST(MaskTensor, ASequenceFirstMaskWithAWrongBatchAxisIsRefused) {
  EXPECT_THAT(
      refusal_of({4, 6, 2}, {3, 2, 4, 6}, kSequenceFirst).message(),
      AllOf(HasSubstr("the batch axis (axis 2 of [query, key, batch])"), HasSubstr("2 in [4, 6, 2]"), HasSubstr("expected 3 or 1")));
}

TEST(MaskTensor, AWrongAxisOfFourIsNamed) {
  EXPECT_THAT(refusal_of({2, 4, 4, 5}, {2, 3, 4, 5}).message(), AllOf(HasSubstr("the head axis"), HasSubstr("expected 3 or 1")));
  EXPECT_THAT(refusal_of({1, 1, 1, 1, 5}, {2, 3, 4, 5}).message(), HasSubstr("1 to 4 axes"));
}

// Seeds D2.
TEST(MaskTensor, AMaskAndItsInvertedTwinAreTheSameWithTheRightMeaning) {
  const AttentionSizes sizes{2, 3, 4, 5};
  const FloatTensor mask = random_mask("mask", {2, 4, 5});
  FloatTensor inverted = mask, additive = mask;
  for (float& value : inverted.values) value = 1 - value;
  for (float& value : additive.values) value = value == 1 ? 0 : kMinusInfinity;
  const auto expected = masks_of({.mask = mask}, sizes);
  const auto allows = [&](Index batch, Index, Index query, Index key) {
    return expected[static_cast<std::size_t>(batch)][0].mask->allows(query, key);
  };
  expect_mask(masks_of({.mask = inverted, .meaning = MaskMeaning::forbid}, sizes), sizes, allows);
  expect_mask(masks_of({.mask = mask, .is_float = true, .meaning = MaskMeaning::allow}, sizes), sizes, allows);
  const auto from_additive = masks_of({.mask = additive, .is_float = true}, sizes);
  expect_mask(from_additive, sizes, allows);
  EXPECT_EQ(from_additive[0][0].bias, nullptr) << "zeros are not worth adding";
}

// Seeds D2.
TEST(MaskTensor, ConversionsAreReported) {
  const AttentionSizes sizes{1, 1, 1, 4};
  const auto notes = [&](MaskSources sources) {
    return ::testing::PrintToString(TensorMasks(std::move(sources), kBatchFirst, sizes).notes());
  };
  const FloatTensor binary{{1, 1, 4}, {1, 0, 0, 1}}, additive{{1, 1, 4}, {0, 0.5F, kMinusInfinity, -1e9F}};
  EXPECT_THAT(notes({.mask = binary}), AllOf(HasSubstr("read as [batch, query, key]"), Not(HasSubstr("converted"))));
  EXPECT_THAT(notes({.mask = binary, .meaning = MaskMeaning::forbid}), HasSubstr("2 of 4"));
  EXPECT_THAT(notes({.mask = binary, .is_float = true}), HasSubstr("all 0 or 1"));
  EXPECT_THAT(notes({.mask = additive, .is_float = true}), AllOf(HasSubstr("1 of 4 numbers are -inf"), HasSubstr("2 others are added"),
                                                                 HasSubstr("1 finite numbers of -10000 or less")));
}

TEST(MaskTensor, AdditiveNumbersBecomeABiasAndMinusInfinityForbids) {
  const AttentionSizes sizes{1, 1, 1, 3};
  const auto heads = masks_of({.mask = FloatTensor{{1, 1, 3}, {0.5F, kMinusInfinity, -2}}, .is_float = true}, sizes)[0];
  EXPECT_EQ(*heads[0].bias, (Matrix(1, 3) << 0.5F, 0, -2).finished());
  EXPECT_FALSE(heads[0].mask->allows(0, 1));
  EXPECT_EQ(heads[0].mask->allowed_in_row(0), 2);
}

TEST(MaskTensor, NumbersThatAMaskCannotHoldAreRefusedWithTheirPlace) {
  const AttentionSizes sizes{1, 1, 2, 3};
  const auto refusal = [&](float broken, bool is_float) {
    FloatTensor mask = filled_tensor({1, 2, 3}, 0);
    mask.values[4] = broken;
    return error_of([&] { TensorMasks({.mask = mask, .is_float = is_float}, kBatchFirst, sizes); }).message();
  };
  EXPECT_THAT(refusal(2, false), AllOf(HasSubstr("[0, 1, 1]"), HasSubstr("0 or 1")));
  EXPECT_THAT(refusal(-kMinusInfinity, true), HasSubstr("[0, 1, 1]"));
  EXPECT_THAT(refusal(std::numeric_limits<float>::quiet_NaN(), true), HasSubstr("nan"));
}

// Seeds S2-5.
TEST(ValidLens, OnePerItemCountsForEveryHeadAndQuery) {
  const AttentionSizes sizes{2, 5, 4, 6};
  const FloatTensor lengths{{2}, {3, 2}};
  expect_mask(masks_of({.valid_lens = lengths}, sizes), sizes,
              [](Index batch, Index, Index, Index key) { return key < (batch == 0 ? 3 : 2); });
}

// Seeds S2-6.
TEST(ValidLens, OnePerQueryGivesItsCount) {
  const AttentionSizes sizes{2, 1, 2, 4};
  const auto masks = masks_of({.valid_lens = FloatTensor{{2, 2}, {1, 3, 2, 4}}}, sizes);
  EXPECT_EQ(masks[0][0].mask->allowed_in_row(0), 1);
  EXPECT_EQ(masks[0][0].mask->allowed_in_row(1), 3);
  EXPECT_EQ(masks[1][0].mask->allowed_in_row(0), 2);
  EXPECT_EQ(masks[1][0].mask->allowed_in_row(1), 4);
}

// Seeds S2-7.
TEST(ValidLens, AreRepeatedItemByItemAndNotTiled) {
  const auto masks = masks_of({.valid_lens = FloatTensor{{2}, {3, 2}}}, {2, 5, 4, 6});
  EXPECT_EQ(masks[0][4].mask->allowed_in_row(0), 3) << "batch 0, head 4";
  EXPECT_EQ(masks[1][0].mask->allowed_in_row(0), 2) << "batch 1, head 0";
}

TEST(ValidLens, WrongShapesAndNumbersAreRefused) {
  const AttentionSizes sizes{2, 1, 3, 4};
  const auto refusal = [&](const FloatTensor& lengths) {
    return error_of([&] { TensorMasks({.valid_lens = lengths}, kBatchFirst, sizes); }).message();
  };
  EXPECT_THAT(refusal({{3}, {1, 1, 1}}),
              AllOf(HasSubstr("tensor valid_lens"), HasSubstr("[3]"), HasSubstr("[2] (one per item)"), HasSubstr("[2, 3]")));
  EXPECT_THAT(refusal({{2}, {1, 5}}), AllOf(HasSubstr("[1]"), HasSubstr("5"), HasSubstr("0 to the 4 keys")));
  EXPECT_THAT(refusal({{2}, {-1, 1}}), HasSubstr("-1"));
  EXPECT_THAT(refusal({{2}, {1.5F, 1}}), HasSubstr("1.5"));
}

TEST(MaskSources, EverySourceMustAllowAPair) {
  const AttentionSizes sizes{1, 1, 4, 4};
  const FloatTensor mask = random_mask("mask", {1, 4, 4});
  expect_mask(masks_of({.text = "causal", .mask = mask, .valid_lens = FloatTensor{{1}, {3}}}, sizes), sizes,
              [&](Index, Index, Index query, Index key) {
                return key <= query && key < 3 && at(mask, {0, query, key}) == 1;
              });
}

TEST(MaskSources, ATextCountsQueriesFromTheirPositionAmongTheKeys) {
  const AttentionSizes sizes{1, 1, 2, 5};
  expect_mask(masks_of({.text = "causal", .first_position = 3}, sizes), sizes,
              [](Index, Index, Index query, Index key) { return key <= query + 3; });
}

TEST(MaskSources, QueriesEndAtTheNonpadLengthWhichMayLeaveThemWithoutKeys) {
  const AttentionSizes sizes{2, 1, 3, 4};
  expect_mask(masks_of({.text = "causal", .nonpad_kv_seqlen = FloatTensor{{2}, {4, 1}}}, sizes), sizes,
              [](Index batch, Index, Index query, Index key) { return batch == 0 ? key <= query + 1 : key <= query - 2; });
  EXPECT_THAT(error_of([&] {
                TensorMasks({.nonpad_kv_seqlen = FloatTensor{{2}, {4, 9}}}, kBatchFirst, sizes);
              }).message(),
              AllOf(HasSubstr("nonpad_kv_seqlen"), HasSubstr("9")));
}

// ONNX Attention-24: "the last dimension can also be shorter … and will be padded … with negative infinity".
TEST(MaskSources, AMaskShorterThanTheKeysIsPaddedBesideNonpadLengths) {
  const AttentionSizes sizes{1, 3, 2, 4};
  const FloatTensor lengths{{1}, {4}};
  const auto allowed = [](Index, Index, Index query, Index key) { return key < 2 && !(query == 0 && key == 1); };
  const FloatTensor allow{{2, 2}, {1, 0, 1, 1}}, forbid{{2, 2}, {0, 1, 0, 0}}, added{{1, 1, 2, 2}, {0, kMinusInfinity, 0, 0.5F}};
  expect_mask(masks_of({.mask = allow, .meaning = MaskMeaning::allow, .nonpad_kv_seqlen = lengths}, sizes), sizes, allowed);
  expect_mask(masks_of({.mask = forbid, .meaning = MaskMeaning::forbid, .nonpad_kv_seqlen = lengths}, sizes), sizes, allowed);
  expect_mask(masks_of({.mask = added, .is_float = true, .nonpad_kv_seqlen = lengths}, sizes), sizes, allowed);
  const std::vector<std::string> notes = TensorMasks({.mask = allow, .nonpad_kv_seqlen = lengths}, kBatchFirst, sizes).notes();
  EXPECT_THAT(notes.front(), HasSubstr("2 of 4 keys: the others are forbidden"));
  EXPECT_THAT(error_of([&] { TensorMasks({.mask = allow}, kBatchFirst, sizes); }).message(), HasSubstr("fits no reading"));
  const FloatTensor one{{2, 1}, {1, 1}};
  EXPECT_THAT(error_of([&] { TensorMasks({.mask = one, .nonpad_kv_seqlen = lengths}, kBatchFirst, sizes); }).message(),
              HasSubstr("two ways"));
}

TEST(MaskSources, SentencesAreUnknownToTensors) {
  EXPECT_EQ(error_of([&] { TensorMasks({.text = "pair"}, kBatchFirst, {1, 1, 2, 2}); }).kind(), ErrorKind::usage);
}

}  // namespace
}  // namespace headlight
