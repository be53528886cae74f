#include <cmath>

#include "app/gui/rails/head_counts.h"
#include "engine/forward/surgery.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

using LeftRail = testing::FrameTest;

ModelConfig config_of(int d_model, PositionKind positions = PositionKind::sinusoidal) {
  return sandbox_config({.d_model = d_model, .heads = 1, .positions = positions});
}

TEST(HeadCounts, OfferTheModelsOwnCountAmongFive) {
  EXPECT_EQ(offered_head_counts(legal_head_counts(config_of(64)), 8), (std::vector<int>{1, 2, 4, 8, 16}));
  EXPECT_EQ(offered_head_counts(legal_head_counts(config_of(768)), 12), (std::vector<int>{1, 2, 4, 8, 12}));
  EXPECT_EQ(offered_head_counts(legal_head_counts(config_of(7)), 1), (std::vector<int>{1, 7}));
}

TEST(HeadCounts, ExplainAnIllegalOneWithTheEnginesReason) {
  EXPECT_EQ(read_head_count(config_of(64), "7").problem, "7 heads do not divide d_model 64.");
  EXPECT_EQ(read_head_count(config_of(64), "32").count, 32);
  EXPECT_TRUE(read_head_count(config_of(64), "32").problem.empty());
  EXPECT_EQ(read_head_count(config_of(64), "99999999999999").problem, "99999999999999 heads are more than the 64 columns that they share.");
  for (const char* typed : {"4x", "1e3", "-", "two"})
    EXPECT_EQ(read_head_count(config_of(64), typed).problem, "A head count is a whole number.") << typed;
  for (const char* typed : {"0", "-8", "-99999999999999"}) EXPECT_FALSE(read_head_count(config_of(64), typed).problem.empty()) << typed;
}

TEST(HeadCounts, DivisorsThatTheModelCannotHaveAreNamedWithTheReason) {
  EXPECT_EQ(describe_left_out(config_of(64)), "");
  EXPECT_EQ(describe_left_out(config_of(6, PositionKind::rotary)),
            "Not 2, 6: 2 heads would be 3 wide, but rotary positions turn pairs of numbers.");
}

TEST_F(LeftRail, ChoosesAHeadCount) {
  window.click("Heads 4");
  settle();
  EXPECT_EQ(document().query.model.sandbox.heads, 4);
  EXPECT_EQ(snapshot()->heads(), 4);
}

TEST_F(LeftRail, ATypedCountCountsWithEnterAndNotOnTheWay) {
  window.click("Heads …");
  window.click("Head count");
  window.type("7");
  EXPECT_EQ(document().query.model.sandbox.heads, 8);
  EXPECT_EQ(view.rails.typed_heads, "7");
  window.key("enter");
  EXPECT_EQ(document().query.model.sandbox.heads, 8) << "7 does not divide 64";
  window.click("Head count");
  window.key("backspace");
  window.type("32");
  EXPECT_EQ(document().query.model.sandbox.heads, 8) << "neither 3 nor 32 yet";
  window.key("enter");
  settle();
  EXPECT_EQ(snapshot()->heads(), 32);
  EXPECT_FALSE(window.has("Head count")) << "the list closes with what was asked of it";
  window.key("ctrl+z");
  EXPECT_EQ(document().query.model.sandbox.heads, 8) << "one step";
}

TEST_F(LeftRail, EscapeLeavesTheBoxOfAHeadCountAndThenClosesTheList) {
  window.click("Heads …");
  window.click("Head count");
  window.type("4");
  window.key("escape");
  EXPECT_TRUE(window.has("Head count"));
  window.key("escape");
  EXPECT_FALSE(window.has("Head count"));
  EXPECT_EQ(document().query.model.sandbox.heads, 8);
}

TEST_F(LeftRail, FewerHeadsKeepTheShownHeadInReach) {
  view.head = {3, 7};
  window.click("Heads 2");
  settle();
  EXPECT_EQ(view.head, (HeadId{3, 1}));
}

TEST_F(LeftRail, TheLayerSliderLooksAtAnotherLayer) {
  const Box slider = window.box_of("Layer slider");
  const float y = slider.y + slider.height / 2;
  window.drag({slider.x + slider.width * 0.2F, y}, {slider.right() - 1, y});
  EXPECT_EQ(view.head.layer, 3);
  EXPECT_FALSE(session.history().can_undo()) << "where one looks is no edit";
}

TEST_F(LeftRail, ResizesTheSandbox) {
  window.click("Layers more");
  settle();
  EXPECT_EQ(snapshot()->layers(), 5);
  const std::uint64_t seed = document().query.model.sandbox.seed;
  window.click("New seed");
  EXPECT_NE(document().query.model.sandbox.seed, seed);
  window.click("Tokens bytes");
  settle();
  EXPECT_EQ(snapshot()->tokens(), static_cast<Index>(document().query.text.size()));
}

TEST_F(LeftRail, OffersOnlyWidthsThatTheHeadCountDivides) {
  window.click("Heads 16");
  window.click("Width");
  EXPECT_TRUE(window.has("128"));
  EXPECT_FALSE(window.has("8"));
  window.click("128");
  settle();
  EXPECT_EQ(document().query.model.sandbox.d_model, 128);
  EXPECT_FALSE(session.worker().status().error.has_value());
}

TEST_F(LeftRail, SwitchesTheScaleOfScoresOff) {
  window.click("Scaled");
  EXPECT_FALSE(document().query.score.is_scaled);
}

TEST_F(LeftRail, OneDragOfTheTemperatureIsOneUndoStep) {
  const Box slider = window.box_of("Temperature");
  const float y = slider.y + slider.height / 2;
  window.drag({slider.x + slider.width / 2, y}, {slider.x + slider.width * 0.2F, y});
  EXPECT_LT(document().query.score.temperature, 1);
  EXPECT_GT(document().query.score.temperature, 0);
  window.click("Undo");
  EXPECT_EQ(document().query.score.temperature, 1);
  EXPECT_FALSE(session.history().can_undo());
  window.click("Redo");
  EXPECT_LT(document().query.score.temperature, 1);
}

TEST_F(LeftRail, ADoubleClickBringsTheTemperatureHome) {
  Document hot = document();
  hot.query.score.temperature = 5;
  session.apply(hot, false, false);
  window.double_click("Temperature");
  EXPECT_EQ(document().query.score.temperature, 1);
}

TEST_F(LeftRail, AThemeBringsItsOwnColoursUnlessOthersWereChosen) {
  window.click("Theme light");
  EXPECT_EQ(document().style.map, ColourMap::blues);
  window.click("Colours");
  window.click("cividis");
  window.click("Theme dark");
  EXPECT_EQ(document().style.map, ColourMap::cividis);
}

TEST_F(LeftRail, StylesComputeNothing) {
  const std::uint64_t requested = session.worker().status().requested;
  window.click("Scale log");
  window.click("Range");
  window.click("this layer");
  EXPECT_EQ(document().style.scale, ScaleKind::log);
  EXPECT_EQ(document().style.range, RangeKind::layer);
  EXPECT_EQ(session.worker().status().requested, requested);
}

TEST_F(LeftRail, AFoldedSectionHidesItsRows) {
  EXPECT_TRUE(window.has("Layers more"));
  window.click("Sandbox");
  EXPECT_FALSE(window.has("Layers more"));
  window.click("Sandbox");
  EXPECT_TRUE(window.has("Layers more"));
}

TEST_F(LeftRail, SectionsBelowTheWindowAreNamedAtItsFootAndLeadThere) {
  EXPECT_FALSE(window.has("Go to Edits")) << "all of them fit";
  ImGui::GetIO().DisplaySize = {1280, 600};
  settle();
  EXPECT_TRUE(window.has("Go to Display"));
  EXPECT_FALSE(window.has("Go to Mask")) << "it is in sight";
  EXPECT_FALSE(window.has("Theme light"));
  window.click("Go to Display");
  settle();
  EXPECT_TRUE(window.has("Theme light"));
  EXPECT_FALSE(window.has("Go to Display"));
  ASSERT_TRUE(window.has("Go to Edits"));
  window.click("Go to Edits");
  settle();
  EXPECT_FALSE(window.has("Go to Edits")) << "the last section needs no sign";
}

TEST_F(LeftRail, AFoldedSectionOpensWhenOneGoesThere) {
  ImGui::GetIO().DisplaySize = {1280, 700};
  settle();
  window.click("Go to Block");
  settle();
  EXPECT_TRUE(window.has("Attention skip"));
}

TEST_F(LeftRail, AHeadIsSwitchedOffAndOn) {
  const Matrix before = *snapshot()->trace.final_hidden.whole();
  window.click("Switch this head off");
  settle();
  EXPECT_EQ(document().query.switched_off, (std::vector<HeadId>{{0, 0}}));
  EXPECT_NE(*snapshot()->trace.final_hidden.whole(), before);
  window.click("Switch this head off");
  settle();
  EXPECT_TRUE(document().query.switched_off.empty());
  EXPECT_EQ(*snapshot()->trace.final_hidden.whole(), before);
}

}  // namespace
}  // namespace headlight
