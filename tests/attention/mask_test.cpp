#include "engine/attention/mask.h"

#include <gtest/gtest.h>

namespace headlight {
namespace {

constexpr Scope kAll{};
constexpr Scope layer_scope(int layer) {
  return {Scope::Kind::layer, {layer, 0}};
}
constexpr Scope head_scope(int layer, int head) {
  return {Scope::Kind::head, {layer, head}};
}
constexpr CellBlock cell(int query, int key, bool is_allowed) {
  return {query, query + 1, key, key + 1, is_allowed};
}

const MaskContext kContext{6, 6, {}};

LayerMasks masks_of(const MaskEdits& edits, int layer, bool is_causal = true) {
  return layer_masks(edits, layer, 3, is_causal ? "causal" : "none", kContext);
}

TEST(Scope, ContainsTheHeadsItNames) {
  EXPECT_TRUE(kAll.contains({3, 1}, Stack::only));
  EXPECT_TRUE(layer_scope(3).contains({3, 1}, Stack::only));
  EXPECT_FALSE(layer_scope(2).contains({3, 1}, Stack::only));
  EXPECT_TRUE(head_scope(3, 1).contains({3, 1}, Stack::only));
  EXPECT_FALSE(head_scope(3, 2).contains({3, 1}, Stack::only));
}

TEST(Mask, CountsTheKeysThatAQueryMaySeeHoweverManyThereAre) {
  constexpr Index kKeys = 5000;  // more than fit into one byte of a sum of eight
  Mask mask(2, kKeys, true);
  EXPECT_EQ(mask.allowed_in_row(0), kKeys);
  for (Index key = 0; key < kKeys; key += 3) mask.set(1, key, false);
  for (const Index keys : {0, 1, 7, 8, 9, 2039, 2040, 2041, 4999}) {
    EXPECT_EQ(mask.allowed_in_row(0, keys), keys);
    EXPECT_EQ(mask.allowed_in_row(1, keys), keys - (keys + 2) / 3) << keys;
  }
  EXPECT_EQ(mask.allowed_in_row(0), kKeys) << "the row above is another";
}

TEST(LayerMasks, WithoutEditsAreTheModelsOwn) {
  EXPECT_EQ(*masks_of({}, 0)[0], MaskText("causal").cells(kContext));
  EXPECT_EQ(*masks_of({}, 0, false)[0], Mask(6, 6, true));
}

// Seeds S0-7 and S3-7: one mask for every head; a mask per head is an extension.
TEST(LayerMasks, HeadsWithEqualEditsShareOneMask) {
  const MaskEdits edits{{{kAll, "window:2", {}}, {head_scope(1, 2), "none", {}}}};
  const LayerMasks plain = masks_of(edits, 0);
  EXPECT_EQ(plain[0], plain[1]);
  EXPECT_EQ(plain[1], plain[2]);
  const LayerMasks with_own = masks_of(edits, 1);
  EXPECT_EQ(with_own[0], with_own[1]);
  EXPECT_NE(with_own[1], with_own[2]);
  EXPECT_EQ(*with_own[2], Mask(6, 6, true));
}

TEST(LayerMasks, TheMostSpecificTextReplacesTheOthers) {
  const MaskEdits edits{{{head_scope(0, 1), "padding:2", {}}, {layer_scope(0), "no-self", {}}, {kAll, "window:2", {}}}};
  EXPECT_EQ(*masks_of(edits, 0)[0], MaskText("no-self").cells(kContext));
  EXPECT_EQ(*masks_of(edits, 0)[1], MaskText("padding:2").cells(kContext));
  EXPECT_EQ(*masks_of(edits, 1)[1], MaskText("window:2").cells(kContext));
}

TEST(LayerMasks, OfSeveralTextsOfOneScopeTheLastCounts) {
  const MaskEdits edits{{{kAll, "window:2", {}}, {kAll, "padding:3", {}}, {kAll, "", {cell(0, 0, false)}}}};
  Mask expected = MaskText("padding:3").cells(kContext);
  expected.set(0, 0, false);
  EXPECT_EQ(*masks_of(edits, 0)[0], expected);
}

TEST(LayerMasks, StrokesApplyInTheOrderAllLayerHead) {
  const MaskEdits edits{{{head_scope(0, 0), "", {cell(3, 1, true)}},
                         {layer_scope(0), "", {cell(3, 1, false), cell(2, 2, false)}},
                         {kAll, "", {cell(2, 2, true)}}}};
  EXPECT_TRUE(masks_of(edits, 0)[0]->allows(3, 1));
  EXPECT_FALSE(masks_of(edits, 0)[1]->allows(3, 1));
  EXPECT_FALSE(masks_of(edits, 0)[1]->allows(2, 2));
  EXPECT_TRUE(masks_of(edits, 1)[1]->allows(2, 2));
}

TEST(LayerMasks, StrokesOutsideTheMapAreIgnored) {
  const MaskEdits edits{{{kAll, "", {{-5, 100, 4, 2'000'000'000, true}, {50, 60, 0, 6, false}}}}};
  Mask expected = MaskText("causal").cells(kContext);
  for (Index query = 0; query < 6; ++query) {
    for (Index key = 4; key < 6; ++key) expected.set(query, key, true);
  }
  EXPECT_EQ(*masks_of(edits, 0)[0], expected);
}

TEST(EditsOfLayer, AreEqualForLayersThatGetEqualMasks) {
  const MaskEdits edits{{{layer_scope(1), "window:3", {}}, {layer_scope(2), "window:3", {}}, {head_scope(3, 0), "none", {}}}};
  EXPECT_EQ(edits_of_layer(edits, 1), edits_of_layer(edits, 2));
  EXPECT_NE(edits_of_layer(edits, 1), edits_of_layer(edits, 3));
  EXPECT_EQ(edits_of_layer(edits, 0), MaskEdits{});
}

TEST(EditsOfLayer, GiveTheMasksOfTheWholeEditsAndAreTheirOwnNormalForm) {
  const MaskEdits edits{{{head_scope(1, 2), "", {cell(1, 1, false)}},
                         {kAll, "window:3", {cell(5, 5, false)}},
                         {head_scope(1, 0), "none", {}},
                         {layer_scope(1), "", {cell(5, 5, true)}},
                         {head_scope(1, 2), "padding:2", {}}}};
  const MaskEdits normal = edits_of_layer(edits, 1);
  EXPECT_EQ(edits_of_layer(normal, 0), normal);
  for (int head = 0; head < 3; ++head) {
    EXPECT_EQ(*masks_of(edits, 1)[static_cast<std::size_t>(head)], *masks_of(normal, 0)[static_cast<std::size_t>(head)]);
  }
}

TEST(MaskEdits, AScopeOfAStackLeavesTheOtherStacksAlone) {
  const Scope cross{Scope::Kind::stack, {}, Stack::cross};
  const MaskEdits edits{{{cross, "window:2", {{0, 1, 0, 1, false}}}, {layer_scope(3), "none", {}}}};
  EXPECT_EQ(edits_of_layer(edits, 0, Stack::encoder), MaskEdits{});
  EXPECT_EQ(edits_of_layer(edits, 2, Stack::decoder), MaskEdits{});
  EXPECT_EQ(edits_of_layer(edits, 5, Stack::cross), (MaskEdits{{{{}, "window:2", {{0, 1, 0, 1, false}}}}}));
  EXPECT_EQ(edits_of_layer(edits, 3, Stack::cross), (MaskEdits{{{{}, "none", {{0, 1, 0, 1, false}}}}})) << "a layer is more specific";
  EXPECT_EQ(edits_of_layer(edits, 5), MaskEdits{}) << "a model with one stack has no cross-attention";
  EXPECT_TRUE(cross.contains({3, 1}, Stack::cross));
  EXPECT_FALSE(cross.contains({3, 1}, Stack::decoder));
  EXPECT_FALSE((Scope{Scope::Kind::stack, {}, Stack::only}.contains({3, 1}, Stack::only)));
}

TEST(MaskEdits, AStackTellsMoreThanAllAndLessThanALayer) {
  const Scope cross{Scope::Kind::stack, {}, Stack::cross};
  const MaskEdits edits{{{layer_scope(3), "no-self", {}}, {cross, "window:2", {}}, {kAll, "none", {}}}};
  EXPECT_EQ(edits_of_layer(edits, 3, Stack::cross).rules.front().text, "no-self");
  EXPECT_EQ(edits_of_layer(edits, 5, Stack::cross).rules.front().text, "window:2");
  EXPECT_EQ(edits_of_layer(edits, 0, Stack::encoder).rules.front().text, "none");
}

}  // namespace
}  // namespace headlight
