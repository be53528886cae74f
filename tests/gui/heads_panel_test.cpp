#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

using HeadsNote = testing::FrameTest;

TEST_F(HeadsNote, SaysThatParametersAreUnchangedOnlyOnceHeadsWereChanged) {
  EXPECT_FALSE(window.has("Parameters unchanged"));
  window.click("Heads 4");
  settle();
  EXPECT_TRUE(window.has("Parameters unchanged"));
  window.click("Key/value heads");
  window.click("2");
  settle();
  EXPECT_FALSE(window.has("Parameters unchanged")) << "averaged key/value heads are fewer parameters";
}

}  // namespace
}  // namespace headlight
