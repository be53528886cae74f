#include "app/gui/mask_edits.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

using MaskPanel = testing::FrameTest;

constexpr HeadId kHead{1, 2};

TEST(MaskTerms, SurviveTheWayToTextAndBack) {
  for (const char* text : {"none", "causal", "causal + no-self", "window:4", "causal + window:8 + no-self + k % 2 == 0", "prefix:5"}) {
    EXPECT_EQ(to_text(split_terms(text)), text);
  }
}

TEST(MaskTerms, KeepWhatHasNoSwitch) {
  const MaskTerms terms = split_terms("causal+window:x+blocks:4");
  EXPECT_TRUE(terms.is_causal);
  EXPECT_FALSE(terms.window);
  EXPECT_EQ(terms.others, (std::vector<std::string>{"window:x", "blocks:4"}));
}

TEST(MaskEdits, SayingTheModelsOwnMaskIsNoEdit) {
  MaskEdits edits;
  set_text(edits, {}, "no-self", true);
  EXPECT_EQ(text_in_force(edits, {}, true), "no-self");
  set_text(edits, {}, "causal", true);
  EXPECT_EQ(edits, MaskEdits{});
}

TEST(MaskEdits, TheMostSpecificTextIsInForce) {
  MaskEdits edits;
  const Scope head = scope_at(Scope::Kind::head, kHead);
  const Scope layer = scope_at(Scope::Kind::layer, kHead);
  set_text(edits, head, "window:2", true);
  set_text(edits, layer, "none", true);
  set_text(edits, {}, "no-self", true);
  EXPECT_EQ(text_in_force(edits, head, true), "window:2");
  EXPECT_EQ(text_in_force(edits, layer, true), "none");
  EXPECT_EQ(text_in_force(edits, scope_at(Scope::Kind::head, {1, 3}), true), "none");
  EXPECT_EQ(text_in_force(edits, scope_at(Scope::Kind::head, {0, 2}), true), "no-self");
}

TEST(MaskEdits, AFastStrokeLeavesNoHoles) {
  MaskEdits edits;
  Stroke stroke{{}, 0, {0, 0}, {0, 0}};
  paint_stroke(edits, stroke, Brush::cell, false, {0, 0});
  paint_stroke(edits, stroke, Brush::cell, false, {4, 2});
  Mask mask(5, 5, true);
  for (const CellBlock& block : edits.rules.front().strokes) mask.set(block.query_begin, block.key_begin, block.is_allowed);
  for (Index query = 0; query < 5; ++query) EXPECT_EQ(mask.allowed_in_row(query), 4) << query;
}

TEST(MaskEdits, ARectangleIsDrawnAnewFromItsAnchor) {
  MaskEdits edits;
  edits.rules.push_back({{}, {}, {{0, 1, 0, 1, true}}});
  Stroke stroke{{}, 1, {3, 3}, {3, 3}};
  paint_stroke(edits, stroke, Brush::rectangle, false, {5, 5});
  paint_stroke(edits, stroke, Brush::rectangle, false, {1, 2});
  EXPECT_EQ(edits.rules.front().strokes, (std::vector<CellBlock>{{0, 1, 0, 1, true}, {1, 4, 2, 4, false}}));
}

TEST(MaskEdits, ClearingStrokesKeepsTheText) {
  MaskEdits edits;
  set_text(edits, {}, "no-self", false);
  Stroke stroke{{}, 0, {2, 0}, {2, 0}};
  paint_stroke(edits, stroke, Brush::row, false, {2, 0});
  EXPECT_EQ(stroke_count(edits, {}), 1U);
  clear_strokes(edits, {});
  EXPECT_EQ(stroke_count(edits, {}), 0U);
  EXPECT_EQ(text_in_force(edits, {}, false), "no-self");
}

TEST_F(MaskPanel, PresetsAddUpAndNoneStandsAlone) {
  window.click("Mask no self");
  EXPECT_EQ(text_in_force(document().query.mask, {}, true), "causal + no-self");
  window.click("Mask window");
  EXPECT_EQ(text_in_force(document().query.mask, {}, true), "causal + window:4 + no-self");
  window.click("Mask none");
  EXPECT_EQ(text_in_force(document().query.mask, {}, true), "none");
  settle();
  EXPECT_EQ(snapshot()->trace.layers[0]->mask(0).allowed_in_row(0), snapshot()->tokens());
}

TEST_F(MaskPanel, ATextWithAFaultIsExplainedAndChangesNothing) {
  window.click("Mask text");
  window.key("ctrl+a");
  window.type("casual");
  EXPECT_EQ(document().query.mask, MaskEdits{});
  EXPECT_FALSE(view.mask_entry.problem.empty());
  window.key("ctrl+a");
  window.type("blocks:3");
  EXPECT_TRUE(view.mask_entry.problem.empty());
  EXPECT_EQ(text_in_force(document().query.mask, {}, true), "blocks:3");
}

TEST_F(MaskPanel, AnEditForThisHeadLeavesTheOthersAlone) {
  view.head = kHead;
  window.click("Applies to");
  window.click("this head");
  window.click("Mask no self");
  settle();
  const LayerTrace& layer = *snapshot()->trace.layers[1];
  EXPECT_EQ(layer.mask(2).allowed_in_row(0), 0);
  EXPECT_EQ(layer.mask(3).allowed_in_row(0), 1);
  EXPECT_EQ(snapshot()->summary(kHead).masked_rows, 1);
}

TEST_F(MaskPanel, AStrokeOfTheBrushIsOneUndoStep) {
  show(View::head);
  window.click("Brush cell");
  window.drag(window.cell_of("map", {6, 1}), window.cell_of("map", {6, 4}));
  settle();
  const Mask& mask = snapshot()->trace.layers[0]->mask(0);
  for (Index key = 1; key <= 4; ++key) EXPECT_FALSE(mask.allows(6, key)) << key;
  EXPECT_TRUE(mask.allows(6, 0));
  EXPECT_FALSE(view.stroke.has_value());
  window.key("ctrl+z");
  EXPECT_EQ(document().query.mask, MaskEdits{});
  EXPECT_FALSE(session.history().can_undo());
}

TEST_F(MaskPanel, TheRowBrushMasksARowThatStaysWholeWhenTheTextGrows) {
  show(View::head);
  window.click("Brush row");
  window.click(window.cell_of("map", {3, 2}));
  say(document().query.text + " And one more word.");
  EXPECT_EQ(snapshot()->trace.layers[0]->mask(0).allowed_in_row(3), 0);
  EXPECT_EQ(snapshot()->summary({0, 0}).masked_rows, 1);
}

TEST_F(MaskPanel, AllowingPaintsOverTheCausalMask) {
  show(View::head);
  window.click("Brush rect");
  window.click("Paints allow");
  window.drag(window.cell_of("map", {0, 3}), window.cell_of("map", {1, 5}));
  settle();
  const Mask& mask = snapshot()->trace.layers[0]->mask(0);
  EXPECT_TRUE(mask.allows(0, 5));
  EXPECT_TRUE(mask.allows(1, 3));
  EXPECT_FALSE(mask.allows(2, 3));
}

TEST_F(MaskPanel, ClearEditsBringsTheModelsOwnMaskBack) {
  window.click("Mask no self");
  window.click("Mask window");
  window.click("Clear edits");
  EXPECT_EQ(document().query.mask, MaskEdits{});
}

}  // namespace
}  // namespace headlight
