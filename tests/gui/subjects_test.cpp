// The baseline, a second text and frozen pins, as a person meets them.
#include "app/document/subjects.h"

#include "app/gui/panel/focus.h"
#include "app/gui/panel/shown_figure.h"
#include "tests/gui/frame_fixture.h"
#include "tests/work/snapshots.h"

namespace headlight {
namespace {

class Baseline : public testing::FrameTest {
 protected:
  void change_the_mask() {
    Document next = document();
    next.query.mask.rules = {{{}, "none", {}}};
    session.apply(next, false, false);
    settle();
  }
  ComparedHead inspected() {
    Document draft = document();
    const Look look{palette(Theme::dark), window.fonts, 1};
    return inspected_head(Panel{context, snapshot(), session.worker().status(), draft, view, caches, look, all_views()});
  }
};
using SecondText = testing::FrameTest;
using FrozenPin = testing::FrameTest;

TEST_F(Baseline, IsSetAndClearedByOneKeyAndByTheChip) {
  window.key("B");
  settle();
  ASSERT_TRUE(document().baseline);
  EXPECT_EQ(session.history().undo_label(), "baseline set");
  EXPECT_TRUE(window.has("Baseline"));
  window.key("B");
  settle();
  EXPECT_FALSE(document().baseline);
  window.click("Set baseline");
  settle();
  EXPECT_TRUE(document().baseline);
  window.click("Clear baseline");
  settle();
  EXPECT_FALSE(document().baseline);
  session.undo();
  EXPECT_TRUE(document().baseline);
}

TEST_F(Baseline, HeadShowsNowBeforeAndTheDifference) {
  show(View::head);
  EXPECT_FALSE(window.has("Moment now")) << "there is nothing to compare with";
  window.key("B");
  Document next = document();
  next.query.mask.rules = {{{}, "none", {}}};
  session.apply(next, false, false);
  settle();
  const auto before = session.snapshot_of(*document().baseline);
  ASSERT_TRUE(before);
  EXPECT_NE(before, snapshot());
  window.click("Moment before");
  settle();
  EXPECT_EQ(view.head_page.moment, Moment::before);
  window.click("Moment Δ");
  settle();
  EXPECT_EQ(view.head_page.moment, Moment::difference);
  window.hover(window.cell_of("map", {3, 1}));
  window.key("B");
  settle();
  EXPECT_FALSE(window.has("Moment now"));
  EXPECT_TRUE(window.has("map")) << "now is shown again";
}

TEST_F(Baseline, TheInspectorShowsTheMomentThatHeadShows) {
  show(View::head);
  window.key("B");
  change_the_mask();
  const auto before = session.snapshot_of(*document().baseline);
  window.hover(window.cell_of("map", {3, 1}));
  EXPECT_EQ(inspected().of, nullptr);
  EXPECT_TRUE(window.has("Cell"));
  window.click("Moment before");
  window.hover(window.cell_of("map", {3, 1}));
  settle();
  EXPECT_EQ(inspected().of, before);
  for (const char* heading : {"Cell · before", "Row profile · before", "Head 0.0 · before"}) EXPECT_TRUE(window.has(heading)) << heading;
  window.click("Moment Δ");
  window.hover(window.cell_of("map", {3, 1}));
  settle();
  EXPECT_EQ(inspected().of, nullptr);
  EXPECT_TRUE(window.has("Cell · now"));
}

TEST_F(Baseline, TheInspectorShowsTheRunOfTheCardThatIsPointedAt) {
  window.ctrl_click("head 1.0");
  window.key("B");
  change_the_mask();
  show(View::compare);
  window.hover(window.cell_of("card B", {4, 2}));
  settle();
  EXPECT_EQ(inspected().of, session.snapshot_of(*document().baseline));
  EXPECT_EQ(inspected().head, (HeadId{1, 0}));
  EXPECT_TRUE(window.has("Cell · before"));
  window.hover(window.cell_of("card A", {4, 2}));
  settle();
  EXPECT_EQ(inspected().of, nullptr);
  EXPECT_TRUE(window.has("Cell"));
  EXPECT_FALSE(window.has("Cell · before"));
}

// Maps of one size may be of other words.
TEST_F(Baseline, BeforeIsInspectedInItsOwnWords) {
  say("one two three");
  show(View::head);
  window.key("B");
  say("uno dos tres");
  window.click("Moment before");
  window.hover(window.cell_of("map", {2, 1}));
  settle();
  ASSERT_TRUE(inspected().of);
  EXPECT_EQ(inspected().of->encoding->text, "one two three");
}

TEST_F(Baseline, OutputHasColumnsOfNowBeforeAndTheDifference) {
  open_gpt2();
  show(View::output);
  ASSERT_TRUE(window.has("Rank 0"));
  EXPECT_FALSE(window.has("now, before, Δ"));
  window.key("B");
  change_the_mask();
  EXPECT_TRUE(window.has("now, before, Δ"));
  say("the animal");
  EXPECT_TRUE(window.has("Rank 0"));
  EXPECT_FALSE(window.has("now, before, Δ")) << "other tokens have other predictions";
}

TEST_F(Baseline, CompareShowsAPinBesideItselfBefore) {
  window.ctrl_click("head 1.0");
  window.key("B");
  Document next = document();
  next.query.score.temperature = 2;
  session.apply(next, false, false);
  show(View::compare);
  EXPECT_TRUE(window.has("card A"));
  EXPECT_TRUE(window.has("card B"));
  EXPECT_TRUE(window.has("card A − B")) << "now − before";
  EXPECT_TRUE(window.has("Unpin A"));
  EXPECT_FALSE(window.has("Unpin B")) << "it comes and goes with the baseline";
  window.hover(window.cell_of("card B", {4, 2}));
  EXPECT_EQ(view.pointed.cell, (Cell{4, 2})) << "one crosshair: the tokens are the same";
}

TEST_F(SecondText, IsAddedFocusedAndClosedByChips) {
  EXPECT_FALSE(window.has("Text 1"));
  window.click("Add a text");
  settle();
  ASSERT_EQ(texts_of(document()).size(), 2U);
  EXPECT_EQ(document().focused, 2);
  EXPECT_EQ(session.history().undo_label(), "text 2 added");
  say("Another text");
  window.click("Text 1");
  settle();
  EXPECT_EQ(document().focused, 1);
  EXPECT_EQ(document().query.text, sandbox_document().query.text);
  EXPECT_EQ(snapshot()->query.text, document().query.text);
  window.click("Close text 1");
  settle();
  EXPECT_EQ(texts_of(document()).size(), 1U);
  EXPECT_EQ(document().query.text, "Another text");
  EXPECT_FALSE(window.has("Text 2"));
  session.undo();
  EXPECT_EQ(texts_of(document()).size(), 2U);
}

TEST_F(SecondText, KeepsItsPinsBesideThoseOfTheFirst) {
  window.ctrl_click("head 0.3");
  window.click("Add a text");
  say("Another text");
  window.ctrl_click("head 0.3");
  ASSERT_EQ(document().pins, (std::vector<Pin>{{{0, 3}, 1}, {{0, 3}, 2}}));
  show(View::compare);
  EXPECT_TRUE(window.has("card A"));
  EXPECT_TRUE(window.has("card B"));
  window.hover(window.cell_of("card A", {8, 7}));  // the second text has no such tokens
  settle();
  EXPECT_FALSE(view.pointed.cell);
  window.hover(window.cell_of("card B", {1, 0}));
  EXPECT_EQ(view.pointed.cell, (Cell{1, 0}));
  settle();
}

TEST_F(SecondText, IsNotClosedByAClickOnTheMiddleOfItsChip) {
  window.click("Add a text");
  settle();
  window.click("Text 2");
  settle();
  EXPECT_EQ(texts_of(document()).size(), 2U);
  EXPECT_EQ(document().focused, 2);
}

TEST_F(SecondText, HasTheCellThatIsPointedAtOnACardOfTheFirst) {
  window.ctrl_click("head 0.3");
  window.click("Add a text");
  say("Another text of five");
  window.ctrl_click("head 0.3");
  show(View::compare);
  window.hover(window.cell_of("card A", {2, 1}));
  settle();
  EXPECT_FALSE(view.pointed.cell) << "it is none of the shown text";
  EXPECT_TRUE(window.has("cell of card A"));
  EXPECT_TRUE(window.has("cell of card B"));
  window.hover(window.cell_of("card A", {8, 7}));
  settle();
  EXPECT_TRUE(window.has("cell of card A"));
  EXPECT_FALSE(window.has("cell of card B")) << "it has no such cell";
  window.hover(window.cell_of("card B", {2, 1}));
  settle();
  EXPECT_EQ(view.pointed.cell, (Cell{2, 1}));
  EXPECT_TRUE(window.has("cell of card A"));
  window.click(window.cell_of("card A", {2, 1}));
  settle();
  EXPECT_EQ(document().focused, 1) << "a click goes to the text of the card";
}

TEST_F(Baseline, CompareOffersToPinTheShownHead) {
  show(View::head);
  window.key("B");
  settle();
  show(View::compare);
  window.click("Pin head 0.0");
  settle();
  EXPECT_EQ(document().pins.size(), 1U);
  for (const char* card : {"card A", "card B", "card A − B"}) EXPECT_TRUE(window.has(card)) << card;
}

TEST_F(SecondText, OfAnotherLengthIsNotSubtractedWhereTwoOthersCanBe) {
  window.ctrl_click("head 0.3");
  window.click("Add a text");
  say("Another text");
  window.ctrl_click("head 0.3");
  window.ctrl_click("head 1.0");
  show(View::compare);
  EXPECT_TRUE(window.has("card B − C"));
  EXPECT_FALSE(window.has("card A − B"));
  window.click("Unpin C");
  settle();
  EXPECT_FALSE(window.has("card A − B"));
}

TEST_F(Baseline, OfAnotherLengthIsNotSubtractedWhereTwoPinsCanBe) {
  window.ctrl_click("head 0.3");
  window.ctrl_click("head 1.0");
  window.key("B");
  settle();
  show(View::compare);
  EXPECT_TRUE(window.has("card A − C"));
  say("Another text");
  EXPECT_TRUE(window.has("card C"));
  EXPECT_TRUE(window.has("card A − B"));
}

TEST_F(FrozenPin, StaysAsItWasUntilItIsUnfrozen) {
  window.ctrl_click("head 0.3");
  show(View::compare);
  window.click("Freeze A");
  settle();
  const int frozen = document().pins[0].subject;
  EXPECT_TRUE(is_frozen(document(), frozen));
  const Matrix before = snapshot()->maps({0, 3}).weights;
  Document next = document();
  next.query.score.temperature = 3;
  session.apply(next, false, false);
  settle();
  ASSERT_TRUE(session.snapshot_of(frozen));
  EXPECT_EQ(session.snapshot_of(frozen)->maps({0, 3}).weights, before);
  EXPECT_NE(snapshot()->maps({0, 3}).weights, before);
  window.click("Unfreeze A");
  settle();
  EXPECT_EQ(document().pins, (std::vector<Pin>{{{0, 3}, 1}}));
  EXPECT_TRUE(document().others.empty());
}

TEST(Pictures, LabelsOfAnotherRunAreMadeOnceWhileTheyAreShown) {
  Query query;
  query.text = "one two";
  const auto own = testing::snapshot_of(query);
  query.text = "three four";
  const auto other = testing::snapshot_of(query);
  Pictures pictures;
  pictures.begin_frame(own);
  const AxisLabels first = pictures.labels(*other, *other->encoding);
  EXPECT_EQ(*first, *axis_labels(*other, *other->encoding));
  pictures.begin_frame(own);
  EXPECT_EQ(pictures.labels(*other, *other->encoding), first);
  pictures.begin_frame(own);
  pictures.begin_frame(own);
  EXPECT_NE(pictures.labels(*other, *other->encoding), first) << "what a frame did not show is let go";
}

}  // namespace
}  // namespace headlight
