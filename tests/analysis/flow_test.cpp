// Several maps as one: reductions and rollout.
#include "engine/analysis/flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/measures/gauging.h"

namespace headlight {
namespace {

using testing::causal_mask;

std::shared_ptr<const LayerTrace> given_layer(const std::vector<Matrix>& maps, std::shared_ptr<const Mask> mask) {
  auto layer = std::make_shared<LayerTrace>();
  layer->heads = layer->kv_heads = static_cast<int>(maps.size());
  for (const Matrix& map : maps) {
    layer->given.push_back({std::make_shared<const Matrix>(map), {}});
    HeadRule rule;
    rule.mask = mask;
    layer->rules.push_back(rule);
  }
  return layer;
}

Matrix random_causal(Index tokens, unsigned seed) {
  std::mt19937 random(seed);
  std::exponential_distribution<float> draw(1);
  Matrix map = Matrix::Zero(tokens, tokens);
  for (Index query = 0; query < tokens; ++query) {
    for (Index key = 0; key <= query; ++key) map(query, key) = draw(random);
    map.row(query) /= map.row(query).sum();
  }
  return map;
}

/// Layers × heads of random causal maps.
Trace random_trace(Index tokens, unsigned layers, unsigned heads) {
  Trace trace;
  const auto mask = std::make_shared<const Mask>(causal_mask(tokens));
  for (unsigned layer = 0; layer < layers; ++layer) {
    std::vector<Matrix> maps;
    for (unsigned head = 0; head < heads; ++head) maps.push_back(random_causal(tokens, 100 * layer + head));
    trace.layers.push_back(given_layer(maps, mask));
  }
  return trace;
}

std::vector<HeadId> all_heads(const Trace& trace) {
  std::vector<HeadId> heads;
  for (std::size_t layer = 0; layer < trace.layers.size(); ++layer) {
    for (int head = 0; head < trace.layers[layer]->heads; ++head) heads.push_back({static_cast<int>(layer), head});
  }
  return heads;
}

FlowMap made(const Trace& trace, const std::vector<HeadId>& heads, const FlowSettings& settings) {
  SilentProgress silent;
  return make_flow(trace, heads, settings, silent);
}

Matrix matrix3(std::array<float, 9> cells) {
  return Eigen::Map<const Matrix>(cells.data(), 3, 3);
}

// Abnar & Zuidema's product, from the left: the reversed one has another last row, .34 .1725 .4875.
TEST(Rollout, MultipliesLaterLayersFromTheLeft) {
  const std::vector<Matrix> maps{matrix3({1, 0, 0, 0.5F, 0.5F, 0, 0.2F, 0.3F, 0.5F}), matrix3({1, 0, 0, 0.2F, 0.8F, 0, 0.6F, 0.1F, 0.3F})};
  const Matrix expected = matrix3({1, 0, 0, 0.325F, 0.675F, 0, 0.3775F, 0.135F, 0.4875F});
  EXPECT_TRUE(rollout_of(maps, 0.5F).isApprox(expected, 1e-6F)) << rollout_of(maps, 0.5F);
  Trace trace;
  const auto mask = std::make_shared<const Mask>(causal_mask(3));
  for (const Matrix& map : maps) trace.layers.push_back(given_layer({map}, mask));
  const FlowMap flow = made(trace, all_heads(trace), {.reduction = Reduction::rollout});
  EXPECT_TRUE(flow.values.isApprox(expected, 1e-6F));
  EXPECT_EQ(flow.layers, (std::vector<int>{0, 1}));
}

TEST(Rollout, OfOneLayerIsItsMeanMixedWithTheTokenItself) {
  const Matrix expected = 0.5F * worked_map() + 0.5F * Matrix::Identity(4, 4);
  EXPECT_TRUE(rollout_of(std::vector<Matrix>{worked_map()}, 0.5F).isApprox(expected, 1e-6F));
  EXPECT_TRUE(rollout_of(std::vector<Matrix>{worked_map()}, 0).isApprox(worked_map(), 1e-6F));
  EXPECT_EQ(rollout_of(std::vector<Matrix>{worked_map()}, 1), Matrix::Identity(4, 4));
}

TEST(Rollout, RowsSumToOneWhateverTheFusionAndTheIdentity) {
  const Trace trace = random_trace(9, 4, 3);
  for (const bool fuses_by_max : {false, true}) {
    for (const float identity : {0.0F, 0.3F, 0.5F, 1.0F}) {
      const FlowMap flow = made(trace, all_heads(trace), {Reduction::rollout, fuses_by_max, identity});
      for (Index row = 0; row < 9; ++row) EXPECT_NEAR(flow.values.row(row).sum(), 1, 1e-5);
      EXPECT_EQ(flow.values(0, 0), 1) << "the first row of a causal map is the first token alone";
      for (Index row = 0; row < 9; ++row) {
        for (Index key = row + 1; key < 9; ++key) EXPECT_EQ(flow.values(row, key), 0);
      }
    }
  }
}

TEST(Rollout, AFullyMaskedRowPassesItsOwnTokenOn) {
  Matrix map = worked_map();
  map.row(2).setZero();
  const Matrix rolled = rollout_of(std::vector<Matrix>{map, worked_map()}, 0.5F);
  const Matrix first = rollout_of(std::vector<Matrix>{map}, 0.5F);
  EXPECT_EQ(first.row(2), (Matrix(1, 4) << 0, 0, 1, 0).finished());
  for (Index row = 0; row < 4; ++row) EXPECT_NEAR(rolled.row(row).sum(), 1, 1e-6);
}

TEST(Rollout, ThroughALayerLeavesOutThoseAfterIt) {
  const Trace trace = random_trace(6, 3, 2);
  const FlowMap through = made(trace, all_heads(trace), {.reduction = Reduction::rollout, .through = 1});
  EXPECT_EQ(through.layers, (std::vector<int>{0, 1}));
  EXPECT_EQ(through.heads, 4U);
  EXPECT_EQ(through.values, made(trace, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}, {.reduction = Reduction::rollout}).values);
}

TEST(Flow, OfIdenticalHeadsIsThatHead) {
  Trace trace;
  const auto mask = std::make_shared<const Mask>(causal_mask(4));
  trace.layers.push_back(given_layer({worked_map(), worked_map(), worked_map()}, mask));
  for (const Reduction reduction : {Reduction::mean, Reduction::max, Reduction::min, Reduction::median}) {
    EXPECT_TRUE(made(trace, all_heads(trace), {reduction}).values.isApprox(worked_map(), 1e-6F)) << row_of(reduction).name;
  }
}

TEST(Flow, OfPermutedHeadsIsTheSameToTheBit) {
  const Trace trace = random_trace(7, 3, 4);
  std::vector<HeadId> heads = all_heads(trace);
  std::mt19937 random(3);
  for (const ReductionRow& row : kReductionRows) {
    const Matrix before = made(trace, heads, {row.reduction}).values;
    std::shuffle(heads.begin(), heads.end(), random);
    EXPECT_EQ(made(trace, heads, {row.reduction}).values, before) << row.name;
  }
}

TEST(Flow, EachCellIsTheReductionOfThatCellOverTheHeads) {
  const Trace trace = random_trace(5, 2, 3);  // an even number of heads
  const std::vector<HeadId> heads = all_heads(trace);
  const auto cells_of = [&](Index query, Index key) {
    std::vector<float> values;
    for (const HeadId head : heads)
      values.push_back(trace.layer(head.layer).given[static_cast<std::size_t>(head.head)].weights()(query, key));
    std::sort(values.begin(), values.end());
    return values;
  };
  const Matrix mean = made(trace, heads, {Reduction::mean}).values, max = made(trace, heads, {Reduction::max}).values,
               min = made(trace, heads, {Reduction::min}).values, median = made(trace, heads, {Reduction::median}).values;
  for (Index query = 0; query < 5; ++query) {
    EXPECT_NEAR(mean.row(query).sum(), 1, 1e-6);
    for (Index key = 0; key < 5; ++key) {
      const std::vector<float> values = cells_of(query, key);
      EXPECT_NEAR(mean(query, key), std::accumulate(values.begin(), values.end(), 0.0) / 6, 1e-6);
      EXPECT_EQ(max(query, key), values.back());
      EXPECT_EQ(min(query, key), values.front());
      EXPECT_FLOAT_EQ(median(query, key), (values[2] + values[3]) / 2);
    }
  }
}

TEST(Flow, MayAttendWhereAnyOfItsHeadsMay) {
  Trace trace;
  trace.layers.push_back(given_layer({worked_map()}, std::make_shared<const Mask>(causal_mask(4))));
  trace.layers.push_back(given_layer({worked_map()}, std::make_shared<const Mask>(4, 4, true)));
  EXPECT_FALSE(made(trace, {{0, 0}}, {}).mask->allows(0, 3));
  EXPECT_TRUE(made(trace, all_heads(trace), {}).mask->allows(0, 3));
}

TEST(Flow, NeedsMoreMemoryForAMedianThanForAMeanAndSaysHowMuch) {
  const double mean = flow_bytes(1000, 1000, 144, {Reduction::mean}), median = flow_bytes(1000, 1000, 144, {Reduction::median});
  EXPECT_GT(median, mean);
  EXPECT_LT(flow_bytes(4000, 4000, 5000, {Reduction::median}), 16e6 * 16 + 300e6) << "a median holds some rows at a time";
}

}  // namespace
}  // namespace headlight
