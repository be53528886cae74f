#include "engine/labs/counts.h"

#include <gtest/gtest.h>

#include "engine/model/model.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;

constexpr std::int64_t kDivisorsOf768[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 768};

// Seeds S1-2: the number of heads does not change the number of parameters while their width shrinks with it.
TEST(Counts, ParametersDoNotChangeWithTheHeadCount) {
  for (const std::int64_t heads : kDivisorsOf768) {
    EXPECT_EQ(count_parameters(cost_of_heads(768, heads, 64, false).shared_width).total(), 2'359'296) << heads << " heads";
    EXPECT_EQ(count_parameters(cost_of_heads(768, heads, 64, true).shared_width).total(), 2'362'368) << heads << " heads";
  }
}

// Seeds S1-2 (the checklist's trap 5): heads of a fixed width cost parameters, operations and cache, each.
TEST(Counts, HeadsOfAFixedWidthGrowWithTheHeadCount) {
  const auto [shared, fixed] = cost_of_heads(768, 24, 64, false);
  EXPECT_EQ(count_parameters(fixed).total(), 2 * count_parameters(shared).total());
  EXPECT_EQ(count_flops(fixed, 100, 100).total(), 2 * count_flops(shared, 100, 100).total());
  EXPECT_EQ(count_cache_bytes(fixed, 100, 4), 2 * count_cache_bytes(shared, 100, 4));
  const HeadCountCost equal = cost_of_heads(768, 12, 64, true);
  EXPECT_EQ(equal.shared_width, equal.fixed_width);
}

// Seeds S2-11.
TEST(Counts, BiasesOfAllFourLayersAreOptionalTogether) {
  EXPECT_EQ(count_parameters({.d_model = 100, .heads = 5, .d_head = 20, .has_bias = false}).total(), 40'000);
  const AttentionParameters with_bias = count_parameters({.d_model = 100, .heads = 5, .d_head = 20, .has_bias = true});
  EXPECT_EQ(with_bias.total(), 40'400);
  EXPECT_EQ(with_bias.q, 10'100);
  EXPECT_EQ(with_bias.o, 10'100);
}

TEST(Counts, SharedKeysAndValuesSaveParametersAndCache) {
  const AttentionWidths full{.d_model = 64, .heads = 8, .d_head = 8, .has_bias = true};
  AttentionWidths grouped = full;
  grouped.kv_heads = 2;
  EXPECT_EQ(count_parameters(grouped).k, 64 * 16 + 16);
  EXPECT_EQ(count_parameters(grouped).q, count_parameters(full).q);
  EXPECT_EQ(count_cache_bytes(grouped, 1000, 2), 2.0 * 1000 * 16 * 2);
  EXPECT_EQ(count_flops(grouped, 10, 10).scores, count_flops(full, 10, 10).scores);
}

/// The formula against the numbers that a model really holds.
TEST(Counts, AgreeWithTheParametersOfAModel) {
  for (const int heads : {1, 2, 8}) {
    const auto model = make_sandbox({.layers = 3, .d_model = 64, .heads = heads});
    const LayerParameters& layer = model->parameters.layers.front();
    const AttentionWidths sizes{.d_model = 64, .heads = heads, .d_head = 64 / heads, .has_bias = layer.q.bias.size() > 0};
    EXPECT_EQ(count_parameters(sizes).total(), layer.q.weight.size() + layer.q.bias.size() + layer.k.weight.size() + layer.k.bias.size() +
                                                   layer.v.weight.size() + layer.v.bias.size() + layer.o.weight.size() +
                                                   layer.o.bias.size());
    const std::int64_t final_norm = 2 * 64;
    EXPECT_EQ(3 * count_layer_parameters(sizes, model->config.feed_forward.d_ff) + final_norm, tally_parameters(model->parameters).numbers);
  }
}

/// Every step of plain loops counted.
TEST(Counts, OperationsAreThoseOfPlainLoops) {
  const AttentionWidths sizes{.d_model = 6, .heads = 3, .d_head = 2, .kv_heads = 1};
  const int queries = 4, keys = 5;
  double projections = 0, scores = 0, mix = 0, output = 0;
  for (int query = 0; query < queries; ++query) {
    for (int column = 0; column < 6; ++column) {
      for (int row = 0; row < 6; ++row) projections += 2, output += 2;
    }
    for (int head = 0; head < 3; ++head) {
      for (int key = 0; key < keys; ++key) {
        for (int column = 0; column < 2; ++column) scores += 2, mix += 2;
      }
    }
  }
  for (int key = 0; key < keys; ++key) {
    for (int column = 0; column < 2 + 2; ++column) {
      for (int row = 0; row < 6; ++row) projections += 2;
    }
  }
  const AttentionFlops counted = count_flops(sizes, queries, keys);
  EXPECT_EQ(counted.projections, projections);
  EXPECT_EQ(counted.scores, scores);
  EXPECT_EQ(counted.mix, mix);
  EXPECT_EQ(counted.output, output);
  EXPECT_EQ(count_layer_flops(sizes, 10, 4), count_flops(sizes, 4, 4).total() + 2 * 2 * 4 * 6 * 10);
}

TEST(Counts, SizesOutOfRangeAreRefused) {
  EXPECT_NE(error_of([] { cost_of_heads(768, 10, 64, true); }).message().find("768"), std::string::npos);
  EXPECT_EQ(error_of([] { count_parameters({.d_model = 0, .heads = 1, .d_head = 1}); }).detail().field, "d_model");
  EXPECT_EQ(error_of([] { count_parameters({.d_model = 8, .heads = 1 << 17, .d_head = 1}); }).detail().field, "heads");
  EXPECT_EQ(error_of([] { count_parameters({.d_model = 8, .heads = 4, .d_head = 2, .kv_heads = 3}); }).detail().field, "kv_heads");
  EXPECT_EQ(error_of([] { count_layer_parameters({.d_model = 8, .heads = 4, .d_head = 2}, 0); }).detail().field, "d_ff");
}

/// The largest sizes accepted still fit.
TEST(Counts, TheLargestSizesDoNotOverflow) {
  const AttentionWidths largest{.d_model = 1 << 20, .heads = 1 << 16, .d_head = 1 << 20};
  EXPECT_EQ(count_parameters(largest).total(), 4 * (std::int64_t{1} << 56) + 3 * (std::int64_t{1} << 36) + (1 << 20));
  EXPECT_GT(count_layer_parameters(largest, 1 << 20), count_parameters(largest).total());
}

}  // namespace
}  // namespace headlight
