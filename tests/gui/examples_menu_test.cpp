#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

using ExamplesMenu = testing::FrameTest;

TEST_F(ExamplesMenu, SetsTheSentenceInOneStepAndShowsItsRelations) {
  const std::string before = document().query.text;
  window.click("Examples");
  window.click("London, three times");
  settle();
  EXPECT_EQ(document().query.text, "London, inhabited by more than 10 million people, is the capital of England.");
  EXPECT_TRUE(window.has("Close Relations"));
  window.click("Close Relations");
  settle();
  EXPECT_FALSE(window.has("Close Relations"));
  window.key("ctrl+z");
  settle();
  EXPECT_EQ(document().query.text, before);
}

TEST_F(ExamplesMenu, RelationsGoWhenTheSentenceIsChanged) {
  window.click("Examples");
  window.click("A deposit at the bank");
  settle();
  EXPECT_TRUE(window.has("Close Relations"));
  say("I am going to deposit my money at the river bank");
  EXPECT_FALSE(window.has("Close Relations"));
}

}  // namespace
}  // namespace headlight
