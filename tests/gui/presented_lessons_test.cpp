// Lessons on a projector: every step can be read, what is to be tried can be done, and nothing tells an answer before it is asked for.
#include <gmock/gmock.h>

#include <algorithm>

#include "app/gui/shell/layout.h"
#include "tests/gui/lesson_fixture.h"
#include "tests/gui/text_layout.h"

namespace headlight::testing {
namespace {

class PresentedLessons : public LessonFrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    window.items.watch_texts();
    view.shell.is_presenting = true;
    window.fonts.scale = scale_of(view.shell, 1, 1280, 720);
    apply_theme(Theme::dark, window.fonts.scale);
    window.resize({1280, 720});
    window.key("f2");
    settle();
    window.key("escape");
  }
  bool says(const std::string& words) {
    window.frame(2);
    const auto& texts = window.items.texts();
    return std::any_of(texts.begin(), texts.end(), [&](const DrawnText& text) { return text.text == words; });
  }
  void leave() {
    lesson().is_left = true;
    settle();
  }
  /// The strip scrolls sideways.
  void expect_readable(const std::string& where) {
    window.frame(2);
    std::vector<DrawnText> texts = window.items.texts();
    std::erase_if(texts, [](const DrawnText& text) { return text.window.starts_with("Token strip"); });
    for (const std::string& problem : layout_problems(texts, window.fonts.scale)) ADD_FAILURE() << where << ": " << problem;
  }
};

TEST_F(PresentedLessons, CanBeReadAtEveryStep) {
  const auto all = session.lessons().all();
  ASSERT_TRUE(all);
  for (const Lesson& each : all->lessons) {
    take(each.name);
    for (std::size_t step = 0; step < each.steps.size(); ++step) {
      const std::string where = each.name + ", step " + std::to_string(step + 1);
      expect_readable(where);
      if (lesson().asks()) {
        press("space");
        expect_readable(where + " answered");
      }
      if (step + 1 < each.steps.size()) press("space");
    }
    leave();
  }
}

TEST_F(PresentedLessons, WhatIsTriedInTheLeftRailOpensBesideThePicture) {
  take("divide-by-root");
  go_to(7);
  EXPECT_FALSE(window.has("Keep open"));
  window.click("change how scores are made");
  window.frame(2);
  EXPECT_TRUE(window.has("Keep open"));
  EXPECT_TRUE(view.shell.is_presenting);
  window.click("Keep open");
  window.frame(2);
  EXPECT_FALSE(view.shell.is_presenting);
  EXPECT_EQ(view.shell.left, Fold::open);
}

TEST_F(PresentedLessons, WhatALaterStepAsksIsCoveredUntilThen) {
  take("three-attempts");
  go_to(2);
  EXPECT_TRUE(window.has("Covered numbers of attempt 1"));
  go_to(3);
  press("space");
  EXPECT_FALSE(window.has("Covered numbers of attempt 1"));
  go_to(6);
  press("space");
  EXPECT_FALSE(window.has("Covered numbers of attempt 2"));
  EXPECT_TRUE(window.has("Covered numbers of final attempt"));
}

TEST_F(PresentedLessons, AnAskedRowIsInNoOtherView) {
  take("trained-head");
  go_to(3);
  EXPECT_FALSE(window.has("Covered view"));
  for (const View which : {View::links, View::overview, View::inside}) {
    show(which);
    EXPECT_TRUE(window.has("Covered view")) << which.name;
    EXPECT_TRUE(window.has("Guess 1")) << which.name;
  }
}

TEST_F(PresentedLessons, ARowCanBeHiddenWhileItsKeysAreCounted) {
  take("masks");
  go_to(2);
  EXPECT_TRUE(lesson().hides_row());
  EXPECT_TRUE(says("?"));
  press("space");
  EXPECT_FALSE(says("?"));
}

TEST_F(PresentedLessons, AnswersBeginWithTheLargestWeight) {
  take("masks");
  go_to(6);
  press("space");
  const auto& texts = window.items.texts();
  const auto first =
      std::find_if(texts.begin(), texts.end(), [](const DrawnText& text) { return text.text == "bank" && !text.can_scroll_across; });
  ASSERT_NE(first, texts.end());
  EXPECT_LT(first->corners[0].y, first->clip.bottom()) << "in sight";
}

TEST_F(PresentedLessons, MapsHaveTheNumberThatTheStepNamesUnderThem) {
  take("positions");
  go_to(5);
  press("space");
  EXPECT_EQ(view.overview.arrangement.tint, "mean-distance");
  go_to(6);
  EXPECT_EQ(view.overview.arrangement.tint, "");
}

TEST_F(PresentedLessons, UndoStaysInTheStep) {
  take("masks");
  go_to(5);
  go_to(9);
  const Document step = document();
  window.key("ctrl+z");
  settle();
  EXPECT_EQ(document(), step) << "not the window of step 5";
  say("Something else altogether");
  window.key("ctrl+z");
  window.key("ctrl+z");
  settle();
  EXPECT_EQ(document(), step);
}

TEST_F(PresentedLessons, TheCellsThatTheWordsSpeakOfAreFramed) {
  take("positions");
  EXPECT_FALSE(window.has("Spoken cell")) << "the question is open, and covers the map";
  press("space");
  const auto expect_frame = [&](const std::string& label, const std::string& map, Cell cell) {
    window.frame(2);
    const Box framed = window.box_of(label);
    const ImVec2 middle = window.cell_of(map, {static_cast<int>(cell.query), static_cast<int>(cell.key)});
    EXPECT_TRUE(framed.contains({middle.x, middle.y})) << label;
    EXPECT_LT(framed.width, 60) << "one cell";
  };
  expect_frame("Spoken cell#1", "map", {8, 1});
  expect_frame("Spoken cell#2", "map", {8, 7});
  leave();
  take("three-attempts");
  go_to(4);
  expect_frame("Spoken cell#1", "attempt 1 0 scores", {0, 4});
  expect_frame("Spoken cell#4", "attempt 1 0", {4, 0});
  const auto& items = window.items.items();
  EXPECT_EQ(std::count_if(items.begin(), items.end(), [](const DrawnItem& item) { return item.label == "Spoken cell"; }), 4)
      << "scores and weights of the card that is lit alone";
}

TEST_F(PresentedLessons, TheAnswerToWhereAWordLooksIsFramedAndNamed) {
  take("trained-head");
  go_to(3);
  EXPECT_FALSE(window.has("Spoken cell"));
  press("space");
  window.frame(2);
  const Box framed = window.box_of("Spoken cell");
  const ImVec2 middle = window.cell_of("map", {6, 4});  // they, sailors
  EXPECT_TRUE(framed.contains({middle.x, middle.y}));
  leave();
  take("whole-layer");
  press("space");
  window.frame(2);
  EXPECT_TRUE(says("inhabited")) << "though the labels of its neighbours have no room";
}

TEST_F(PresentedLessons, LabelsAndColourBarOfAMapAreNeverDimmed) {
  take("trained-head");
  go_to(3);
  window.frame(2);
  const Box dimmed = window.box_of("Dimmed"), map = window.box_of("map");
  EXPECT_EQ(dimmed.x, map.x);
  EXPECT_EQ(dimmed.right(), map.right());
  EXPECT_EQ(dimmed.y, map.y);
}

TEST_F(PresentedLessons, BothStripsOfTheConcatenationAreInSight) {
  take("many-heads");
  go_to(5);
  press("space");
  window.frame(3);
  for (const char* strip : {"strip z", "strip output"}) {
    const Box box = window.box_of(strip);
    EXPECT_LT(box.bottom(), 720 - 81) << strip << " above the tokens";
    EXPECT_GT(box.y, 60) << strip;
  }
}

TEST_F(PresentedLessons, TheHeadsThatAreComparedAreInSightTogether) {
  take("three-attempts");
  go_to(9);
  window.frame(3);
  for (const char* card : {"card A", "card B", "card C"}) {
    const Box box = window.box_of(card);
    EXPECT_LT(box.bottom(), 720 - 81) << card;
    EXPECT_GT(box.width, 150) << card;
  }
}

TEST_F(PresentedLessons, ABendIsDrawnOnceItIsNotAskedForAnyMore) {
  take("whole-layer");
  go_to(5);
  EXPECT_TRUE(window.has("Covered view"));
  press("space");
  window.frame(3);
  EXPECT_TRUE(window.has("length after attention"));
  EXPECT_TRUE(window.has("Covered card bend"));
  go_to(8);
  press("space");
  window.frame(3);
  const Box bend = window.box_of("bend");
  EXPECT_LT(bend.bottom(), 720 - 60);
  EXPECT_GT(bend.height, 150);
}

TEST_F(PresentedLessons, PageKeysWorkWhereverTheKeyboardIs) {
  take("masks");
  window.click("Sentence");
  window.frame(2);
  ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  const Document step = document();
  press("pagedown");
  EXPECT_EQ(lesson().step, 1U);
  window.frame(2);
  EXPECT_FALSE(ImGui::GetIO().WantTextInput) << "the text box lets go of it: the black screen’s key is no letter";
  window.click("Your number");
  window.frame(2);
  press("pagedown");
  EXPECT_EQ(lesson().step, 1U) << "the answer first";
  EXPECT_FALSE(lesson().asks());
  press("pageup");
  EXPECT_EQ(lesson().step, 0U);
  EXPECT_EQ(document(), step);
  view.shell.is_presenting = false;
  window.click("Sentence");
  press("pagedown");
  EXPECT_EQ(lesson().step, 0U) << "who does not present may be writing";
}

TEST_F(PresentedLessons, ArrowsOfAClickerGoOnAndBack) {
  take("masks");
  const HeadId head = view.head;
  press("right");
  EXPECT_EQ(lesson().step, 1U);
  press("down");
  EXPECT_FALSE(lesson().asks());
  press("down");
  EXPECT_EQ(lesson().step, 2U) << "in Inside too";
  press("left");
  press("up");
  EXPECT_EQ(lesson().step, 0U);
  EXPECT_EQ(view.head, head);
  view.shell.is_presenting = false;
  press("right");
  EXPECT_EQ(lesson().step, 0U) << "the head beside it";
  EXPECT_NE(view.head, head);
}

TEST_F(PresentedLessons, TheBlackScreenEndsWithTheNextKeyOrClickAndDoesNothingElse) {
  take("masks");
  for (const char* key : {"b", "."}) {
    press(key);
    EXPECT_TRUE(view.shell.is_black) << key;
    EXPECT_TRUE(says("Any key goes on."));
    EXPECT_FALSE(window.has("map"));
    press("pagedown");
    EXPECT_FALSE(view.shell.is_black);
    EXPECT_EQ(lesson().step, 0U);
    EXPECT_TRUE(window.has("map"));
  }
  press(".");
  press(".");
  EXPECT_FALSE(view.shell.is_black);
  press(".");
  window.click({640, 400});
  window.frame(2);
  EXPECT_FALSE(view.shell.is_black);
  EXPECT_EQ(view.painting.brush, Brush::off);
}

TEST_F(PresentedLessons, StoppingToPresentKeepsTheLesson) {
  take("masks");
  press("pagedown");
  press("escape");
  EXPECT_FALSE(view.shell.is_presenting);
  ASSERT_NE(session.lessons().open(), nullptr);
  EXPECT_EQ(lesson().step, 1U);
  EXPECT_TRUE(view.pinned_query) << "the row of the step";
  press("shift+f5");
  EXPECT_TRUE(view.shell.is_presenting) << "as clickers ask for the slide they were at";
  press("f5");
  EXPECT_FALSE(view.shell.is_presenting);
  press("escape");
  EXPECT_EQ(session.lessons().open(), nullptr);
}

TEST_F(PresentedLessons, EndWithAWordOnTheGuesses) {
  take("trained-head");
  go_to(5);
  window.click("No");
  settle();
  go_to(11);
  EXPECT_TRUE(says("1 of 1 guesses right."));
}

}  // namespace
}  // namespace headlight::testing
