#include "engine/attend/tensor_plan.h"

#include <gmock/gmock.h>

#include <limits>
#include <set>

#include "tests/attend/tensors.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using testing::attend_on;
using testing::error_of;
using testing::filled_tensor;
using ::testing::HasSubstr;
using testing::random_layer;
using testing::random_tensor;
using testing::refusal_of;
using testing::Shape;

TEST(AttentionTensorNames, EveryNameLeadsToATensorOfItsOwn) {
  std::set<std::string_view> names;
  AttentionTensors tensors;
  for (const AttentionTensorName& row : attention_tensor_names()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE((tensors.*row.part).has_value()) << row.name << " shares its tensor with an earlier name";
    tensors.*row.part = FloatTensor{};
  }
}

// Seeds S0-1, D4.
TEST(TensorPlan, AHeadCountThatDoesNotDivideTheWidthIsRefusedNamingBoth) {
  for (const auto& [width, heads] : {std::pair{64, 7}, {768, 10}, {100, 3}}) {
    AttentionTensors tensors;
    tensors.x = filled_tensor({1, 2, width}, 1);
    const Error error = error_of([&, count = heads] { attend_on(tensors, {.heads = count}); });  // clang 14 captures no binding
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.message(), AllOf(HasSubstr(std::to_string(width)), HasSubstr(std::to_string(heads) + " heads")));
  }
  AttentionTensors accepted;
  accepted.x = filled_tensor({1, 2, 64}, 1);
  EXPECT_EQ(attend_on(accepted, {.heads = 8}).d_head, 8);
}

TEST(TensorPlan, EveryMismatchIsRefusedByNameWithBothShapes) {
  const TensorAttentionOptions options{.heads = 3};
  const auto refusal = [&](AttentionTensors::Part AttentionTensors::*part, const Shape& shape) {
    AttentionTensors tensors = random_layer(2, 4, 6, 12, false);
    tensors.*part = filled_tensor(shape, 1);
    return refusal_of(tensors, options);
  };
  EXPECT_THAT(refusal(&AttentionTensors::key, {3, 6, 12}),
              AllOf(HasSubstr("tensor key"), HasSubstr("3 in [3, 6, 12]"), HasSubstr("expected 2")));
  EXPECT_THAT(refusal(&AttentionTensors::value, {2, 5, 12}),
              AllOf(HasSubstr("tensor value"), HasSubstr("5 in [2, 5, 12]"), HasSubstr("expected 6")));
  EXPECT_THAT(refusal(&AttentionTensors::query, {2, 4, 10}), AllOf(HasSubstr("q.weight"), HasSubstr("[12, 12]"), HasSubstr("[out, 10]")));
  EXPECT_THAT(refusal(&AttentionTensors::query, {2, 0, 12}),
              AllOf(HasSubstr("tensor query"), HasSubstr("size 0"), HasSubstr("[2, 0, 12]")));
  EXPECT_THAT(refusal(&AttentionTensors::query, {4, 12}), AllOf(HasSubstr("tensor query"), HasSubstr("[4, 12]")));
  EXPECT_THAT(refusal(&AttentionTensors::k_weight, {24, 12}), AllOf(HasSubstr("k.weight"), HasSubstr("8"), HasSubstr("4")));
  EXPECT_THAT(refusal(&AttentionTensors::k_bias, {11}), AllOf(HasSubstr("k.bias"), HasSubstr("[11]"), HasSubstr("[12]")));
  EXPECT_THAT(refusal(&AttentionTensors::o_weight, {12, 11}), AllOf(HasSubstr("o.weight"), HasSubstr("[12, 11]"), HasSubstr("[out, 12]")));
  EXPECT_THAT(refusal(&AttentionTensors::o_weight, {12}), AllOf(HasSubstr("o.weight"), HasSubstr("[out, in]")));
  EXPECT_THAT(refusal(&AttentionTensors::relative_bias, {3, 8}),
              AllOf(HasSubstr("relative_bias"), HasSubstr("[3, 8]"), HasSubstr("[3, 9]")));
  EXPECT_THAT(refusal(&AttentionTensors::x, {2, 4, 12}), HasSubstr("more than one form"));
  EXPECT_THAT(refusal(&AttentionTensors::past_key, {2, 3, 5, 5}),
              AllOf(HasSubstr("past_key"), HasSubstr("[2, 3, 5, 5]"), HasSubstr("[2, 3, past, 4]")));
  EXPECT_THAT(refusal_of({}, options), AllOf(HasSubstr("found none of them"), HasSubstr("query, key and value")));
  AttentionTensors without_value = random_layer(2, 4, 6, 12);
  without_value.value.reset();
  EXPECT_THAT(refusal_of(without_value, options), AllOf(HasSubstr("tensor value: is missing"), HasSubstr("found query, key,")));
  EXPECT_THAT(refusal_of(random_layer(2, 4, 6, 12), {}), HasSubstr("into how many heads?"));
}

TEST(TensorPlan, KeysThatFitFewerHeadsLeadToKvHeads) {
  AttentionTensors tensors;
  tensors.query = random_tensor("query", {2, 4, 48});
  tensors.key = tensors.value = random_tensor("key", {2, 5, 24});
  EXPECT_THAT(refusal_of(tensors, {.heads = 6}), HasSubstr("--kv-heads 3"));
  EXPECT_EQ(attend_on(tensors, {.heads = 6, .kv_heads = 3}).d_head, 8);
}

TEST(TensorPlan, SplitHeadsThatCannotBeSharedAreAFaultOfTheKeys) {
  AttentionTensors tensors;
  tensors.q = random_tensor("q", {2, 4, 5, 8});
  tensors.k = tensors.v = random_tensor("k", {2, 3, 6, 8});
  const Error error = error_of([&] { attend_on(tensors, {}); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  EXPECT_THAT(error.message(), AllOf(HasSubstr("tensor k: "), HasSubstr("3 heads in [2, 3, 6, 8]"), HasSubstr("divides 4")));
}

TEST(TensorPlan, NanAndInfinityAreRefusedWithTensorAndPlace) {
  for (const auto part : {&AttentionTensors::query, &AttentionTensors::value, &AttentionTensors::o_weight}) {
    AttentionTensors tensors = random_layer(1, 4, 4, 12);
    (tensors.*part)->values[14] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THAT(refusal_of(tensors, {.heads = 3}), AllOf(HasSubstr("nan"), HasSubstr("1, 2]")));
  }
}

TEST(TensorPlan, MapsAndOutputsBeyondTheLimitAreRefusedBeforeTheyAreMade) {
  AttentionTensors long_text;
  long_text.x = filled_tensor({1, 5'000'000, 2}, 1);  // maps of 91 TiB
  EXPECT_EQ(error_of([&] { attend_on(long_text, {.heads = 1}); }).kind(), ErrorKind::limit);
  AttentionTensors wide_output;
  wide_output.query = filled_tensor({1, 6'000'000, 1}, 1);
  wide_output.key = wide_output.value = filled_tensor({1, 1, 1}, 1);
  wide_output.o_weight = filled_tensor({400'000, 1}, 1);
  const Error error = error_of([&] { attend_on(wide_output, {.heads = 1}); });
  EXPECT_EQ(error.kind(), ErrorKind::limit);
  EXPECT_THAT(error.message(), AllOf(HasSubstr("8940.8 GiB for maps"), HasSubstr("400000 wide"), HasSubstr("GiB (three quarters of")));
}

}  // namespace
}  // namespace headlight
