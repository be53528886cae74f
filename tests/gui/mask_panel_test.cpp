#include "app/document/mask_edits.h"
#include "engine/figure/figure_notes.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

using MaskPanel = testing::FrameTest;

constexpr HeadId kHead{1, 2};

TEST(MaskTerms, SurviveTheWayToTextAndBack) {
  for (const char* text : {"none", "causal", "causal + no-self", "window:4", "causal + window:8 + no-self + k % 2 == 0",
                           "prefix:5 + padding:6", "blocks:4 + pair + no-self"}) {
    EXPECT_EQ(to_text(split_terms(text)), text);
  }
}

TEST(MaskTerms, KeepWhatHasNoSwitch) {
  const MaskTerms terms = split_terms("causal+window:x+blocks:4+blocks:6");
  EXPECT_TRUE(terms.is_causal);
  EXPECT_FALSE(terms.window);
  EXPECT_EQ(terms.blocks, 4);
  EXPECT_EQ(terms.others, (std::vector<std::string>{"window:x", "blocks:6"}));
}

TEST(MaskEdits, SayingTheModelsOwnMaskIsNoEdit) {
  MaskEdits edits;
  set_text(edits, {}, "no-self", "causal");
  EXPECT_EQ(text_in_force(edits, {}, "causal"), "no-self");
  set_text(edits, {}, "causal", "causal");
  EXPECT_EQ(edits, MaskEdits{});
}

TEST(MaskEdits, TheMostSpecificTextIsInForce) {
  MaskEdits edits;
  const Scope head = scope_at(Scope::Kind::head, kHead, Stack::only);
  const Scope layer = scope_at(Scope::Kind::layer, kHead, Stack::only);
  set_text(edits, head, "window:2", "causal");
  set_text(edits, layer, "none", "causal");
  set_text(edits, {}, "no-self", "causal");
  EXPECT_EQ(text_in_force(edits, head, "causal"), "window:2");
  EXPECT_EQ(text_in_force(edits, layer, "causal"), "none");
  EXPECT_EQ(text_in_force(edits, scope_at(Scope::Kind::head, {1, 3}, Stack::only), "causal"), "none");
  EXPECT_EQ(text_in_force(edits, scope_at(Scope::Kind::head, {0, 2}, Stack::only), "causal"), "no-self");
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
  set_text(edits, {}, "no-self", "none");
  Stroke stroke{{}, 0, {2, 0}, {2, 0}};
  paint_stroke(edits, stroke, Brush::row, false, {2, 0});
  EXPECT_EQ(stroke_count(edits, {}), 1U);
  clear_strokes(edits, {});
  EXPECT_EQ(stroke_count(edits, {}), 0U);
  EXPECT_EQ(text_in_force(edits, {}, "none"), "no-self");
}

TEST_F(MaskPanel, PresetsAddUpAndNoneStandsAlone) {
  window.click("Mask no self");
  EXPECT_EQ(text_in_force(document().query.mask, {}, "causal"), "causal + no-self");
  window.click("Mask window");
  EXPECT_EQ(text_in_force(document().query.mask, {}, "causal"), "causal + window:4 + no-self");
  window.click("Mask none");
  EXPECT_EQ(text_in_force(document().query.mask, {}, "causal"), "none");
  settle();
  EXPECT_EQ(snapshot()->trace.layers[0]->mask(0).allowed_in_row(0), snapshot()->tokens());
}

TEST_F(MaskPanel, ATextWithAFaultIsExplainedAndChangesNothing) {
  window.click("Mask text");
  window.key("ctrl+a");
  window.type("casual");
  window.key("enter");
  EXPECT_EQ(document().query.mask, MaskEdits{});
  EXPECT_FALSE(view.rails.mask_entry.problem.empty());
  window.click("Mask text");
  window.key("ctrl+a");
  window.type("blocks:3");
  EXPECT_TRUE(view.rails.mask_entry.problem.empty());
  EXPECT_EQ(document().query.mask, MaskEdits{}) << "blocks:3 may be the beginning of blocks:32";
  window.key("enter");
  EXPECT_EQ(text_in_force(document().query.mask, {}, "causal"), "blocks:3");
}

TEST_F(MaskPanel, EscapeBringsBackTheTextThatIsInForce) {
  window.click("Mask text");
  window.key("ctrl+a");
  window.type("casual");
  window.key("escape");
  window.frame();
  EXPECT_EQ(view.rails.mask_entry.text, "causal");
  EXPECT_TRUE(view.rails.mask_entry.problem.empty());
  EXPECT_FALSE(session.history().can_undo());
}

TEST_F(MaskPanel, AnEmptiedTextIsTheModelsOwnMask) {
  window.click("Mask no self");
  window.click("Mask text");
  window.key("ctrl+a");
  window.key("delete");
  EXPECT_TRUE(view.rails.mask_entry.problem.empty());
  window.key("enter");
  EXPECT_EQ(document().query.mask, MaskEdits{});
  window.frame();
  EXPECT_EQ(view.rails.mask_entry.text, "causal");
}

TEST_F(MaskPanel, EachEnteredTextIsOneUndoStep) {
  for (const char* text : {"window:2", "window:3"}) {
    window.click("Mask text");
    window.key("ctrl+a");
    window.type(text);
    window.key("enter");
  }
  window.key("ctrl+z");
  EXPECT_EQ(text_in_force(document().query.mask, {}, "causal"), "window:2");
  window.key("ctrl+z");
  EXPECT_EQ(document().query.mask, MaskEdits{});
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

TEST_F(MaskPanel, MasksOfSingleHeadsAreListedMarkedAndClearedOneByOne) {
  view.head = kHead;
  window.click("Mask window");
  view.painting.scope = Scope::Kind::head;
  window.click("Mask no self");
  settle();
  EXPECT_TRUE(window.has("own mask of head 1.2"));
  EXPECT_FALSE(window.has("own mask of head 1.1"));
  EXPECT_EQ(mask_of_head(*snapshot(), kHead), "causal + window:4 + no-self");
  view.head = {0, 0};
  settle();
  window.click("Clear mask of layer 1, head 2");
  settle();
  EXPECT_EQ(document().query.mask, (MaskEdits{{{{}, "causal + window:4", {}}}}));
  EXPECT_FALSE(window.has("own mask of head 1.2"));
  window.click("Clear mask of all heads");
  EXPECT_EQ(document().query.mask, MaskEdits{});
}

TEST_F(MaskPanel, AStrokeOfTheBrushIsOneUndoStep) {
  show(View::head);
  window.click("Brush cell");
  window.drag(window.cell_of("map", {6, 1}), window.cell_of("map", {6, 4}));
  settle();
  const Mask& mask = snapshot()->trace.layers[0]->mask(0);
  for (Index key = 1; key <= 4; ++key) EXPECT_FALSE(mask.allows(6, key)) << key;
  EXPECT_TRUE(mask.allows(6, 0));
  EXPECT_FALSE(view.painting.stroke.has_value());
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

TEST_F(MaskPanel, APrefixTakesThePlaceOfTheCausalMask) {
  window.click("Mask prefix");
  EXPECT_EQ(text_in_force(document().query.mask, {}, "causal"), "prefix:4");
  window.click("Prefix more");
  window.click("Mask blocks");
  EXPECT_EQ(text_in_force(document().query.mask, {}, "causal"), "prefix:5 + blocks:4");
  settle();
  const Mask& mask = snapshot()->trace.layers[0]->mask(0);
  EXPECT_TRUE(mask.allows(0, 3));
  EXPECT_FALSE(mask.allows(4, 3)) << "another block";
  window.click("Mask causal");
  EXPECT_EQ(text_in_force(document().query.mask, {}, "causal"), "causal + blocks:4");
}

TEST_F(MaskPanel, ATextThatTakesThePlaceOfTheCausalMaskIsSaidToDoSo) {
  window.click("Mask no self");
  settle();
  EXPECT_FALSE(window.has("Sight ahead"));
  window.click("Mask causal");
  settle();
  EXPECT_TRUE(window.has("Sight ahead")) << "no-self alone lets tokens see what comes after them";
  window.click("Mask causal");
  settle();
  EXPECT_FALSE(window.has("Sight ahead"));
}

TEST_F(MaskPanel, PaddingAndPairAddUp) {
  window.click("Mask padding");
  window.click("Mask pair");
  EXPECT_EQ(text_in_force(document().query.mask, {}, "causal"), "causal + padding:4 + pair");
  window.click("Mask padding");
  EXPECT_EQ(text_in_force(document().query.mask, {}, "causal"), "causal + pair");
}

TEST_F(MaskPanel, AnEditOfTheHeadsOnlyIsMarkedOnEveryView) {
  const Matrix after = *snapshot()->trace.final_hidden.whole();
  window.click("Mask no self");
  window.click("Mask acts on");
  EXPECT_TRUE(window.has("later layers too"));
  EXPECT_FALSE(window.has("this map only")) << "it would contradict: the edit applies to all heads";
  window.click("these maps only");
  settle();
  EXPECT_EQ(document().query.mask_reach, MaskReach::this_head);
  EXPECT_FALSE(snapshot()->trace.layers[0]->mask(0).allows(3, 3));
  EXPECT_EQ(*snapshot()->trace.final_hidden.whole(), after) << "the model goes on with its own mask";
  for (const View which : {View::overview, View::head, View::compare}) {
    show(which);
    EXPECT_TRUE(window.has("Effect badge"));
  }
  window.click("Clear edits");
  EXPECT_FALSE(window.has("Effect badge")) << "nothing is edited";
}

TEST_F(MaskPanel, TheNarrowEffectIsNamedAfterWhatTheEditAppliesTo) {
  view.painting.scope = Scope::Kind::head;
  window.click("Mask acts on");
  EXPECT_FALSE(window.has("these maps only"));
  window.click("this map only");
  EXPECT_EQ(document().query.mask_reach, MaskReach::this_head);
}

TEST_F(MaskPanel, WritesTheMaskOfAHeadAndReadsItAsOneUndoStep) {
  window.resize({1600, 1700});  // the whole left rail
  const testing::TemporaryFolder folder;
  const std::string path = (folder / "mask.txt").string();
  window.click("Mask window");
  settle();
  const Mask wanted = snapshot()->trace.layers[0]->mask(0);
  window.click("Mask file…");
  window.click("Mask path");
  window.type(path);
  window.click("Write mask");
  settle();
  EXPECT_EQ(testing::bytes_of(path).substr(0, 8), "1 0 0 0 ");
  window.key("escape");
  window.key("escape");
  window.click("Clear edits");
  window.click("Mask file…");
  window.click("Mask scope this head");
  window.click("Read mask");
  settle();
  settle();
  ASSERT_EQ(document().query.mask.rules.size(), 1U);
  EXPECT_EQ(document().query.mask.rules[0].scope.kind, Scope::Kind::head);
  EXPECT_EQ(snapshot()->trace.layers[0]->mask(0), wanted);
  EXPECT_NE(snapshot()->trace.layers[0]->mask(1), wanted);
  window.key("escape");
  window.click("Undo");
  EXPECT_EQ(document().query.mask, MaskEdits{});
}

TEST_F(MaskPanel, AFileOfAnotherShapeIsRefusedAndChangesNothing) {
  const testing::TemporaryFolder folder;
  window.click("Mask file…");
  window.click("Mask path");
  window.type(folder.file("small.txt", "10\n11\n").string());
  window.click("Read mask");
  settle();
  EXPECT_TRUE(session.exporter().status().is_failure);
  EXPECT_NE(session.exporter().status().message.find("12 × 12"), std::string::npos) << session.exporter().status().message;
  EXPECT_EQ(document().query.mask, MaskEdits{});
}

}  // namespace
}  // namespace headlight
