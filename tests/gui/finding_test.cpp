// Which head does this: asked by pattern, in the strip, on the map and by mask text; answered, opened, and taken back.
#include <algorithm>
#include <cmath>

#include "app/document/wording.h"
#include "app/gui/finding/asking.h"
#include "app/gui/finding/unanswered.h"
#include "app/gui/panel/saved_view.h"
#include "app/gui/panel/shown_figure.h"
#include "engine/finding/question_columns.h"
#include "tests/gui/frame_fixture.h"

namespace headlight::testing {
namespace {

class Finding : public FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    window.key("ctrl+f");
    settle();
  }
  const FindingPage& page() const { return view.finding; }
  Panel panel() {
    return {context, snapshot(), session.worker().status(), draft, view, caches, {palette(Theme::dark), window.fonts, 1}, all_views()};
  }
  HeadRanking ranking() {
    ThreadPool pool(1);
    SilentProgress progress;
    return rank_heads(*snapshot(), page().question, pool, progress);
  }
  std::string first_found() { return "found " + short_name(ranking().heads.front().head); }
  /// Those of the question: an example has frames of its own.
  std::vector<MapFrame> frames() {
    std::vector<MapFrame> frames = frames_here(panel());
    std::erase_if(frames, [](const MapFrame& frame) { return frame.kind != FrameKind::asked; });
    return frames;
  }
  std::size_t all_heads() const { return static_cast<std::size_t>(snapshot()->layers() * snapshot()->heads()); }

  Document draft = sandbox_document();
};

TEST_F(Finding, TheSectionTakesNoRoomUntilItIsOpened) {
  view.rails.folded.insert(kFindingSection);
  settle();
  EXPECT_FALSE(window.has(kFindingSection));
  window.click("Which head does this?");
  settle();
  EXPECT_TRUE(window.has("previous token"));
}

TEST_F(Finding, TheCommandOpensTheSection) {
  EXPECT_FALSE(view.rails.folded.contains(kFindingSection));
  EXPECT_TRUE(window.has("previous token"));
  EXPECT_FALSE(window.has("Clear the question")) << "nothing is asked yet";
}

TEST_F(Finding, APatternRanksTheHeadsAndAClickOpensTheFirstAtItsRow) {
  window.click("previous token");
  settle();
  EXPECT_EQ(page().question, question_of(TargetPattern::previous));
  const HeadRanking found = ranking();
  ASSERT_EQ(found.heads.size(), all_heads());
  std::size_t lines = 0;
  for (const RankedHead& head : found.heads) lines += window.has("found " + short_name(head.head)) ? 1 : 0;
  EXPECT_EQ(lines, 10U) << "the first ten";
  view.finding.shows_all = true;
  for (const RankedHead& head : found.heads) EXPECT_TRUE(window.has("found " + short_name(head.head)));
  view.finding.shows_all = false;
  window.click(first_found());
  settle();
  EXPECT_EQ(view.view, View::head);
  EXPECT_EQ(view.head, found.heads.front().head);
  ASSERT_TRUE(view.pinned_query);
  EXPECT_EQ(view.pinned_query->token, found.heads.front().best.query);
}

TEST_F(Finding, OneClickTakesItAllBack) {
  window.click("first token");
  settle();
  EXPECT_FALSE(frames().empty());
  window.click("Clear the question");
  settle();
  EXPECT_TRUE(page().question.is_nothing());
  EXPECT_TRUE(frames().empty());
  window.click("first token");
  window.click("first token");
  EXPECT_TRUE(page().question.is_nothing()) << "so does a second press on the pattern";
}

TEST_F(Finding, ARelationIsFramedByTwoPressesInTheStrip) {
  window.click("Frame a relation");
  window.click("token 5");
  EXPECT_EQ(page().query, (TokenPlace{Side::text, 5}));
  EXPECT_FALSE(view.pinned_query) << "the strip frames, and pins nothing";
  window.click("token 1");
  settle();
  EXPECT_EQ(page().question.cells, (std::vector<CellBlock>{{5, 6, 1, 2, true}}));
  window.click("token 4");
  window.click("token 0");
  settle();
  EXPECT_EQ(page().question.cells.size(), 2U) << "several relations are one question";
  EXPECT_TRUE(window.has(first_found()));
  window.key("escape");
  EXPECT_FALSE(is_framing(panel()));
  EXPECT_EQ(page().question.cells.size(), 2U) << "what was framed stays";
  window.click("token 5");
  EXPECT_EQ(view.pinned_query, (TokenPlace{Side::text, 5})) << "the strip pins again";
}

TEST_F(Finding, BesideAFoldedRailTheAnswerOpensOnceARelationIsFramed) {
  view.shell.left = Fold::folded;
  settle();
  window.key("ctrl+f");
  settle();
  window.click("Frame a relation");
  EXPECT_FALSE(window.has("previous token")) << "the section gives way";
  window.click("token 5");
  window.click("token 1");
  settle();
  EXPECT_EQ(page().question.cells, (std::vector<CellBlock>{{5, 6, 1, 2, true}}));
  EXPECT_TRUE(window.has(first_found()));
}

TEST_F(Finding, EscTakesBackAHalfFramedRelationFirst) {
  window.click("Frame a relation");
  window.click("token 5");
  window.key("escape");
  EXPECT_FALSE(page().query);
  EXPECT_TRUE(is_framing(panel()));
}

TEST_F(Finding, CellsArePaintedOnTheMapAndErasedThere) {
  window.click("Paint cells");
  settle();
  EXPECT_EQ(view.view, View::head);
  window.click(window.cell_of("map", {5, 2}));
  window.click(window.cell_of("map", {6, 1}));
  settle();
  EXPECT_EQ(page().question.kind, HeadQuestion::Kind::cells);
  EXPECT_EQ(std::ssize(frames()), 2);
  EXPECT_TRUE(document().query.mask.rules.empty()) << "the mask is not painted";
  EXPECT_TRUE(window.has(first_found()));
  window.click(window.cell_of("map", {6, 1}));
  settle();
  EXPECT_EQ(std::ssize(frames()), 1) << "a stroke that begins on a painted cell erases";
  window.click(window.cell_of("map", {5, 2}));
  settle();
  EXPECT_TRUE(page().question.is_nothing()) << "without a cell nothing is asked";
}

TEST_F(Finding, AMaskTextAsksOnceItIsEnteredAndAFaultIsExplained) {
  window.click("Keys as mask text");
  window.type("k == ");
  EXPECT_NE(page().problem, "");
  EXPECT_TRUE(page().question.is_nothing());
  window.type("q - 2");
  EXPECT_EQ(page().problem, "");
  window.key("enter");
  settle();
  EXPECT_EQ(page().question, question_of_mask("k == q - 2"));
  EXPECT_TRUE(window.has(first_found()));
}

TEST_F(Finding, CellsOfAnotherSentenceAreNotAsked) {
  window.click("Frame a relation");
  window.click("token 5");
  window.click("token 1");
  settle();
  const std::string text = document().query.text;
  say("Another sentence is here now.");
  EXPECT_TRUE(is_of_another_text(panel()));
  EXPECT_TRUE(frames().empty());
  draft = document();
  window.click("Show that sentence");
  settle();
  EXPECT_EQ(document().query.text, text);
  EXPECT_TRUE(window.has(first_found()));
}

TEST_F(Finding, MoreLikeThisRanksTheOthers) {
  show(View::head);
  window.click("More like this");
  settle();
  EXPECT_EQ(page().alike_to, view.head);
  const auto answer = answered_alike(panel());
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->heads.size(), all_heads() - 1);
  const AlikeHead first = answer->heads.front();
  window.click("alike " + short_name(first.head));
  settle();
  EXPECT_EQ(view.head, first.head);
  EXPECT_NE(page().alike_to, view.head) << "the list stays that of the head it was asked for";
  window.click("previous token");
  settle();
  EXPECT_FALSE(page().alike_to) << "one thing is asked at a time";
}

TEST_F(Finding, TheContextMenuOfAHeadAsksForMoreLikeIt) {
  show(View::overview);
  window.right_click("head 1.3");
  window.click("More like this head");
  settle();
  EXPECT_EQ(page().alike_to, (HeadId{1, 3}));
}

TEST_F(Finding, ThePaletteAsksAndGoesToAHead) {
  window.key("ctrl+p");
  window.type("which head: induction");
  window.key("enter");
  settle();
  EXPECT_EQ(page().question, question_of(TargetPattern::induction));
  window.key("ctrl+p");
  window.type("2.7");
  window.key("enter");
  settle();
  EXPECT_EQ(view.head, (HeadId{2, 7}));
}

TEST_F(Finding, InALowViewTheHeadingOfTheHeadsDropsTheQuestionsDown) {
  window.resize({800, 500});
  show(View::measures);
  EXPECT_FALSE(window.has("Ask: previous token")) << "no room above the table";
  window.click("Which head does this?");
  window.click("Ask: previous token");
  settle();
  EXPECT_EQ(page().question, question_of(TargetPattern::previous));
  EXPECT_EQ(session.columns().group("questions").size(), 3U);
  EXPECT_FALSE(window.has("Ask: previous token")) << "the list closes";
}

TEST_F(Finding, TheChipOfAMaskTextPutsTheCaretIntoItsBox) {
  show(View::measures);
  window.click("Ask: mask text");
  window.frame(3);
  window.type("k == q - 2");
  window.key("enter");
  settle();
  EXPECT_EQ(page().question.mask, "k == q - 2");
  EXPECT_EQ(view.view, View::measures);
}

TEST_F(Finding, TheAnswerIsTheFirstColumnsOfMeasures) {
  show(View::measures);
  window.click("Ask: previous token");
  settle();
  EXPECT_EQ(page().question, question_of(TargetPattern::previous));
  const HeadColumns columns = session.columns().group("questions");
  ASSERT_EQ(columns.size(), 3U);
  EXPECT_EQ(columns[0]->title, "previous token");
  for (const RankedHead& head : ranking().heads) {
    EXPECT_EQ(columns[0]->values.of(head.head), head.mass);
    EXPECT_EQ(columns[1]->values.of(head.head), head.lift());
  }
  EXPECT_EQ(view.measures.sorts, (std::vector<ColumnSort>{{kMassColumn}}));
  window.click("Ask: induction");
  settle();
  ASSERT_EQ(session.columns().group("questions").size(), 3U);
  EXPECT_TRUE(std::isnan(session.columns().group("questions")[0]->values.of({0, 0}))) << "no token comes twice: undefined, and not 0";
  window.click("Ask: induction");
  settle();
  EXPECT_TRUE(session.columns().group("questions").empty());
  EXPECT_TRUE(view.measures.sorts.empty());
}

TEST_F(Finding, WithoutATargetEveryViewSaysWhyAndAClickHelps) {
  const std::string text = document().query.text;
  view.shell.left = Fold::folded;  // the section in the rail says it too
  show(View::measures);
  window.click("Ask: induction");
  settle();
  EXPECT_NE(why_unanswered(panel()), "");
  EXPECT_TRUE(window.has("Unanswered")) << "the strip says so";
  EXPECT_TRUE(window.has("Write the text twice"));
  window.click("Write the text twice");
  settle();
  EXPECT_EQ(document().query.text, text + " " + text);
  EXPECT_EQ(why_unanswered(panel()), "");
  EXPECT_FALSE(window.has("Unanswered"));
  EXPECT_FALSE(std::isnan(session.columns().group("questions")[0]->values.of({0, 0})));
  window.key("ctrl+z");
  settle();
  EXPECT_EQ(document().query.text, text) << "one step back";
  EXPECT_NE(why_unanswered(panel()), "");
  show(View::overview);
  view.overview.arrangement = {.sort = ColumnSort{kMassColumn}, .ranges = {}, .tint = kMassColumn};
  settle();
  EXPECT_TRUE(window.has("Reset"));
  EXPECT_TRUE(window.has("Write the text twice")) << "the Overview that is ordered by it says so";
  window.click("Take the question back");
  settle();
  EXPECT_TRUE(page().question.is_nothing());
}

TEST_F(Finding, WhatTheMaskHidesLeadsToTheMask) {
  view.rails.folded.insert("Mask");
  settle();
  window.click("next token");
  settle();
  EXPECT_EQ(why_unanswered(panel()), "The mask lets no token look at the one after it.");
  window.click("Show the mask");
  settle();
  EXPECT_FALSE(view.rails.folded.contains("Mask"));
}

TEST_F(Finding, NothingMovesUnderThePointerWhenAPatternIsAsked) {
  const float before = window.box_of("next token").y;
  window.click("next token");
  settle();
  EXPECT_EQ(window.box_of("next token").y, before);
  window.click("next token");
  settle();
  EXPECT_EQ(window.box_of("next token").y, before) << "so a second press takes it back";
}

TEST_F(Finding, IsPartOfWhatADocumentLooksAt) {
  window.click("duplicate");
  settle();
  ViewState opened;
  show_look(look_of(view, all_views()), opened, all_views());
  EXPECT_EQ(opened.finding.question, page().question);
  EXPECT_EQ(view_from_json(to_json(view, all_views()), all_views()).finding.question, page().question) << "and the next start knows it";
  Panel here = panel();
  ask_alike(here, {2, 1});
  opened = {};
  show_look(look_of(view, all_views()), opened, all_views());
  EXPECT_EQ(opened.finding.alike_to, (HeadId{2, 1}));
  EXPECT_TRUE(opened.finding.question.is_nothing());
}

}  // namespace
}  // namespace headlight::testing
