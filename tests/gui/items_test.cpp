#include "app/gui/kit/items.h"

#include <gmock/gmock.h>

#include "tests/gui/null_window.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

using ::testing::HasSubstr;

/// Two panels with a few widgets, and what was done to them.
struct Panels {
  Panels() : window({800, 600}) {
    window.draw = [this] {
      ImGui::SetNextWindowPos({0, 0});
      ImGui::SetNextWindowSize({400, 300});
      ImGui::Begin("left");
      if (ImGui::Button("Export")) ++exports;
      ImGui::SameLine();
      if (ImGui::Button("Reset##left")) ++left_resets;
      ImGui::InvisibleButton("##map", {200, 100});
      name_area("head 1.3", {100, 100, 80, 80}, {0, 4, 0, 4});
      name_area("hidden map", {100, 900, 80, 80});
      ImGui::BeginChild("rail", {200, 60});
      if (ImGui::Button("Reset")) ++rail_resets;
      ImGui::Dummy({10, 400});
      ImGui::Button("Far below");
      ImGui::EndChild();
      ImGui::End();
    };
  }
  std::string refusal(std::string_view label) {
    window.frame(2);
    return error_of([&] { window.items.find(label); }).message();
  }
  NullWindow window;
  int exports = 0, left_resets = 0, rail_resets = 0;
};

TEST(Items, AWidgetIsFoundByItsVisibleLabel) {
  Panels panels;
  panels.window.frame(2);
  panels.window.click("Export");
  EXPECT_EQ(panels.exports, 1);
  EXPECT_TRUE(panels.window.has("map"));
  EXPECT_FALSE(panels.window.has("left"));  // a window is no widget
}

TEST(Items, OneOfSeveralIsFoundByItsPanelOrItsNumber) {
  Panels panels;
  EXPECT_THAT(panels.refusal("Reset"), HasSubstr("found 2"));
  panels.window.click("rail/Reset");
  EXPECT_EQ(panels.rail_resets, 1);
  EXPECT_EQ(panels.left_resets, 0);
  panels.window.click("Reset#1");
  EXPECT_EQ(panels.left_resets, 1);
  EXPECT_THAT(panels.refusal("Reset#3"), HasSubstr("found 2"));
}

TEST(Items, TheOnlyOneIsThatWhichFindFinds) {
  Panels panels;
  panels.window.frame(2);
  const ItemRecorder& items = panels.window.items;
  EXPECT_EQ(items.only("Export"), &items.find("Export"));
  EXPECT_EQ(items.only("Reset"), nullptr) << "there are two";
  EXPECT_EQ(items.only("hidden map"), nullptr) << "it is out of sight";
  EXPECT_EQ(items.only("Exprot"), nullptr);
}

TEST(Items, ARefusalNamesTheNearestLabels) {
  Panels panels;
  const std::string message = panels.refusal("Exprot");
  EXPECT_THAT(message, HasSubstr("\"Exprot\""));
  EXPECT_THAT(message, HasSubstr("nearest labels: \"Export\""));
}

TEST(Items, WhatIsScrolledAwayCannotBePointedAt) {
  Panels panels;
  EXPECT_THAT(panels.refusal("Far below"), HasSubstr("in sight"));
  EXPECT_THAT(panels.refusal("hidden map"), HasSubstr("out of sight"));
}

TEST(Items, CellsOfANamedMapArePointedAt) {
  Panels panels;
  panels.window.frame(2);
  const ImVec2 centre = panels.window.cell_of("head 1.3", {1, 2});
  EXPECT_FLOAT_EQ(centre.x, 100 + 50);
  EXPECT_FLOAT_EQ(centre.y, 100 + 30);
  EXPECT_THAT(error_of([&] { panels.window.cell_of("head 1.3", {4, 0}); }).message(), HasSubstr("does not show this cell"));
  EXPECT_THAT(error_of([&] { panels.window.cell_of("Export", {0, 0}); }).message(), HasSubstr("not a map"));
}

TEST(Items, NamingAPlaceWithoutARecorderDoesNothing) {
  NullContext context({200, 200});
  load_fonts(1);
  ImGui::NewFrame();
  name_area("map", {0, 0, 10, 10});
  ImGui::EndFrame();
}

TEST(Items, VisibleLabels) {
  EXPECT_EQ(visible_label("Export##main"), "Export");
  EXPECT_EQ(visible_label("Export###main"), "Export");
  EXPECT_EQ(visible_label("##sentence"), "sentence");
  EXPECT_EQ(visible_label("plain"), "plain");
  EXPECT_EQ(visible_label("##"), "");
}

}  // namespace
}  // namespace headlight::testing
