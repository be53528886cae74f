// Which head does this: the ranking of heads by what is framed, on maps that are known.
#include "engine/analysis/ranking.h"

#include <gtest/gtest.h>

namespace headlight {
namespace {

constexpr Index kTokens = 4;

std::shared_ptr<const Mask> mask_of(bool is_causal) {
  auto mask = std::make_shared<Mask>(kTokens, kTokens, true);
  for (Index query = 0; is_causal && query < kTokens; ++query) {
    for (Index key = query + 1; key < kTokens; ++key) mask->set(query, key, false);
  }
  return mask;
}

/// A layer of maps as a file gives them.
std::shared_ptr<const LayerTrace> layer_of(const std::vector<Matrix>& maps, const std::shared_ptr<const Mask>& mask) {
  auto layer = std::make_shared<LayerTrace>();
  layer->heads = layer->kv_heads = static_cast<int>(maps.size());
  for (const Matrix& map : maps) {
    layer->rules.push_back({.mask = mask});
    layer->given.push_back({std::make_shared<const Matrix>(map), {}});
  }
  return layer;
}

Matrix even() {
  return Matrix::Constant(kTokens, kTokens, 0.25F);
}

/// Every query gives `share` to `key`, and the rest evenly to the others.
Matrix looking_at(Index key, float share) {
  Matrix map = Matrix::Constant(kTokens, kTokens, (1 - share) / 3);
  map.col(key).setConstant(share);
  return map;
}

std::vector<RankedHead> ranked(const Trace& trace, const std::vector<CellBlock>& frames) {
  SilentProgress progress;
  return rank_heads(trace, measure_of(all_measures(), kFramedWeight), frames, progress);
}

TEST(Ranking, PutsTheHeadThatLooksWhereTheFrameIsFirst) {
  Trace trace;
  trace.layers = {layer_of({even(), looking_at(1, 0.7F)}, mask_of(false)), layer_of({looking_at(2, 0.4F)}, mask_of(false))};
  const auto first = ranked(trace, {{3, 4, 1, 2}});
  ASSERT_EQ(first.size(), 3U);
  EXPECT_EQ(first[0].head, (HeadId{0, 1}));
  EXPECT_NEAR(first[0].value, 0.7, 1e-6);
  EXPECT_NEAR(first[0].even, 0.25, 1e-6);
  EXPECT_EQ(first[0].rows, 1);
  EXPECT_EQ(ranked(trace, {{3, 4, 2, 3}})[0].head, (HeadId{1, 0}));
}

TEST(Ranking, SumsTheKeysOfARowAndTakesTheMeanOfTheRows) {
  Trace trace;
  trace.layers = {layer_of({looking_at(1, 0.7F)}, mask_of(false))};
  const auto found = ranked(trace, {{2, 4, 0, 2}});  // two queries, keys 0 and 1
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].value, 0.8, 1e-6);
  EXPECT_NEAR(found[0].even, 0.5, 1e-6);
  EXPECT_EQ(found[0].rows, 2);
  const auto twice = ranked(trace, {{2, 3, 1, 2}, {2, 3, 1, 2}});
  EXPECT_NEAR(twice[0].value, 0.7, 1e-6) << "a cell in two frames counts once";
}

TEST(Ranking, MaskedFramesSayNothing) {
  Trace trace;
  trace.layers = {layer_of({looking_at(1, 0.7F)}, mask_of(true))};
  EXPECT_TRUE(ranked(trace, {{0, 1, 3, 4}}).empty()) << "the key comes later";
  EXPECT_TRUE(ranked(trace, {}).empty());
  const auto mixed = ranked(trace, {{0, 1, 3, 4}, {3, 4, 1, 2}});
  ASSERT_EQ(mixed.size(), 1U);
  EXPECT_EQ(mixed[0].rows, 1);
}

TEST(Ranking, OfEqualHeadsTheLowerComesFirst) {
  Trace trace;
  trace.layers = {layer_of({even(), even()}, mask_of(false)), layer_of({even()}, mask_of(false))};
  const auto found = ranked(trace, {{1, 2, 1, 2}});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].head, (HeadId{0, 0}));
  EXPECT_EQ(found[1].head, (HeadId{0, 1}));
  EXPECT_EQ(found[2].head, (HeadId{1, 0}));
}

}  // namespace
}  // namespace headlight
