#include "engine/attend/token_tensor.h"

#include <gtest/gtest.h>

#include "tests/attend/tensors.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using testing::at;
using testing::error_of;
using testing::random_tensor;
using testing::Shape;
using testing::swap_first_axes;

// Seeds S2-4.
TEST(SplitHeads, ThereAndBackIsTheIdentity) {
  for (const Index heads : {1, 2, 3, 6, 12}) {
    const FloatTensor joined = random_tensor("joined", {3, 5, 12});
    const FloatTensor split = split_heads(joined, heads);
    EXPECT_EQ(split.shape, (Shape{3, heads, 5, 12 / heads}));
    const FloatTensor back = join_heads(split);
    EXPECT_EQ(back.shape, joined.shape);
    EXPECT_EQ(back.values, joined.values);
  }
}

// Seeds S0-3.
TEST(SplitHeads, AHeadTakesItsColumns) {
  const FloatTensor joined = random_tensor("joined", {2, 5, 12});
  const FloatTensor split = split_heads(joined, 3);
  for (Index head = 0; head < 3; ++head) {
    for (Index column = 0; column < 4; ++column) EXPECT_EQ(at(split, {1, head, 2, column}), at(joined, {1, 2, head * 4 + column}));
  }
}

// Seeds S3-1.
TEST(TokenTensor, HoldsTheSameItemsInEitherLayout) {
  const FloatTensor batched = random_tensor("x", {3, 5, 4}), sequence = swap_first_axes(batched);
  const TokenTensor first("x", batched, TensorLayout::batch_first), second("x", sequence, TensorLayout::sequence_first);
  EXPECT_EQ(second.batch(), 3);
  EXPECT_EQ(second.tokens(), 5);
  for (Index batch = 0; batch < 3; ++batch) EXPECT_EQ(first.item(batch), second.item(batch));
}

TEST(TokenTensor, JoinsTheHeadsOfASplitTensorInEitherLayout) {
  const FloatTensor joined = random_tensor("x", {2, 5, 6}), split = split_heads(joined, 3);
  const FloatTensor sequence_joined = swap_first_axes(joined);
  const FloatTensor sequence_split{{5, 2, 3, 2}, sequence_joined.values};  // [tokens, batch, heads, width] has the same order
  const TokenTensor expected("x", joined, TensorLayout::batch_first);
  const TokenTensor first("q", split, TensorLayout::batch_first), second("q", sequence_split, TensorLayout::sequence_first);
  EXPECT_EQ(first.heads(), 3);
  EXPECT_EQ(second.heads(), 3);
  for (Index batch = 0; batch < 2; ++batch) {
    EXPECT_EQ(first.item(batch), expected.item(batch));
    EXPECT_EQ(second.item(batch), expected.item(batch));
  }
}

TEST(TokenTensor, WrongRanksAndEmptyAxesAreRefusedByName) {
  for (const Shape& shape : {Shape{4}, Shape{4, 4}, Shape{1, 2, 3, 4, 5}, Shape{2, 0, 4}, Shape{2, 3, 0}}) {
    const FloatTensor tensor = make_tensor(shape);
    const Error error = error_of([&] { TokenTensor("key", tensor, TensorLayout::batch_first); });
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_EQ(error.detail().field, "tensor key");
    EXPECT_EQ(error.detail().found, shape_text(shape));
  }
}

TEST(CheckFinite, NamesTheTensorAndThePlace) {
  for (const float broken : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    FloatTensor tensor = random_tensor("x", {2, 3, 4});
    check_finite("x", tensor);
    tensor.values[12 + 8 + 3] = broken;
    const Error error = error_of([&] { check_finite("x", tensor); });
    EXPECT_EQ(error.detail().field, "tensor x");
    EXPECT_NE(error.message().find("[1, 2, 3]"), std::string::npos) << error.message();
  }
}

}  // namespace
}  // namespace headlight
