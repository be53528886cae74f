// Lessons in the window: taken from their list, stepped through by keys, guessed in, and left with everything as before.
#include <gmock/gmock.h>

#include <algorithm>

#include "app/gui/commands/commands.h"
#include "app/gui/panel/saved_view.h"
#include "tests/gui/lesson_fixture.h"

namespace headlight::testing {
namespace {

class LessonsInTheWindow : public LessonFrameTest {
 protected:
  const PlayedStep& played() { return session.lessons().played()->played; }
  void expect_covered_until_answered(const View& shown) {
    EXPECT_EQ(view.view, shown);
    EXPECT_TRUE(window.has("Covered view"));
    press("space");
    EXPECT_FALSE(window.has("Covered view"));
  }
};

TEST_F(LessonsInTheWindow, TheListNamesThemAllAndOneIsTakenFromIt) {
  window.key("f2");
  settle();
  const auto all = session.lessons().all();
  ASSERT_TRUE(all);
  EXPECT_EQ(all->lessons.size(), 10U);
  EXPECT_TRUE(all->left_out.empty());
  window.click(all->lessons.front().title);
  settle();
  ASSERT_NE(session.lessons().open(), nullptr);
  EXPECT_EQ(lesson().lesson->name, all->lessons.front().name);
  EXPECT_FALSE(view.dialogs.lessons);
}

TEST_F(LessonsInTheWindow, AStepSetsItsDocumentAndItsLookAsOneStepOfTheHistory) {
  const std::size_t before = session.history().labels().size();
  take("trained-head");
  EXPECT_EQ(session.history().labels().size(), before + 1);
  EXPECT_EQ(document().query, lesson().lesson->steps.front().document.query);
  go_to(2);
  EXPECT_EQ(view.view, View::head);
  EXPECT_EQ(view.head, (HeadId{0, 0}));
  EXPECT_TRUE(view.pinned_query);
}

TEST_F(LessonsInTheWindow, LeavingBringsBackDocumentAndLook) {
  say("My own sentence stays mine");
  show(View::links);
  const Document own = document();
  take("masks");
  press("pagedown");
  EXPECT_NE(document().query, own.query);
  EXPECT_EQ(session.own_document(), own) << "what is kept for the next start";
  press("escape");
  EXPECT_EQ(session.lessons().open(), nullptr);
  EXPECT_EQ(document(), own);
  EXPECT_EQ(view.view, View::links);
  EXPECT_FALSE(window.has("Lesson step 1"));
}

TEST_F(LessonsInTheWindow, OneThatWasLeftGoesOnWhereItWas) {
  take("masks");
  go_to(4);
  press("escape");
  take("masks");
  EXPECT_EQ(lesson().step, 3U);
}

TEST_F(LessonsInTheWindow, ReturningToTheStepUndoesWhatWasTouched) {
  take("trained-head");
  const Document step = document();
  say("Something else altogether");
  EXPECT_EQ(document().query.text, "Something else altogether");
  press("r");
  EXPECT_EQ(document(), step);
  window.key("ctrl+z");
  settle();
  EXPECT_EQ(document().query.text, "Something else altogether") << "and that is undone";
}

TEST_F(LessonsInTheWindow, AnotherSentenceGivesADashAndAReasonAndNoError) {
  take("trained-head");
  go_to(3);
  say("Nobody is here.");
  ASSERT_TRUE(session.lessons().played());
  EXPECT_FALSE(played().answer->problem.empty());
  EXPECT_FALSE(session.lessons().status().error);
  press("space");
  EXPECT_FALSE(lesson().asks());
  EXPECT_FALSE(session.lessons().status().error);
}

TEST_F(LessonsInTheWindow, TheAskedRowIsHiddenUntilItIsGuessedAndTheGuessIsScored) {
  take("trained-head");
  go_to(3);
  ASSERT_TRUE(lesson().hides_row());
  EXPECT_TRUE(window.has("Guess 1"));
  EXPECT_TRUE(window.has("Asked cell 1")) << "on the map too";
  EXPECT_FALSE(window.has("Guess 7")) << "masked";
  const Answer answer = *played().answer;
  const Index wrong = answer.best == 1 ? 2 : 1;
  window.click("Asked cell " + std::to_string(wrong));
  settle();
  EXPECT_FALSE(window.has("Asked cell 1"));
  ASSERT_TRUE(lesson().guessing.guess);
  const GuessScore score = score_of(*lesson().shown().question, answer, *lesson().guessing.guess);
  EXPECT_FALSE(score.is_right);
  EXPECT_LT(score.share, 1);
}

TEST_F(LessonsInTheWindow, ADigitGuessesAndDoesNotChangeTheView) {
  take("trained-head");
  go_to(3);
  press("2");
  EXPECT_FALSE(lesson().asks());
  EXPECT_EQ(std::get<Index>(*lesson().guessing.guess), 2);
  EXPECT_EQ(view.view, View::head);
  press("1");
  EXPECT_EQ(view.view, View::overview) << "with the answer shown, digits lead to views again";
}

TEST_F(LessonsInTheWindow, SpaceShowsTheAnswerWithoutAGuessAndThenGoesOn) {
  take("trained-head");
  go_to(3);
  press("space");
  EXPECT_EQ(lesson().step, 2U);
  EXPECT_FALSE(lesson().asks());
  EXPECT_FALSE(lesson().guessing.guess);
  press("space");
  EXPECT_EQ(lesson().step, 3U);
  press("pageup");
  EXPECT_EQ(lesson().step, 2U);
  EXPECT_TRUE(lesson().asks());
}

TEST_F(LessonsInTheWindow, OutputIsCoveredWhileSomethingIsAsked) {
  take("which-heads-matter");
  go_to(2);
  expect_covered_until_answered(View::output);
}

TEST_F(LessonsInTheWindow, ALabIsCoveredWhileSomethingIsAsked) {
  take("divide-by-root");
  go_to(2);
  expect_covered_until_answered(View::lab);
}

TEST_F(LessonsInTheWindow, AMapThatShowsTheAskedNumberIsCoveredAndNothingExplainsIt) {
  take("divide-by-root");
  go_to(6);
  window.key("ctrl+i");
  window.click("Copy");
  EXPECT_EQ(std::string(ImGui::GetClipboardText()), "This would give the answer away: guess first.");
  window.key("escape");
  expect_covered_until_answered(View::head);
}

TEST_F(LessonsInTheWindow, AMapToCountOnStaysInSight) {
  take("masks");
  go_to(2);
  ASSERT_TRUE(lesson().asks());
  EXPECT_FALSE(window.has("Covered view"));
}

TEST_F(LessonsInTheWindow, AStepWithoutARowHoldsNone) {
  take("three-attempts");
  go_to(7);
  EXPECT_TRUE(view.pinned_query);
  go_to(8);
  EXPECT_FALSE(view.pinned_query) << "it would be a word of another text";
}

TEST_F(LessonsInTheWindow, EveryAttemptOfTheLabIsInSight) {
  window.resize({1280, 720});
  take("three-attempts");
  go_to(2);
  EXPECT_FALSE(window.has("Mask conventions")) << "the list of labs";
  for (const char* card : {"card vanilla", "card attempt 1", "card attempt 2", "card final attempt"}) {
    window.frame(2);
    const DrawnItem* item = window.items.only(card);
    ASSERT_NE(item, nullptr) << card;
    EXPECT_LT(item->box.bottom(), 720) << card;
  }
}

TEST_F(LessonsInTheWindow, ACardThatIsPointedAtIsScrolledTo) {
  window.resize({1280, 720});
  view.shell.is_presenting = true;
  take("three-attempts");
  go_to(8);
  press("space");
  const DrawnItem* item = window.items.only("card final attempt");
  ASSERT_NE(item, nullptr);
  EXPECT_LT(item->box.y, 400);
}

TEST_F(LessonsInTheWindow, AFileOfOnesOwnIsTakenAndListedFirst) {
  const TemporaryFolder folder;
  folder.file(
      "mine.lesson.json",
      R"({"format": "headlight-lesson", "version": 1, "title": "Mine", "goal": "g", "minutes": 5, "document": {"model": {"name": "story-gpt"}, "text": "The cat sat"},
    "steps": [{"title": "One", "words": "There are {tokens} tokens.", "view": "links"}]})");
  session.lessons().add_own(folder / "mine.lesson.json");
  take("mine");
  EXPECT_EQ(lesson().lesson->title, "Mine");
  EXPECT_EQ(view.view, View::links);
  EXPECT_EQ(session.lessons().all()->lessons.front().name, "mine");
  EXPECT_EQ(session.lessons().all()->lessons.size(), 11U);
}

TEST_F(LessonsInTheWindow, AreListedAsTheirFilesSay) {
  window.key("f2");
  settle();
  std::vector<std::string> names;
  for (const Lesson& each : session.lessons().all()->lessons) names.push_back(each.name);
  const std::vector<std::string> first(names.begin(), names.begin() + 5);
  EXPECT_THAT(first, ::testing::ElementsAre("three-attempts", "masks", "many-heads", "whole-layer", "trained-head"));
}

/// Whatever the length of the words: yes and no, the box for a number, and the first of the keys lie inside the window.
TEST_F(LessonsInTheWindow, WhatIsGuessedWithIsInSightWhilePresenting) {
  window.resize({1280, 720});
  view.shell.is_presenting = true;
  window.key("f2");
  settle();
  window.key("escape");
  const auto all = session.lessons().all();
  ASSERT_TRUE(all);
  for (const Lesson& each : all->lessons) {
    take(each.name);
    for (std::size_t step = 0; step < each.steps.size(); ++step) {
      if (lesson().asks()) {
        const auto guesses = [&](const DrawnItem& item) {
          for (const char* name : {"Yes", "Your number", "Order ", "Guess ", "Draw "}) {
            if (item.label.starts_with(name) && item.box.height > 10 && item.box.bottom() < 720) return true;
          }
          return false;
        };
        const auto items = window.items.items();
        EXPECT_TRUE(std::any_of(items.begin(), items.end(), guesses)) << each.name << ", step " << step + 1;
        press("space");
      }
      if (step + 1 < each.steps.size()) press("space");
    }
    press("escape");
  }
}

TEST_F(LessonsInTheWindow, AStepOfHeadThatNamesNoStageShowsTheWeights) {
  take("masks");
  go_to(2);
  EXPECT_EQ(view.head_page.stage, Stage::mask);
  go_to(4);
  EXPECT_EQ(view.head_page.stage, Stage::weights);
}

TEST_F(LessonsInTheWindow, ARowIsDrawnByDragging) {
  take("trained-head");
  go_to(6);
  ASSERT_EQ(lesson().shown().question->kind, QuestionKind::row);
  const Box bar = window.box_of("Draw 1");
  window.drag({bar.x + 2, bar.y + bar.height / 2}, {bar.x + bar.width * 0.75F, bar.y + bar.height / 2});
  EXPECT_NEAR(lesson().guessing.drawn.at(1), 0.75, 0.05);
  window.click("That is my guess");
  settle();
  EXPECT_FALSE(lesson().asks());
  EXPECT_TRUE(std::holds_alternative<std::vector<double>>(*lesson().guessing.guess));
}

TEST_F(LessonsInTheWindow, ANumberIsTypedAsAPersonWritesIt) {
  take("trained-head");
  go_to(8);
  ASSERT_EQ(lesson().shown().question->kind, QuestionKind::number);
  window.click("Your number");
  window.type("much");
  window.click("Guess");
  EXPECT_TRUE(lesson().asks());
  EXPECT_THAT(lesson().guessing.problem, ::testing::HasSubstr("much"));
  window.click("Your number");
  window.key("ctrl+a");
  window.type("1,5");
  window.key("enter");
  settle();
  EXPECT_FALSE(lesson().asks());
  EXPECT_EQ(std::get<double>(*lesson().guessing.guess), 1.5);
}

TEST_F(LessonsInTheWindow, HeadsAreOrderedByClicksThatCanBeTakenBack) {
  take("trained-head");
  go_to(9);
  ASSERT_EQ(lesson().shown().question->kind, QuestionKind::order);
  window.click("Order 2.1");
  window.click("Order 2.1");
  EXPECT_TRUE(lesson().guessing.ordered.empty());
  window.click("Order 2.0");
  window.click("Order 2.5");
  window.click("Order 2.1");
  settle();
  EXPECT_EQ(std::get<std::vector<HeadId>>(*lesson().guessing.guess), (std::vector<HeadId>{{2, 0}, {2, 5}, {2, 1}}));
}

TEST_F(LessonsInTheWindow, YesAndNoAreAnswered) {
  take("trained-head");
  go_to(5);
  window.click("Yes");
  settle();
  EXPECT_TRUE(std::get<bool>(*lesson().guessing.guess));
  EXPECT_FALSE(lesson().asks());
}

TEST_F(LessonsInTheWindow, WhileALessonIsTakenItsDocumentIsNotSavedOverTheOwn) {
  take("masks");
  Document draft = document();
  const Look look{palette(Theme::dark), window.fonts, 1};
  const Panel panel{context, snapshot(), session.worker().status(), draft, view, caches, look, all_views()};
  for (const char* name : {"Save", "Save as …"}) {
    const auto rows = window_commands();
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const WindowCommand& each) { return std::string_view(each.name) == name; });
    ASSERT_NE(row, rows.end());
    EXPECT_NE(why_not(panel, *row), "") << name;
  }
}

TEST_F(LessonsInTheWindow, EveryStepOfEveryLessonIsPlayedToItsEnd) {
  window.resize({1280, 720});
  window.key("f2");
  settle();
  window.key("escape");
  const auto all = session.lessons().all();
  ASSERT_TRUE(all);
  for (const Lesson& each : all->lessons) {
    take(each.name);
    for (std::size_t step = 0; step < each.steps.size(); ++step) {
      ASSERT_EQ(lesson().step, step) << each.name;
      const std::string where = each.name + ", step " + std::to_string(step + 1);
      ASSERT_TRUE(session.lessons().played()) << where;
      EXPECT_EQ(snapshot()->query, lesson().shown().document.query) << where;
      EXPECT_EQ(view.notes.banner, "") << where;
      if (!lesson().shown().view.view.empty()) {
        EXPECT_EQ(view.view.name, lesson().shown().view.view) << where;
      }
      if (lesson().asks()) {
        EXPECT_EQ(played().answer->problem, "") << where;
        press("space");
      }
      if (step + 1 < each.steps.size()) press("space");
    }
    EXPECT_TRUE(lesson().is_last());
    press("escape");
  }
}

}  // namespace
}  // namespace headlight::testing
