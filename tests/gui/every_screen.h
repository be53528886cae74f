// The screens that the program is made for: on each, no two texts lie over each other and none is cut off.
#pragma once

#include <fmt/core.h>

#include <array>
#include <string>
#include <vector>

#include "tests/gui/frame_fixture.h"
#include "tests/gui/text_layout.h"

namespace headlight::testing {

struct Screen {
  float width, height, scale;
};
inline constexpr std::array<Screen, 9> kScreens{{{800, 500, 1},
                                                 {1024, 768, 1},
                                                 {1280, 800, 1},
                                                 {1600, 1000, 0.75F},
                                                 {1600, 1000, 1},
                                                 {1920, 1080, 2},
                                                 {2560, 1440, 1},
                                                 {2560, 1440, 2},
                                                 {3840, 2160, 3}}};

class EveryScreen : public FrameTest, public ::testing::WithParamInterface<Screen> {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    window.items.watch_texts();
    const Screen& screen = GetParam();
    window.fonts.scale = screen.scale;
    apply_theme(Theme::dark, screen.scale);
    window.resize({screen.width, screen.height});
    window.hover(ImVec2(1, 1));
    settle();
  }
  float points(float pixels) const { return pixels / GetParam().scale; }
  void expect_readable(const std::string& what) {
    window.frame(2);
    expect_readable(what, window.items.texts());
  }
  /// Of a text that the strip scrolls through sideways: all but the strip.
  void expect_readable_beside_strip(const std::string& what) {
    window.frame(2);
    std::vector<DrawnText> texts = window.items.texts();
    std::erase_if(texts, [](const DrawnText& text) { return text.window.starts_with("Token strip"); });
    expect_readable(what, texts);
  }
  void expect_readable(const std::string& what, const std::vector<DrawnText>& texts) {
    for (const std::string& problem : layout_problems(texts, GetParam().scale)) ADD_FAILURE() << what << ": " << problem;
  }
  void expect_every_view_readable(const std::string& what) {
    for (const ViewRow& row : all_views()) {
      show(row.view);
      expect_readable(what + ", " + row.title);
    }
  }
};

inline std::string name_of_screen(const ::testing::TestParamInfo<Screen>& screen) {
  return fmt::format("{:.0f}x{:.0f}at{:.0f}percent", screen.param.width, screen.param.height, 100 * screen.param.scale);
}

}  // namespace headlight::testing
