#include "app/gui/script/input_feed.h"

#include <gmock/gmock.h>
#include <misc/cpp/imgui_stdlib.h>

#include "tests/gui/null_window.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

TEST(InputFeed, TypesAnyLanguageIntoATextBox) {
  NullWindow window({800, 600});
  std::string text = "a";
  window.draw = [&] {
    ImGui::Begin("window");
    ImGui::InputText("sentence", &text);
    ImGui::End();
  };
  window.frame(2);
  window.click("sentence");
  window.key("End");
  window.type("ttention naïve 中文 😀");
  EXPECT_EQ(text, "attention naïve 中文 😀");
  window.key("ctrl+a");
  window.key("backspace");
  EXPECT_EQ(text, "");
}

TEST(InputFeed, ADragIsSeenOnItsWay) {
  NullWindow window({800, 600});
  std::vector<float> seen;
  bool is_held = false, was_double = false;
  window.draw = [&] {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::Begin("window");
    ImGui::InvisibleButton("map", {300, 300});
    is_held = ImGui::IsItemActive();
    if (is_held) seen.push_back(ImGui::GetMousePos().x);
    was_double |= ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    ImGui::End();
  };
  window.frame(2);
  window.drag({50, 60}, {130, 60});
  EXPECT_FALSE(is_held);
  EXPECT_THAT(seen, ::testing::IsSupersetOf({50.0F, 90.0F, 130.0F}));
  window.click("map");
  EXPECT_FALSE(was_double);
  window.double_click("map");
  EXPECT_TRUE(was_double);
}

TEST(InputFeed, KeysHaveNamesAndUnknownOnesAreRefused) {
  NullContext context({100, 100});
  EXPECT_EQ(parse_key("ctrl+z"), ImGuiMod_Ctrl | ImGuiKey_Z);
  EXPECT_EQ(parse_key("Ctrl+Shift+Z"), ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z);
  EXPECT_EQ(parse_key("escape"), ImGuiKey_Escape);
  EXPECT_EQ(parse_key("left"), ImGuiKey_LeftArrow);
  EXPECT_EQ(parse_key("F1"), ImGuiKey_F1);
  EXPECT_EQ(parse_key("7"), ImGuiKey_7);
  EXPECT_THAT(error_of([] { parse_key("ctrl+zz"); }).message(), ::testing::HasSubstr("ctrl+zz"));
  EXPECT_EQ(error_of([] { parse_key(""); }).kind(), ErrorKind::usage);
}

}  // namespace
}  // namespace headlight::testing
