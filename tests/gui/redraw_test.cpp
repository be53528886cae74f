#include "app/gui/window/redraw.h"

#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

class Redraw : public testing::FrameTest {
 protected:
  FrameChange change() { return screen.replace(*ImGui::GetDrawData(), window.textures.uploads); }
  /// The next frame that differs from the one before it, within two seconds of the window's clock.
  FrameChange next_change() {
    for (int frame = 0; frame < 120; ++frame) {
      window.frame();
      const FrameChange found = change();
      if (!found.is_nothing()) return found;
    }
    ADD_FAILURE() << "nothing changed";
    return {};
  }
  LastFrame screen;
};

bool is_inside(const Box& inner, const Box& outer) {
  return inner.x >= outer.x && inner.y >= outer.y && inner.right() <= outer.right() && inner.bottom() <= outer.bottom();
}

TEST_F(Redraw, OfTheFirstFrameIsAllAndOfAnEqualOneNothing) {
  EXPECT_TRUE(change().is_all);
  window.frame();
  EXPECT_TRUE(change().is_nothing());
  screen.forget();
  window.frame();
  EXPECT_TRUE(change().is_all) << "the screen lost what it showed";
}

TEST_F(Redraw, OfABlinkingCaretIsTheCaretAlone) {
  ImGui::GetIO().ConfigInputTextCursorBlink = true;
  window.click("Sentence");
  window.frame(20);
  change();
  for (int blink = 0; blink < 3; ++blink) {
    const FrameChange found = next_change();
    ASSERT_FALSE(found.is_all);
    EXPECT_LE(found.box.width, 8);
    EXPECT_TRUE(is_inside(found.box, window.items.find("Sentence").box));
  }
}

TEST_F(Redraw, IsAskedForWhenTheCaretBlinksAndNotBefore) {
  EXPECT_FALSE(seconds_to_blink());
  window.click("Sentence");
  EXPECT_FALSE(seconds_to_blink()) << "a script's caret stands still";
  ImGui::GetIO().ConfigInputTextCursorBlink = true;
  window.frame();
  change();
  for (int blink = 0; blink < 3; ++blink) {
    const std::optional<double> wait = seconds_to_blink();
    ASSERT_TRUE(wait.has_value());
    EXPECT_GT(*wait, 0.2);
    const auto quiet = static_cast<int>(*wait * 60) - 1;
    for (int frame = 0; frame < quiet; ++frame) {
      window.frame();
      ASSERT_TRUE(change().is_nothing()) << "frame " << frame << " of " << quiet;
    }
    next_change();
  }
}

TEST_F(Redraw, OfAKeystrokeThatMakesANewPictureReachesAsFarAsThePicture) {
  change();
  window.click("Sentence");
  window.type("x");
  settle();
  const FrameChange found = change();
  EXPECT_TRUE(found.is_all || is_inside(window.items.find("head 0.0").box, found.box));
}

TEST_F(Redraw, OfAPictureWrittenAnewInItsTextureIsAll) {
  change();
  window.frame();
  EXPECT_TRUE(screen.replace(*ImGui::GetDrawData(), window.textures.uploads + 1).is_all) << "its triangles are the same";
}

TEST_F(Redraw, OfPartOfAFrameLeavesOnlyWhatIsDrawnThere) {
  const Box box = window.box_of("Sentence");
  window.frame();
  ImDrawData& data = *ImGui::GetDrawData();
  const int lists = data.CmdLists.Size;
  restrict_to(data, box);
  EXPECT_LT(data.CmdLists.Size, lists);
  ASSERT_GT(data.CmdLists.Size, 0);
  for (const ImDrawList* list : data.CmdLists) {
    for (const ImDrawCmd& command : list->CmdBuffer) {
      const ImVec4& clip = command.ClipRect;
      const bool is_empty = clip.x >= clip.z || clip.y >= clip.w;
      EXPECT_TRUE(is_empty || is_inside({clip.x, clip.y, clip.z - clip.x, clip.w - clip.y}, box));
    }
  }
}

}  // namespace
}  // namespace headlight
