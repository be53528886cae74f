#include "app/gui/window/redraw.h"

#include <algorithm>
#include <utility>

#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

constexpr Colour kGround{20, 21, 25};

class Redraw : public testing::FrameTest {
 protected:
  FrameChange change() { return screen.replace(*ImGui::GetDrawData(), kGround, std::exchange(window.textures.written, {})); }
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

bool encloses(const FrameChange& change, const Box& box) {
  return std::any_of(change.boxes.begin(), change.boxes.end(), [&](const Box& each) { return is_inside(box, each); });
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
    ASSERT_EQ(found.boxes.size(), 1U);
    EXPECT_LE(found.boxes[0].width, 8);
    EXPECT_TRUE(is_inside(found.boxes[0], window.items.find("Sentence").box));
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
  const Box& picture = window.items.find("head 0.0").box;
  EXPECT_TRUE(found.is_all || encloses(found, picture));
}

TEST_F(Redraw, OfAPictureWrittenAnewInItsTextureIsAllThatShowsIt) {
  change();
  window.frame();
  const FrameChange found = screen.replace(*ImGui::GetDrawData(), kGround, {ImTextureID{1000}});
  ASSERT_FALSE(found.is_all);
  for (const char* const shown : {"head 0.0", "head 1.1"}) EXPECT_TRUE(encloses(found, window.items.find(shown).box)) << shown;
  window.frame();
  EXPECT_TRUE(screen.replace(*ImGui::GetDrawData(), kGround, {ImTextureID{4321}}).is_nothing()) << "no picture shows it";
}

TEST_F(Redraw, OfAnotherGroundIsAll) {
  change();
  window.frame();
  EXPECT_TRUE(screen.replace(*ImGui::GetDrawData(), {250, 250, 250}, {}).is_all) << "where nothing is drawn, it is seen";
  window.frame();
  EXPECT_TRUE(change().is_all);
  window.frame();
  EXPECT_TRUE(change().is_nothing());
}

TEST_F(Redraw, OfWhatTheHandPointsAtAreBoxesApartFromEachOther) {
  window.hover("head 0.0");
  window.frame(60);
  change();
  window.hover("head 1.1");
  std::size_t boxes = 0;
  for (int frame = 0; frame < 60; ++frame) {
    window.frame();
    const FrameChange found = change();
    ASSERT_FALSE(found.is_all) << "a window that opens, closes or moves is a box, too";
    boxes += found.boxes.size();
    for (std::size_t i = 0; i < found.boxes.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        EXPECT_FALSE(overlap(found.boxes[i], found.boxes[j]));
      }
    }
  }
  EXPECT_GT(boxes, 0U);
}

/// A window of 40 x 30 pixels at a place, all but its edge of one colour.
void draw_window(const char* name, ImVec2 at, ImU32 colour) {
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSize({40, 30});
  ImGui::Begin(name, nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoSavedSettings);
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + 40, at.y + 30}, colour);
  ImGui::End();
}

TEST(RedrawOfWindows, IsWhereOneWasAndWhereOneIs) {
  testing::NullWindow window({400, 300}, 1);
  LastFrame screen;
  bool has_second = true;
  ImVec2 first{20, 20};
  window.draw = [&] {
    draw_window("first", first, IM_COL32(255, 0, 0, 255));
    if (has_second) draw_window("second", {300, 200}, IM_COL32(0, 255, 0, 255));
  };
  const auto change = [&] {
    window.frame();
    return screen.replace(*ImGui::GetDrawData(), kGround, {});
  };
  window.frame(5);
  change();
  EXPECT_TRUE(change().is_nothing());
  has_second = false;
  const FrameChange closed = change();
  EXPECT_TRUE(encloses(closed, {304, 204, 32, 22}));
  EXPECT_FALSE(encloses(closed, {24, 24, 32, 22}));
  has_second = true;
  FrameChange opened = change();  // Dear ImGui shows a new window a frame later
  for (int frame = 0; frame < 5 && opened.is_nothing(); ++frame) opened = change();
  EXPECT_TRUE(opened.is_all || encloses(opened, {304, 204, 32, 22}));
  for (int frame = 0; frame < 5; ++frame) change();
  first = {200, 20};
  const FrameChange moved = change();
  EXPECT_TRUE(encloses(moved, {24, 24, 32, 22})) << "where it was";
  EXPECT_TRUE(encloses(moved, {204, 24, 32, 22}));
  EXPECT_FALSE(encloses(moved, {304, 204, 32, 22}));
}

TEST_F(Redraw, OfPartOfAFrameCutsLettersToPixelsAndLeavesTheClipOfACallback) {
  window.frame();
  ImDrawData& data = *ImGui::GetDrawData();
  ImDrawList& list = *data.CmdLists[0];
  const ImVec4 clip{10.4F, 20.6F, 30.3F, 40.7F};
  list.CmdBuffer.resize(2);
  for (ImDrawCmd& command : list.CmdBuffer) command.ClipRect = clip;
  list.CmdBuffer[0].UserCallback = nullptr;
  list.CmdBuffer[1].UserCallback = [](const ImDrawList*, const ImDrawCmd*) {};
  restrict_to(data, {0, 0, 100, 100});
  const ImVec4 drawn = list.CmdBuffer[0].ClipRect, own = list.CmdBuffer[1].ClipRect;
  EXPECT_EQ(Point(drawn.x, drawn.z), Point(10, 29)) << "19.9 pixels wide: the renderer draws 19";
  EXPECT_EQ(Point(drawn.y, drawn.w), Point(21, 41)) << "from the lower edge up";
  EXPECT_EQ(Point(own.x, own.y), Point(clip.x, clip.y));
  EXPECT_EQ(Point(own.z, own.w), Point(clip.z, clip.w));
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
