// Intervene: a newcomer puts something in the place of what a head does, sees it listed, and takes it away again.
#include <fmt/core.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "app/document/fields/interventions.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/views/other_text_map.h"
#include "engine/forward/layer_edits.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

class Intervening : public testing::FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    view.rails.folded.erase("Intervene");
    view.head = {1, 0};
    settle();
  }
  void choose(const std::string& title) {
    window.click("Intervention");
    window.click(title);
    settle();
  }
  void put() {
    window.click("Put in place");
    settle();
  }
  std::vector<Intervention> in_place() const { return interventions_of(document().query); }
};

TEST_F(Intervening, SwitchesAHeadOffAndOnAgain) {
  put();
  ASSERT_EQ(in_place().size(), 1U);
  EXPECT_EQ(document().query.switched_off, (std::vector<HeadId>{{1, 0}})) << "the same switch as that of the section Heads";
  window.click("Take away 0");
  settle();
  EXPECT_TRUE(in_place().empty());
  session.undo();
  settle();
  EXPECT_EQ(in_place().size(), 1U);
}

TEST_F(Intervening, ALayerGetsAnEvenMap) {
  window.click("Intervene on layer");
  choose("even map");
  put();
  ASSERT_EQ(in_place().size(), 1U);
  EXPECT_EQ(to_text(in_place().front()), "1=uniform");
  const HeadMaps maps = snapshot()->maps({1, 0});
  for (Index key = 0; key < maps.weights.cols(); ++key) {
    EXPECT_NEAR(maps.weights(maps.weights.rows() - 1, key), 1.0F / static_cast<float>(maps.weights.cols()), 1e-6F);
  }
}

TEST_F(Intervening, ALayerThatIsOffSaysSoOfItsHeads) {
  window.click("Intervene on layer");
  put();
  ASSERT_EQ(in_place().size(), 1U);
  EXPECT_TRUE(is_switched_off(document().query, {1, 2}));
  EXPECT_FALSE(is_switched_off(document().query, {0, 2}));
  Query later = document().query;
  later.interventions.push_back(parse_intervention("1.2=resample:a"));
  EXPECT_FALSE(is_switched_off(later, {1, 2})) << "the later edit replaces the earlier";
}

TEST_F(Intervening, AnotherTextIsAskedForAndPatchedInAtPositions) {
  view.rails.intervene.kind = InterventionKind::patch;
  settle();
  put();
  EXPECT_TRUE(in_place().empty()) << "there is no other text yet";
  view.rails.intervene.text = document().query.text;
  view.rails.intervene.positions = "1-2";
  settle();
  put();
  ASSERT_EQ(in_place().size(), 1U);
  EXPECT_EQ(in_place().front().positions, (std::vector<PositionRange>{{1, 2}}));
  EXPECT_EQ(in_place().front().text, document().query.text);
}

TEST_F(Intervening, TheOtherTextsMapIsSeenBesideTheEditedOneUntilItIsClosed) {
  view.rails.intervene.kind = InterventionKind::patch;
  view.rails.intervene.text = "the dog did not see";
  view.rails.intervene.positions = "1-2";
  show(View::head);
  EXPECT_FALSE(window.has("map of the other text"));
  put();
  ASSERT_TRUE(window.has("map of the other text"));
  const Box own = window.box_of("map"), other = window.box_of("map of the other text");
  EXPECT_TRUE(own.right() < other.x || own.bottom() < other.y) << "beside or under it, and not over it";
  if (own.right() < other.x) {
    EXPECT_EQ(own.y, other.y) << "level, though the words above them differ";
  }
  const SubjectRun run = session.run_of_other_text("the dog did not see");
  ASSERT_TRUE(run.snapshot);
  EXPECT_TRUE(run.snapshot->query.interventions.empty()) << "it is run as it is";
  EXPECT_EQ(run.snapshot->encoding->text, "the dog did not see");
  window.hover(window.cell_of("map of the other text", {1, 0}));
  EXPECT_FALSE(view.pointed.cell) << "it is no cell of this text";
  window.click("Close the other text");
  EXPECT_FALSE(window.has("map of the other text"));
  EXPECT_GT(window.box_of("map").width, own.width) << "it has all the room again";
  window.click("In place 0");
  settle();
  EXPECT_TRUE(window.has("map of the other text"));
  view.head = {0, 0};
  settle();
  EXPECT_FALSE(window.has("map of the other text")) << "this head is not edited";
}

TEST_F(Intervening, TheOtherTextsMapOfZSaysTheNumberUnderThePointer) {
  view.rails.intervene.kind = InterventionKind::patch;
  view.rails.intervene.text = "the dog";
  view.rails.intervene.positions = "1";
  view.head_page.stage = Stage::z;
  show(View::head);
  put();
  const Index last = snapshot()->maps({1, 0}).v.cols() - 1;
  ASSERT_GT(last, session.run_of_other_text("the dog").snapshot->keys(1)) << "it is no key";
  window.items.watch_texts();
  window.hover(window.cell_of("map of the other text", {1, last}));
  const std::string number = fmt::format(" · z {}", last);
  EXPECT_TRUE(std::any_of(window.items.texts().begin(), window.items.texts().end(),
                          [&](const DrawnText& text) { return text.text.find(number) != std::string::npos; }));
}

TEST_F(Intervening, TheLastTextThatAHeadTakesFromIsShown) {
  Document next = document();
  next.query.interventions = {parse_intervention("1=resample:\"a cat\""), parse_intervention("1.0=resample:\"a dog\""),
                              parse_intervention("1.0=uniform"), parse_intervention("0=stream:\"a fox\"@1")};
  session.apply(next, false, false);
  show(View::head);
  const auto shown = [&](HeadId head) {
    view.head = head;
    settle();
    Document draft = document();
    const Look look{palette(Theme::dark), window.fonts, 1};
    return other_text_here(Panel{context, snapshot(), session.worker().status(), draft, view, caches, look, all_views()});
  };
  EXPECT_EQ(shown({1, 0}), "a dog");
  EXPECT_EQ(shown({1, 1}), "a cat");
  EXPECT_EQ(shown({0, 1}), "a fox") << "its layer reads another stream";
}

TEST_F(Intervening, AMeanIsTakenOverAFileThatTheWordsName) {
  const testing::TemporaryFolder folder;
  choose("mean over texts");
  put();
  EXPECT_TRUE(in_place().empty()) << "there is no file yet";
  window.click("Choose …");
  window.frame(2);
  EXPECT_EQ(view.dialogs.texts, OpenDialogs::TextsFor::intervene);
  dialogs.other_texts.path = folder.file("tales.txt", "the cat sat\na dog\n").string();
  window.frame(2);
  window.click("Take these texts");
  settle();
  EXPECT_EQ(view.dialogs.texts, OpenDialogs::TextsFor::nobody);
  put();
  ASSERT_EQ(in_place().size(), 1U);
  EXPECT_EQ(describe_intervention(in_place().front()), "head 1.0: z is its mean over 2 texts of tales.txt");
  EXPECT_FALSE(session.worker().status().error) << session.worker().status().error_message;
  session.undo();
  settle();
  EXPECT_TRUE(in_place().empty());
}

TEST_F(Intervening, WhatCannotBeReadIsSaidAndChangesNothing) {
  view.rails.intervene.kind = InterventionKind::map;
  view.rails.intervene.from = "nonsense";
  settle();
  put();
  EXPECT_TRUE(in_place().empty());
  EXPECT_FALSE(view.rails.intervene.problem.empty());
}

TEST_F(Intervening, AMapThatIsNotComputedYetIsRefusedWhenItIsChosen) {
  view.head = {0, 0};
  view.rails.intervene.kind = InterventionKind::map;
  view.rails.intervene.from = "1.0";
  settle();
  put();
  EXPECT_TRUE(in_place().empty());
  EXPECT_THAT(view.rails.intervene.problem, ::testing::HasSubstr("not computed yet"));
  EXPECT_FALSE(session.worker().status().error);
}

TEST_F(Intervening, TheHeadSaysWhatIsInItsPlace) {
  choose("even map");
  put();
  view.view = View::head;
  settle();
  EXPECT_TRUE(window.has("Edits of the head"));
}

}  // namespace
}  // namespace headlight
