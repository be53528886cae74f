#include <cmath>

#include "app/document/wording.h"
#include "app/gui/panel/focus.h"
#include "app/gui/panel/saved_view.h"
#include "app/gui/state/zoom.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

using Overview = testing::FrameTest;
using HeadView = testing::FrameTest;
using CompareView = testing::FrameTest;

constexpr MapShape k40{40, 40};

TEST(Zoom, KeepsTheCellUnderThePointer) {
  const CellWindow near = zoomed_about({}, k40, 30, 10, 2);
  EXPECT_FLOAT_EQ(near.row_end - near.row_begin, 20);
  EXPECT_FLOAT_EQ((30 - near.row_begin) / 20, 30.0F / 40);
  EXPECT_FLOAT_EQ((10 - near.column_begin) / 20, 10.0F / 40);
}

TEST(Zoom, FarEnoughOutIsTheWholeMap) {
  const CellWindow near = zoomed_about({}, k40, 30, 10, 2);
  EXPECT_EQ(zoomed_about(near, k40, 30, 10, 0.4F), CellWindow{});
  EXPECT_EQ(shown_window({}, {7, 7}), (CellWindow{0, 7, 0, 7}));
}

TEST(Zoom, NeverLeavesTheMap) {
  const CellWindow near = zoomed_about({}, k40, 39.9F, 0.1F, 4);
  const CellWindow moved = panned(near, k40, 100, -100);
  EXPECT_FLOAT_EQ(moved.row_end, 40);
  EXPECT_FLOAT_EQ(moved.column_begin, 0);
  EXPECT_EQ(panned({}, k40, 3, 3), CellWindow{});
  // A shorter text: what was looked at is gone.
  EXPECT_EQ(shown_window({30, 34, 30, 34}, {10, 10}), (CellWindow{6, 10, 6, 10}));
}

TEST(Zoom, OfATinyMapStaysWhole) {
  EXPECT_EQ(zoomed_about({}, {1, 1}, 0.5F, 0.5F, 8), CellWindow{});
  EXPECT_EQ(zoomed_about({}, {2, 2}, 0.5F, 0.5F, 8), CellWindow{});
}

TEST(Zoom, OfALongMapStopsOnEachAxisByItself) {
  const MapShape shape{4, 60};
  const CellWindow near = zoomed_about({}, shape, 2, 30, 6);
  EXPECT_FLOAT_EQ(near.row_end - near.row_begin, 3);
  EXPECT_FLOAT_EQ(near.column_end - near.column_begin, 10);
  EXPECT_FLOAT_EQ(near.column_begin, 25);
  EXPECT_FALSE(is_whole(near, shape));
  EXPECT_EQ(zoomed_about(near, shape, 2, 30, 1.0F / 6), CellWindow{});
  const CellWindow moved = panned(near, shape, 10, 100);
  EXPECT_EQ(moved, (CellWindow{1, 4, 50, 60}));
  // The same zoom on a map with fewer rows shows all of them.
  EXPECT_EQ(shown_window(near, {2, 60}), (CellWindow{0, 2, 25, 35}));
  EXPECT_TRUE(is_whole(near, {2, 9}));
}

TEST(LargestKeys, AreInOrderAndLeaveZerosOut) {
  HeadMaps maps;
  maps.weights = Matrix::Zero(1, 5);
  maps.weights << 0.1F, 0.0F, 0.5F, 0.1F, 0.3F;
  EXPECT_EQ(largest_keys(maps, 0, 3), (std::vector<Index>{2, 4, 0}));
  EXPECT_EQ(largest_keys(maps, 0, 9), (std::vector<Index>{2, 4, 0, 3}));
  maps.weights.setZero();
  EXPECT_TRUE(largest_keys(maps, 0, 3).empty());
}

TEST_F(Overview, NamesEveryHead) {
  for (int layer = 0; layer < 4; ++layer) {
    for (int head = 0; head < 8; ++head) EXPECT_TRUE(window.has("head " + short_name({layer, head})));
  }
}

TEST_F(Overview, AClickOpensAHead) {
  window.click("head 2.5");
  EXPECT_EQ(view.view, View::head);
  EXPECT_EQ(view.head, (HeadId{2, 5}));
}

TEST_F(Overview, ACtrlClickPinsAHeadAndTakesThePinAway) {
  window.click("Close Random note");  // it lies over the last heads
  window.ctrl_click("head 1.0");
  window.ctrl_click("head 3.7");
  EXPECT_EQ(document().pins, (std::vector<Pin>{{{1, 0}}, {{3, 7}}}));
  EXPECT_EQ(view.view, View::overview);
  window.ctrl_click("head 1.0");
  EXPECT_EQ(document().pins, (std::vector<Pin>{{{3, 7}}}));
}

TEST_F(Overview, KnowsWhichHeadIsUnderThePointer) {
  window.hover("head 0.3");
  EXPECT_EQ(view.pointed.head, (HeadId{0, 3}));
  window.hover("Sentence");
  EXPECT_FALSE(view.pointed.head.has_value());
}

TEST_F(Overview, PaintsNothingWhileNothingChanges) {
  window.frame(3);
  const int paints = window.painter.map_paints();
  window.frame(20);
  EXPECT_EQ(window.painter.map_paints(), paints);
}

TEST_F(HeadView, TheCellUnderThePointerIsKnownInTheSameFrame) {
  show(View::head);
  window.hover(window.cell_of("map", {8, 1}));
  EXPECT_EQ(view.pointed.cell, (Cell{8, 1}));
  EXPECT_EQ(view.pointed.head, view.head);
}

TEST_F(HeadView, AClickKeepsARowAndEscapeLetsItGo) {
  show(View::head);
  window.click(window.cell_of("map", {8, 1}));
  EXPECT_EQ(view.pinned_query, (TokenPlace{Side::text, 8}));
  EXPECT_TRUE(window.has("Release pin"));
  window.key("escape");
  EXPECT_FALSE(view.pinned_query.has_value());
  EXPECT_FALSE(session.history().can_undo());
}

TEST_F(HeadView, TheWheelZoomsAboutThePointerAndADoubleClickShowsAll) {
  show(View::head);
  window.hover(window.cell_of("map", {6, 4}));
  window.wheel(3);
  EXPECT_NE(view.head_page.zoom, CellWindow{});
  EXPECT_EQ(view.pointed.cell, (Cell{6, 4}));
  window.feed.click(window.cell_of("map", {6, 4}), ImGuiMouseButton_Left, 2);
  window.play();
  EXPECT_EQ(view.head_page.zoom, CellWindow{});
}

TEST_F(HeadView, DraggingMovesAZoomedMapAndKeepsNoRow) {
  show(View::head);
  window.hover(window.cell_of("map", {6, 6}));
  window.wheel(4);
  const CellWindow before = view.head_page.zoom;
  const ImVec2 at = window.centre_of("map");
  window.drag(at, {at.x - 120, at.y - 60});
  EXPECT_GT(view.head_page.zoom.column_begin, before.column_begin);
  EXPECT_GT(view.head_page.zoom.row_begin, before.row_begin);
  EXPECT_FALSE(view.pinned_query.has_value());
}

TEST_F(HeadView, ShowsEveryStageOfTheHead) {
  show(View::head);
  const int paints = window.painter.map_paints();
  window.click("Stage");
  window.click("scaled scores");
  settle();
  EXPECT_EQ(view.head_page.stage, Stage::scaled);
  EXPECT_GT(window.painter.map_paints(), paints);
}

TEST_F(HeadView, ShowsWhatEachKeyAddsToTheOutput) {
  show(View::head);
  window.click("Stage");
  window.click("‖weight · v·W_O‖");
  settle();
  EXPECT_EQ(view.head_page.stage, Stage::norm_weights);
  EXPECT_EQ(session.worker().status().error_message, "");
}

TEST_F(HeadView, AllHeadsOfTheOverviewCanShowItToo) {
  show(View::overview);
  const int paints = window.painter.map_paints();
  window.click("Maps");
  window.click("‖weight · v·W_O‖");
  settle();
  EXPECT_EQ(view.overview.stage, Stage::norm_weights);
  EXPECT_GT(window.painter.map_paints(), paints);
  const std::shared_ptr<const StagesFound> found = session.stages().ask({snapshot(), Stage::norm_weights});
  ASSERT_TRUE(found);
  EXPECT_EQ(static_cast<int>(found->maps.maps.size()), snapshot()->layers());
  const ViewState next = view_from_json(to_json(view, all_views()), all_views());
  EXPECT_EQ(next.overview.stage, Stage::norm_weights);
}

TEST_F(HeadView, SurvivesASentenceThatShrinksUnderAKeptRow) {
  show(View::head);
  window.click(window.cell_of("map", {9, 9}));
  window.wheel(5);
  say("Two words");
  EXPECT_FALSE(window.has("Release pin"));
  EXPECT_EQ(snapshot()->tokens(), 2);
}

TEST_F(CompareView, InvitesToPinAndPinsTwo) {
  show(View::compare);
  window.click("Pin two heads");
  settle();
  EXPECT_EQ(document().pins.size(), 2U);
  EXPECT_TRUE(window.has("card A"));
  EXPECT_TRUE(window.has("card B"));
  EXPECT_TRUE(window.has("card A − B"));
}

TEST_F(CompareView, OneCrosshairForAllCards) {
  show(View::compare);
  window.click("Pin two heads");
  settle();
  window.hover(window.cell_of("card B", {5, 2}));
  EXPECT_EQ(view.pointed.cell, (Cell{5, 2}));
  window.hover(window.cell_of("card A − B", {7, 3}));
  EXPECT_EQ(view.pointed.cell, (Cell{7, 3}));
}

TEST_F(CompareView, SaysHowPinnedAndPointedRowsAreTold) {
  Document next = document();
  next.pins = {{{0, 1}}, {{1, 2}}};
  session.apply(next, false, false);
  show(View::compare);
  EXPECT_TRUE(window.has("Legend pointed row"));
  EXPECT_FALSE(window.has("Legend pinned row")) << "no row is pinned";
  window.click(window.cell_of("card A", {3, 1}));
  EXPECT_TRUE(window.has("Legend pinned row"));
}

TEST_F(CompareView, TheInspectorFollowsTheCardUnderThePointer) {
  Document pinned = document();
  pinned.pins = {{{0, 0}}, {{3, 1}}};
  session.apply(pinned, false, false);
  show(View::compare);
  window.hover(window.cell_of("card B", {5, 2}));
  Document draft = document();
  const Look look{palette(Theme::dark), window.fonts, 1};
  const Panel panel{context, snapshot(), session.worker().status(), draft, view, caches, look, all_views()};
  EXPECT_EQ(inspected_head(panel).head, (HeadId{3, 1}));
  EXPECT_EQ(view.head, (HeadId{0, 0})) << "pointing opens nothing";
}

TEST_F(CompareView, SubtractsAnyTwo) {
  Document pinned = document();
  pinned.pins = {{{0, 0}}, {{1, 1}}, {{2, 2}}};
  session.apply(pinned, false, false);
  show(View::compare);
  window.click("Subtracted");
  window.click("C");
  settle();
  EXPECT_EQ(view.compare.right, 2);
  EXPECT_TRUE(window.has("card A − C"));
}

TEST_F(CompareView, UnpinsAHeadFromItsCard) {
  Document pinned = document();
  pinned.pins = {{{0, 0}}, {{1, 1}}};
  session.apply(pinned, false, false);
  show(View::compare);
  window.click("Unpin A");
  EXPECT_EQ(document().pins, (std::vector<Pin>{{{1, 1}}}));
  EXPECT_TRUE(window.has("Pin another head"));
}

TEST_F(CompareView, SaysWhichPinnedHeadsTheModelDoesNotHave) {
  Document pinned = document();
  pinned.pins = {{{0, 0}}, {{40, 1}}};
  session.apply(pinned, false, false);
  show(View::compare);
  EXPECT_TRUE(window.has("card A"));
  EXPECT_FALSE(window.has("card B"));
  EXPECT_TRUE(window.has("Unpin B"));
}

TEST_F(HeadView, TheInspectorIsAboutOneQueryAtATime) {
  show(View::head);
  window.click(window.cell_of("map", {8, 1}));
  window.hover("Model");
  settle();
  EXPECT_TRUE(window.has("Row profile of 8")) << "the pinned one";
  const ImVec2 at = window.cell_of("map", {3, 2});
  window.hover(at);
  settle();
  EXPECT_TRUE(window.has("Row profile of 3")) << "that of the cell that is pointed at";
  EXPECT_FALSE(window.has("Row profile of 8"));
}

TEST_F(HeadView, StagesAreOfferedInTheOrderOfTheComputation) {
  show(View::head);
  window.click("Stage");
  float above = 0;
  for (const char* stage : {"scores", "scaled scores", "mask", "masked scores", "weights · ‖v‖"}) {
    const float y = window.box_of(stage).y;
    EXPECT_GT(y, above) << stage;
    above = y;
  }
}

}  // namespace
}  // namespace headlight
