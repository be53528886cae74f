#include "app/document/history.h"

#include <gtest/gtest.h>

#include <random>

namespace headlight {
namespace {

Document with_text(const std::string& text) {
  Document document;
  document.query.text = text;
  return document;
}

TEST(History, UndoOfAnEditIsTheIdentity) {
  History history(with_text("a"));
  const Document before = history.current();
  history.record(with_text("b"), "text");
  history.undo();
  EXPECT_EQ(history.current(), before);
  history.redo();
  EXPECT_EQ(history.current(), with_text("b"));
}

TEST(History, StepsThatWereHeldAreGoneOnceTheDocumentBeforeThemIsBack) {
  History history(with_text("a"));
  history.record(with_text("own"), "text");
  history.record(with_text("lesson"), "lesson");
  history.hold_undo();
  history.record(with_text("touched"), "text");
  history.record(with_text("second step"), "lesson");
  history.hold_undo();
  EXPECT_FALSE(history.can_undo());
  history.record(with_text("own"), "left");
  history.free_undo();
  EXPECT_EQ(history.labels(), (std::vector<std::string>{"open", "text"}));
  EXPECT_FALSE(history.can_redo());
  history.undo();
  EXPECT_EQ(history.current(), with_text("a"));
}

TEST(History, StepsThatWereHeldStayWhereTheyLeadElsewhere) {
  History history(with_text("own"));
  history.record(with_text("lesson"), "lesson");
  history.hold_undo();
  history.record(with_text("kept"), "text");
  history.free_undo();
  history.undo();
  EXPECT_EQ(history.current(), with_text("lesson"));
}

TEST(History, AtTheEndsUndoAndRedoDoNothing) {
  History history(with_text("a"));
  EXPECT_FALSE(history.can_undo());
  EXPECT_FALSE(history.can_redo());
  history.undo();
  history.redo();
  EXPECT_EQ(history.current(), with_text("a"));
  EXPECT_EQ(history.undo_label(), "");
  EXPECT_EQ(history.redo_label(), "");
}

TEST(History, StepsOfOneGroupAreOneStep) {
  History history(with_text("a"));
  history.record(with_text("ab"), "text", "typing");
  history.record(with_text("abc"), "text", "typing");
  EXPECT_EQ(history.labels(), (std::vector<std::string>{"open", "text"}));
  EXPECT_EQ(history.base_of("typing"), with_text("a"));
  EXPECT_EQ(history.base_of("gesture"), with_text("abc"));
  history.undo();
  EXPECT_EQ(history.current(), with_text("a"));
}

TEST(History, AClosedGroupIsNotContinued) {
  History history(with_text("a"));
  history.record(with_text("b"), "text", "gesture");
  history.close_group();
  history.record(with_text("c"), "text", "gesture");
  history.undo();
  EXPECT_EQ(history.current(), with_text("b"));
}

TEST(History, StepsWithoutAGroupNeverJoin) {
  History history(with_text("a"));
  history.record(with_text("b"), "text");
  history.record(with_text("c"), "text");
  history.undo();
  EXPECT_EQ(history.current(), with_text("b"));
}

TEST(History, AnUndoneGroupIsNotContinued) {
  History history(with_text("a"));
  history.record(with_text("b"), "text", "typing");
  history.record(with_text("c"), "text", "other");
  history.undo();
  history.record(with_text("d"), "text", "typing");
  history.undo();
  EXPECT_EQ(history.current(), with_text("b"));
}

TEST(History, AGroupThatComesBackToItsBeginningLeavesNoStep) {
  History history(with_text("a"));
  history.record(with_text("b"), "text", "gesture");
  history.record(with_text("a"), "text", "gesture");
  EXPECT_FALSE(history.can_undo());
  history.record(with_text("c"), "text", "gesture");
  history.undo();
  EXPECT_EQ(history.current(), with_text("a"));
}

TEST(History, RecordingForgetsWhatWasUndone) {
  History history(with_text("a"));
  history.record(with_text("b"), "to b");
  history.record(with_text("c"), "to c");
  history.undo();
  EXPECT_EQ(history.undo_label(), "to b");
  EXPECT_EQ(history.redo_label(), "to c");
  history.record(with_text("d"), "to d");
  EXPECT_FALSE(history.can_redo());
  EXPECT_EQ(history.labels(), (std::vector<std::string>{"open", "to b", "to d"}));
}

TEST(History, AStepThatIsTakenBackLeavesWhatRedoHad) {
  History history(with_text("a"));
  history.record(with_text("b"), "to b");
  history.record(with_text("c"), "to c");
  history.undo();
  history.record(with_text("x"), "refused");
  ASSERT_TRUE(history.take_back());
  EXPECT_EQ(history.current(), with_text("b"));
  EXPECT_EQ(history.redo_label(), "to c");
  EXPECT_EQ(history.undo_label(), "to b");
  EXPECT_FALSE(history.take_back()) << "there is nothing more to take back";
  history.redo();
  EXPECT_EQ(history.current(), with_text("c"));
}

TEST(History, AfterUndoNothingIsTakenBack) {
  History history(with_text("a"));
  history.record(with_text("b"), "to b");
  history.record(with_text("c"), "to c");
  history.undo();
  EXPECT_FALSE(history.take_back());
  EXPECT_EQ(history.current(), with_text("b"));
}

TEST(History, ForgetsTheOldestStepsBeyondItsLength) {
  History history(with_text("0"));
  for (std::size_t step = 1; step <= kLongestHistory + 10; ++step) history.record(with_text(std::to_string(step)), "text");
  EXPECT_EQ(history.current(), with_text(std::to_string(kLongestHistory + 10)));
  EXPECT_EQ(history.labels().size(), kLongestHistory);
  while (history.can_undo()) history.undo();
  EXPECT_EQ(history.current(), with_text("11"));
}

// Against the plainest model of undo: two stacks.
TEST(History, ARandomWalkAgreesWithTwoStacks) {
  std::mt19937 random(7);
  History history(with_text("0"));
  std::vector<Document> past, future;
  Document now = with_text("0");
  for (int step = 1; step < 3000; ++step) {
    const unsigned choice = random() % 4;
    if (choice < 2) {
      past.push_back(now);
      now = with_text(std::to_string(step));
      future.clear();
      if (past.size() >= kLongestHistory) past.erase(past.begin());
      history.record(now, "text");
    } else if (choice == 2) {
      if (!past.empty()) {
        future.push_back(now);
        now = past.back();
        past.pop_back();
      }
      history.undo();
    } else {
      if (!future.empty()) {
        past.push_back(now);
        now = future.back();
        future.pop_back();
      }
      history.redo();
    }
    ASSERT_EQ(history.current(), now) << "step " << step;
    ASSERT_EQ(history.can_undo(), !past.empty());
    ASSERT_EQ(history.can_redo(), !future.empty());
  }
}

}  // namespace
}  // namespace headlight
