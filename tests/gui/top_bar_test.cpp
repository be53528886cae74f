#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

using TopBar = testing::FrameTest;

TEST_F(TopBar, EveryKeystrokeIsAPictureOfItsOwn) {
  const Index before = snapshot()->tokens();
  window.key("ctrl+l");
  window.key("end");
  const std::uint64_t published = session.worker().status().published;
  window.type(" Yes");
  settle();
  EXPECT_EQ(document().query.text, "The animal didn't cross the street because it was too tired. Yes");
  EXPECT_EQ(snapshot()->tokens(), before + 1);
  EXPECT_GT(session.worker().status().published, published);
}

TEST_F(TopBar, TypingReplacesTheSentenceAfterCtrlL) {
  window.key("ctrl+l");
  window.type("Hello there");
  settle();
  EXPECT_EQ(document().query.text, "Hello there");
  EXPECT_EQ(snapshot()->tokens(), 2);
}

TEST_F(TopBar, UndoInsideTheBoxIsTheDocumentsUndoAndShowsItsText) {
  const std::string first = document().query.text;
  window.key("ctrl+l");
  window.type("Hello");
  window.key("ctrl+z");
  EXPECT_EQ(document().query.text, first);
  window.key("end");
  window.type("!");
  EXPECT_EQ(document().query.text, first + "!") << "the box still held what was undone";
}

TEST_F(TopBar, EscapeLeavesTheBoxAndKeepsWhatWasTyped) {
  window.key("ctrl+l");
  window.type("Hello");
  window.key("escape");
  EXPECT_EQ(document().query.text, "Hello");
  EXPECT_FALSE(ImGui::GetIO().WantTextInput);
}

TEST_F(TopBar, AnEmptySecondSentenceIsNone) {
  window.click("Second sentence");
  window.type("It");
  EXPECT_EQ(document().query.text_pair, "It");
  window.key("backspace");
  window.key("backspace");
  EXPECT_FALSE(document().query.text_pair.has_value());
}

TEST_F(TopBar, AnEmptySentenceLeavesTheWindowInOrder) {
  window.key("ctrl+l");
  window.key("delete");
  settle();
  EXPECT_EQ(document().query.text, "");
  EXPECT_TRUE(window.has("Overview"));
  window.type("Back again");
  settle();
  EXPECT_EQ(document().query.text, "Back again");
  EXPECT_EQ(snapshot()->tokens(), 2);
}

TEST_F(TopBar, TheModelButtonOpensThePicker) {
  window.click("Model");
  EXPECT_TRUE(view.dialogs.model_picker);
  window.key("escape");
  EXPECT_FALSE(view.dialogs.model_picker);
  window.click("Export");
  EXPECT_TRUE(view.dialogs.figure_export) << "a dialog that was put away still holds the window";
}

}  // namespace
}  // namespace headlight
