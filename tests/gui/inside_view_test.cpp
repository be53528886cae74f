// Inside: playing, stepping, scrubbing, and what a click on a number tells.
#include "app/gui/views/inside/inside_view.h"

#include "app/gui/dialogs/export/export_figure.h"
#include "app/gui/panel/saved_view.h"
#include "app/gui/views/inside/playing.h"
#include "tests/gui/frame_fixture.h"

namespace headlight::testing {
namespace {

class InsideView : public FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    window.painter.watch([this](const Scene& scene, std::string_view name) {
      if (name == "inside") painted = scene;
    });
    say("the horse that the sailors follow is tired");
    show(View::inside);
  }
  InsideMoment moment() const { return view.inside.moment; }
  int step() const { return view.inside.moment.number(); }

  Scene painted;
};

TEST_F(InsideView, OfAHeadThatIsEditedTheEditIsNamedAndNothingFails) {
  Document next = document();
  next.query.interventions = {parse_intervention("0.0=uniform"), parse_intervention("0.1=off")};
  session.apply(next, false, false);
  settle();
  EXPECT_TRUE(window.has("Why nothing is shown inside"));
  EXPECT_FALSE(window.has("Ledger"));
  window.items.watch_texts();
  window.frame(2);
  const auto& texts = window.items.texts();
  const auto says = [&](const char* words) {
    return std::any_of(texts.begin(), texts.end(), [&](const DrawnText& text) { return text.text.find(words) != std::string::npos; });
  };
  EXPECT_TRUE(says("No steps to explain"));
  EXPECT_FALSE(says("Step 1 of")) << "of which there is nothing to see";
  EXPECT_FALSE(session.worker().status().error) << session.worker().status().error_message;
  for (const HeadId head : {HeadId{0, 1}, HeadId{1, 0}}) {  // one that is off has steps, and one that is not edited
    view.head = head;
    settle();
    EXPECT_FALSE(window.has("Why nothing is shown inside")) << head.layer << "." << head.head;
    EXPECT_TRUE(window.has("Ledger"));
  }
}

TEST_F(InsideView, SpacePlaysFromTheBeginningAndHolds) {
  window.key("space");
  EXPECT_TRUE(view.inside.is_playing);
  window.frame(30);
  EXPECT_EQ(step(), 1);
  window.key("space");
  EXPECT_FALSE(view.inside.is_playing);
  const InsideMoment held = moment();
  EXPECT_GT(held.progress, 0.2F);
  window.frame(30);
  EXPECT_EQ(moment(), held);
  EXPECT_TRUE(document().pins.empty()) << "space pins elsewhere only";
}

TEST_F(InsideView, PlaysOnceAndStopsAtTheEnd) {
  view.inside.speed = 2;
  window.key("space");
  window.frame(60 * 9);
  EXPECT_TRUE(moment().is_end());
  EXPECT_FALSE(view.inside.is_playing);
  window.key("space");
  window.frame(2);
  EXPECT_EQ(step(), 1) << "once more";
}

TEST_F(InsideView, ArrowsStepAndCtrlArrowsMoveTheHead) {
  window.key("end");
  EXPECT_TRUE(moment().is_end());
  window.key("home");
  EXPECT_EQ(moment(), end_of_step(1));
  window.key("right");
  EXPECT_EQ(moment(), end_of_step(2));
  window.key("left");
  EXPECT_EQ(moment(), end_of_step(1));
  window.key("alt+6");
  window.key("shift+left");
  EXPECT_EQ(moment(), (InsideMoment{InsideStep::softmax, 0.75F}));
  window.key("shift+right");
  EXPECT_EQ(moment(), end_of_step(6));
  EXPECT_EQ(view.head, (HeadId{0, 0}));
  window.key("ctrl+right");
  EXPECT_EQ(view.head, (HeadId{0, 1}));
  EXPECT_EQ(moment(), end_of_step(6)) << "another head, the same moment";
}

TEST_F(InsideView, DigitsLeadToViewsAsEverywhere) {
  window.key("2");
  EXPECT_EQ(view.view, View::head);
  window.key("3");
  EXPECT_EQ(view.view, View::inside);
}

TEST_F(InsideView, TheBarIsScrubbedAndItsNamesArePressed) {
  window.click("Step Softmax");
  EXPECT_EQ(moment(), end_of_step(6));
  const Box bar = window.box_of("Moment");
  window.drag({bar.x + bar.width / 4, bar.y + bar.height / 2}, {bar.x + bar.width / 2 + 1, bar.y + bar.height / 2});
  EXPECT_EQ(step(), 5);
  EXPECT_FALSE(view.inside.is_playing);
  window.click("Column Values");
  EXPECT_EQ(moment(), end_of_step(7)) << "a heading of the ledger leads there, too";
}

TEST_F(InsideView, AClickOnANumberRingsItAndShowsItsParts) {
  window.key("alt+6");
  window.items.watch_texts();
  window.click("weight of 3");
  ASSERT_TRUE(view.inside.ringed.has_value());
  EXPECT_EQ(*view.inside.ringed, (InsideNumber{InsideValue::weight, 3}));
  EXPECT_EQ(view.inside.chosen_key, 3);
  window.frame();
  const auto& texts = window.items.texts();
  const HeadMaps maps = snapshot()->maps({0, 0});
  const Index query = snapshot()->tokens() - 1;
  const std::string weight = weight_text(static_cast<double>(maps.weights(query, 3)), 4);
  const auto in_inspector = [&](const std::string& wanted) {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const DrawnText& text) { return text.text == wanted && text.window.find("Inspector") != std::string::npos; });
  };
  EXPECT_TRUE(in_inspector("This number"));
  EXPECT_TRUE(in_inspector("largest of the row"));
  EXPECT_TRUE(in_inspector(weight)) << weight;
  window.key("escape");
  EXPECT_FALSE(view.inside.ringed.has_value());
}

TEST_F(InsideView, ThePinnedTokenIsTheQuery) {
  window.click("token 4");
  settle();
  EXPECT_EQ(session.insides().ask({snapshot(), view.head, 4})->question.query, 4);
  window.key("alt+6");
  EXPECT_TRUE(window.has("weight of 4"));
  EXPECT_FALSE(window.items.contains("weight of 5")) << "causal: later keys are folded";
}

TEST_F(InsideView, UpAndDownChooseAKey) {
  window.key("alt+3");
  view.inside.chosen_key = 4;
  window.key("up");
  EXPECT_EQ(view.inside.chosen_key, 3);
  window.key("down");
  window.key("down");
  EXPECT_EQ(view.inside.chosen_key, 5);
}

TEST_F(InsideView, PlayingStopsWhereNobodyLooks) {
  window.key("space");
  show(View::head);
  EXPECT_FALSE(view.inside.is_playing);
}

TEST_F(InsideView, WhatIsShownIsWhatIsExported) {
  for (const InsideMoment at : {end_of_step(1), InsideMoment{InsideStep::products, 0.3F}, end_of_step(5),
                                InsideMoment{InsideStep::softmax, 0.6F}, end_of_step(7), end_of_step(8)}) {
    show_moment(view.inside, at);
    window.hover(ImVec2(1, 1));
    window.frame(2);
    Document draft = document();
    const Panel panel{context,    snapshot(), session.worker().status(), draft, view, caches, {palette(Theme::dark), window.fonts},
                      all_views()};
    dialogs.figure_export.kind = &kInsideFigure;
    const FigureRequest request = figure_to_export(panel, dialogs.figure_export);
    ThreadPool pool(1);
    InsideFigureRequest figure = inside_of(*snapshot(), request, pool);
    figure.area = {kInsideCorner.x, kInsideCorner.y, painted.width, painted.height};
    EXPECT_EQ(make_inside_figure(figure, window.painter.measure()).scene.items, painted.items) << at.number();
  }
}

TEST_F(InsideView, APausedFramePaintsNothingAnew) {
  window.key("alt+7");
  window.frame(2);
  const int paints = window.painter.map_paints();
  window.frame(20);
  EXPECT_EQ(window.painter.map_paints(), paints);
}

TEST_F(InsideView, WithMotionReducedItJumpsFromStopToStop) {
  InsidePage page;
  start_playing(page);
  pass_time(page, 0.5F);
  EXPECT_EQ(drawn_moment(page, true), end_of_step(1));
  EXPECT_LT(drawn_moment(page, false).progress, 1);
  page.is_playing = false;
  EXPECT_EQ(drawn_moment(page, true), page.moment) << "what is held is what is shown";
}

TEST_F(InsideView, IsRestoredWhereItWas) {
  window.key("alt+6");
  Json json = Json::object();
  save_inside(view, json);
  ViewState restored;
  restore_inside(json, restored);
  EXPECT_EQ(restored.inside.moment, end_of_step(6));
}

TEST_F(InsideView, EveryModelCanBeLookedInto) {
  for (const PositionKind positions : {PositionKind::rotary, PositionKind::alibi, PositionKind::t5_buckets}) {
    Document next = document();
    next.query.model.sandbox.positions = positions;
    next.query.model.sandbox.kv_heads = 2;
    next.query.score.sink = 1.0F;
    next.query.score.softcap = 3.0F;
    session.apply(next, false, false);
    settle();
    for (int number = 1; number <= kInsideSteps; ++number) {
      show_moment(view.inside, end_of_step(number));
      window.frame(2);
      EXPECT_FALSE(painted.items.empty());
    }
  }
}

TEST_F(InsideView, FewerKeysHaveRowsAndTheRestIsFoldedWithItsMass) {
  window.key("alt+6");
  settle();
  EXPECT_FALSE(window.has("Rows 0 to 0"));
  window.click("Rows");
  window.click("3 keys");
  window.frame(2);
  EXPECT_EQ(view.inside.most_keys, 3);
  const auto rows = [&] {
    int count = 0;
    window.frame(2);
    for (const DrawnItem& item : window.items.items()) count += item.label.starts_with("Row ") && item.window.starts_with("Inside");
    return count;
  };
  // A fold of a single key is that key's row, so there may be one or two more.
  EXPECT_GE(rows(), 3);
  EXPECT_LE(rows(), 5);
  window.key(".");
  EXPECT_EQ(view.inside.most_keys, 5);
  window.key(",");
  window.key(",");
  EXPECT_EQ(view.inside.most_keys, 2);
  const int few = rows();
  window.key("enter");
  EXPECT_FALSE(view.inside.opened.empty());
  EXPECT_GT(rows(), few) << "a fold opens beyond the limit";
  window.click("Fold again");
  EXPECT_TRUE(view.inside.opened.empty());
  EXPECT_EQ(rows(), few);
  EXPECT_EQ(look_of(view, all_views())["inside_keys"], 2) << "the document remembers it";
}

}  // namespace
}  // namespace headlight::testing
