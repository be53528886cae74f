#include "app/gui/shell/layout.h"

#include "app/gui/panel/saved_view.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

/// Every region lies inside the window and none over another.
void expect_tiled(const Layout& layout, float width, float height) {
  const std::array regions{layout.top_bar,      layout.lesson, layout.left_rail, layout.left_switch, layout.tabs,
                           layout.right_switch, layout.centre, layout.inspector, layout.strip,       layout.status};
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

TEST(Layout, ANarrowWindowFoldsTheLeftRailAndPutsTheInspectorUnderTheViews) {
  const Layout narrow = make_layout(1199, 800, 1), wide = make_layout(1200, 800, 1);
  EXPECT_TRUE(narrow.is_drawer);
  EXPECT_EQ(narrow.left, RailForm::folded);
  EXPECT_EQ(narrow.right, RailForm::open);
  EXPECT_FALSE(wide.is_drawer);
  EXPECT_EQ(wide.left, RailForm::open);
  EXPECT_TRUE(make_layout(2300, 1600, 2).is_drawer) << "points decide, not pixels";
  EXPECT_EQ(make_layout(1100, 639, 1).right, RailForm::folded) << "a low one folds the drawer too";
  EXPECT_GT(make_layout(2560, 1440, 1).inspector.width, make_layout(1600, 1000, 1).inspector.width);
}

TEST(Layout, WhatAPersonOpenedOrFoldedStaysSo) {
  Shell shell;
  shell.left = Fold::open, shell.right = Fold::folded;
  EXPECT_EQ(make_layout(1024, 768, 1, shell).left, RailForm::open);
  EXPECT_EQ(make_layout(1600, 1000, 1, shell).right, RailForm::folded);
  EXPECT_EQ(make_layout(800, 768, 1, shell).left, RailForm::folded) << "the views keep their least width";
  shell.left_width = 400;
  EXPECT_EQ(make_layout(1600, 1000, 1, shell).left_rail.width, 400);
  shell.left_width = 5000;
  EXPECT_EQ(make_layout(1600, 1000, 1, shell).left_rail.width, kMostLeftRail);
}

TEST(Layout, ALessonStandsLeftOfEverythingAndFoldsTheRails) {
  const RailNeeds needs{true, true, true};
  for (const ImVec2 size : {ImVec2(1280, 720), ImVec2(1600, 1000), ImVec2(1024, 768), ImVec2(800, 500)}) {
    const Layout layout = make_layout(size.x, size.y, 1, {}, needs);
    expect_tiled(layout, size.x, size.y);
    EXPECT_EQ(layout.lesson.x, 0);
    EXPECT_GE(layout.lesson.width, kLeastLesson);
    EXPECT_LE(layout.lesson.width, kMostLesson);
    EXPECT_EQ(layout.left, RailForm::folded);
    EXPECT_EQ(layout.right, RailForm::folded);
    EXPECT_GT(layout.centre.width, size.x * 0.5F);
  }
  Shell shell;
  shell.left = Fold::open;
  EXPECT_EQ(make_layout(1600, 1000, 1, shell, needs).left, RailForm::open) << "who opens it has it";
  EXPECT_EQ(make_layout(1600, 1000, 1).lesson.width, 0) << "no lesson";
}

TEST(Layout, EveryFormIsTiled) {
  for (const ImVec2 size : {ImVec2(800, 500), ImVec2(1024, 768), ImVec2(1600, 1000), ImVec2(3840, 2160)}) {
    for (const Fold left : {Fold::open, Fold::folded}) {
      for (const Fold right : {Fold::open, Fold::folded}) {
        for (const bool is_presenting : {false, true}) {
          for (const bool has_right : {false, true}) {
            Shell shell{.left = left, .right = right, .is_presenting = is_presenting};
            const Layout layout = make_layout(size.x, size.y, 1, shell, {true, has_right});
            expect_tiled(layout, size.x, size.y);
            EXPECT_GE(layout.centre.width, std::min(560.0F, size.x - 41));
            EXPECT_GE(layout.centre.height, size.y * 0.35F);
          }
        }
      }
    }
  }
}

TEST(Layout, ZoomStopsWhereTooFewPointsWouldBeLeft) {
  EXPECT_EQ(scale_of({}, 2, 1920, 1080), 2);
  EXPECT_EQ(scale_of({.zoom = 1.5F}, 1, 1920, 1080), 1.5F);
  EXPECT_EQ(scale_of({.zoom = 3}, 1, 1600, 1000), 2) << "800 × 500 points";
  EXPECT_EQ(scale_of({.zoom = 3}, 1, 640, 480), 1) << "never under the monitor's";
  EXPECT_EQ(scale_of({.zoom = 0.75F}, 1, 1920, 1080), 0.75F);
  EXPECT_GT(scale_of({.is_presenting = true}, 1, 1920, 1080), 1.5F);
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
  view.shell = {.zoom = 1.25F, .left_width = 300, .right_width = 320, .drawer_height = 200, .left = Fold::folded, .right = Fold::open};
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
