// The welcome of a first start: three doors, gone with the first key, and found again in help.
#include "tests/gui/frame_fixture.h"

namespace headlight::testing {
namespace {

class Welcome : public FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    view.notes.is_welcoming = true;
    settle();
  }
};

TEST_F(Welcome, TakesNothingFromThePictureAndIsClosed) {
  const Box line = window.box_of("Take a lesson");
  EXPECT_LT(line.bottom(), window.box_of("head 0.0").y);
  window.click("Close Welcome");
  EXPECT_FALSE(view.notes.is_welcoming);
  EXPECT_FALSE(window.has("Take a lesson"));
}

TEST_F(Welcome, IsGoneWithTheFirstKeystroke) {
  window.click("Sentence");
  EXPECT_TRUE(view.notes.is_welcoming);
  window.type("a");
  settle();
  EXPECT_FALSE(view.notes.is_welcoming);
}

TEST_F(Welcome, IsGoneWithAKeyThatWritesNothingToo) {
  window.key("right");
  window.frame(2);
  EXPECT_FALSE(view.notes.is_welcoming);
}

TEST_F(Welcome, StaysWhileTheKeyboardWalksToItsDoors) {
  for (int steps = 0; steps < 3; ++steps) window.key("tab");
  window.key("shift+tab");
  window.frame(2);
  EXPECT_TRUE(view.notes.is_welcoming);
}

TEST_F(Welcome, ItsDoorsLeadToTheSentenceTheLessonsAndTheModels) {
  window.click("Look at my own sentence");
  EXPECT_FALSE(view.notes.is_welcoming);
  const std::string before = document().query.text;
  window.type("x");
  settle();
  EXPECT_NE(document().query.text, before) << "the keyboard was in the sentence";
  view.notes.is_welcoming = true;
  window.frame(2);
  EXPECT_FALSE(view.notes.is_welcoming) << "not after an edit";
}

TEST_F(Welcome, TheDoorToLessonsOpensTheirList) {
  window.click("Take a lesson");
  EXPECT_TRUE(view.dialogs.lessons);
}

TEST_F(Welcome, TheDoorToModelsOpensThePicker) {
  window.click("Open a model");
  EXPECT_TRUE(view.dialogs.model_picker);
}

TEST_F(Welcome, HelpHasTheDoorsAgain) {
  window.click("Close Welcome");
  window.key("f1");
  window.click("Take a lesson");
  EXPECT_FALSE(view.dialogs.help);
  EXPECT_TRUE(view.dialogs.lessons);
}

}  // namespace
}  // namespace headlight::testing
