#include "app/gui/panel/saved_view.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

/// Every region lies inside the window and none over another.
void expect_tiled(const Layout& layout, float width, float height) {
  const std::array regions{layout.top_bar, layout.left_rail, layout.tabs, layout.centre, layout.inspector, layout.strip, layout.status};
  for (std::size_t a = 0; a < regions.size(); ++a) {
    EXPECT_GE(regions[a].x, 0);
    EXPECT_LE(regions[a].right(), width);
    EXPECT_LE(regions[a].bottom(), height);
    for (std::size_t b = a + 1; b < regions.size(); ++b) {
      const bool is_apart = regions[a].right() <= regions[b].x || regions[b].right() <= regions[a].x ||
                            regions[a].bottom() <= regions[b].y || regions[b].bottom() <= regions[a].y;
      EXPECT_TRUE(is_apart) << a << " and " << b << " at " << width;
    }
  }
}

TEST(Layout, LeavesTheViewsMostOfTheWindow) {
  for (const float scale : {1.0F, 1.5F, 2.0F}) {
    for (const ImVec2 size : {ImVec2(1280, 800), ImVec2(1600, 1000), ImVec2(2560, 1440), ImVec2(1000, 700)}) {
      const Layout layout = make_layout(size.x * scale, size.y * scale, scale);
      expect_tiled(layout, size.x * scale, size.y * scale);
      EXPECT_GT(layout.centre.width, size.x * scale * 0.5F);
      EXPECT_GT(layout.centre.height, size.y * scale * 0.45F);
    }
  }
}

TEST(Layout, FoldsTheInspectorUnderTheViewsInANarrowWindow) {
  EXPECT_TRUE(make_layout(1199, 800, 1).is_folded);
  EXPECT_FALSE(make_layout(1200, 800, 1).is_folded);
  EXPECT_TRUE(make_layout(2300, 1600, 2).is_folded) << "points decide, not pixels";
  EXPECT_GT(make_layout(2560, 1440, 1).inspector.width, make_layout(1600, 1000, 1).inspector.width);
}

using Sizes = testing::FrameTest;

TEST_F(Sizes, EverySizeDrawsEveryView) {
  for (const ImVec2 size : {ImVec2(1280, 800), ImVec2(2560, 1440), ImVec2(900, 600), ImVec2(40, 30), ImVec2(1, 1)}) {
    window.resize(size);
    for (const View which : {View::overview, View::head, View::compare}) show(which);
  }
  window.resize({1600, 1000});
  EXPECT_TRUE(window.has("Export"));
}

TEST(ViewStateJson, KeepsWhereOneLooked) {
  ViewState view;
  view.view = View::compare;
  view.head = {2, 5};
  view.head_page.stage = Stage::scaled;
  view.painting.scope = Scope::Kind::head;
  view.notes.is_random_closed = true;
  view.rails.folded = {"Score"};
  const ViewState restored = view_from_json(to_json(view, all_views()), all_views());
  EXPECT_EQ(to_json(restored, all_views()), to_json(view, all_views()));
}

TEST(ViewStateJson, IgnoresWhatMakesNoSense) {
  const Json nonsense = {{"view", "upside down"}, {"head", {{"layer", -4}, {"head", 1e300}}}, {"stage", 7}, {"folded", "Mask"}};
  EXPECT_EQ(to_json(view_from_json(nonsense, all_views()), all_views()), to_json(ViewState(), all_views()));
  EXPECT_EQ(to_json(view_from_json(Json::array({1, 2}), all_views()), all_views()), to_json(ViewState(), all_views()));
}

}  // namespace
}  // namespace headlight
