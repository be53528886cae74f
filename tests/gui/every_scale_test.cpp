// One window whose scale and size change while it runs: after each change a frame is looked at in every view.
#include <fmt/core.h>

#include "app/gui/shell/layout.h"
#include "tests/gui/frame_fixture.h"
#include "tests/gui/text_layout.h"

namespace headlight::testing {
namespace {

class LiveWindow : public FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    window.items.watch_texts();
    window.hover(ImVec2(1, 1));
  }
  /// What the real window does before a frame (Window::apply_looks).
  void apply_looks() {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float scale = scale_of(view.shell, 1, size.x, size.y);
    if (scale == window.fonts.scale) return;
    window.fonts.scale = scale;
    apply_theme(document().style.theme, scale);
  }
  float scale() const { return window.fonts.scale; }
  void press(const char* chord) {
    window.key(chord);
    apply_looks();
    window.frame(2);
  }
  void expect_readable(const std::string& what) {
    window.frame(2);
    for (const std::string& problem : layout_problems(window.items.texts(), scale())) ADD_FAILURE() << what << ": " << problem;
  }
  void expect_every_view_readable(const std::string& what) {
    for (const ViewRow& row : all_views()) {
      show(row.view);
      expect_readable(fmt::format("{}, {}", what, row.title));
      expect_room(fmt::format("{}, {}", what, row.title));
    }
  }
  /// The sentence's and the map's.
  void expect_room(const std::string& what) {
    EXPECT_GE(window.box_of("Sentence").width / scale(), 240) << what;
    if (view.view != View::head) return;
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    EXPECT_GE(window.box_of("map").height, make_layout(size.x, size.y, scale(), view.shell).centre.height / 2) << what;
  }
};

TEST_F(LiveWindow, EveryScaleFromTheLeastToTheLargestAndBack) {
  window.resize({3840, 2160});
  for (const ViewRow& row : all_views()) show(row.view);  // what is computed for a view is there before the scale changes
  while (scale() > kLeastZoom) {
    const float before = scale();
    press("ctrl+minus");
    ASSERT_LT(scale(), before);
    expect_every_view_readable(fmt::format("smaller, at {:.2f}", scale()));
  }
  while (scale() < kMostZoom) {
    const float before = scale();
    press("ctrl+=");
    ASSERT_GT(scale(), before);
    expect_every_view_readable(fmt::format("larger, at {:.2f}", scale()));
  }
  press("ctrl+0");
  EXPECT_EQ(scale(), 1);
  expect_every_view_readable("back");
}

TEST_F(LiveWindow, EveryScaleInASmallWindowStopsWhereThereIsNoRoom) {
  window.resize({1280, 800});
  for (const ViewRow& row : all_views()) show(row.view);
  for (int step = 0; step < 20; ++step) press("ctrl+=");
  EXPECT_NEAR(scale(), 1.6F, 0.01F) << "800 × 500 points are left";
  expect_every_view_readable(fmt::format("at {:.2f}", scale()));
  press("ctrl+0");
  for (int step = 0; step < 20; ++step) press("ctrl+minus");
  EXPECT_NEAR(scale(), kLeastZoom, 0.001F);
  expect_every_view_readable(fmt::format("at {:.2f}", scale()));
}

TEST_F(LiveWindow, EverySizeFromTheLeastToTheLargestAndBack) {
  constexpr std::array kSizes{ImVec2{800, 500},   ImVec2{880, 560},   ImVec2{960, 540},   ImVec2{1024, 768},  ImVec2{1100, 1400},
                              ImVec2{1199, 700},  ImVec2{1200, 700},  ImVec2{1280, 800},  ImVec2{1366, 768},  ImVec2{1600, 600},
                              ImVec2{1600, 1000}, ImVec2{1920, 1080}, ImVec2{2200, 1200}, ImVec2{2560, 1080}, ImVec2{2560, 1440},
                              ImVec2{3440, 1440}, ImVec2{3840, 2160}};
  window.resize({1600, 1000});
  for (const ViewRow& row : all_views()) show(row.view);
  for (const ImVec2 size : kSizes) {
    window.resize(size);
    expect_every_view_readable(fmt::format("grown to {:.0f} × {:.0f}", size.x, size.y));
  }
  for (auto size = kSizes.rbegin(); size != kSizes.rend(); ++size) {
    window.resize(*size);
    expect_every_view_readable(fmt::format("shrunk to {:.0f} × {:.0f}", size->x, size->y));
  }
}

}  // namespace
}  // namespace headlight::testing
