#include <imgui_internal.h>

#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

using TokenStrip = testing::FrameTest;
using Keyboard = testing::FrameTest;
using StatusBar = testing::FrameTest;
using Hints = testing::FrameTest;

TEST_F(TokenStrip, AClickKeepsAQueryAndAnotherLetsItGo) {
  window.click("token 8");
  EXPECT_EQ(view.pinned_query, (TokenPlace{Side::text, 8}));
  window.click("token 8");
  EXPECT_FALSE(view.pinned_query.has_value());
}

TEST_F(TokenStrip, TheTokenUnderThePointerIsKnownToEveryView) {
  window.hover("token 3");
  EXPECT_EQ(view.pointed.token, (TokenPlace{Side::text, 3}));
  window.hover("Sentence");
  EXPECT_FALSE(view.pointed.token.has_value());
}

TEST_F(TokenStrip, DrawsOnlyTheChipsThatCanBeSeen) {
  std::string text;
  for (int word = 0; word < 1500; ++word) text += "word" + std::to_string(word) + " ";
  Document small = document();
  small.query.model.sandbox = {.layers = 1, .d_model = 8, .heads = 1};
  small.query.text = text;
  session.apply(small, false, false);
  settle();
  ASSERT_EQ(snapshot()->tokens(), 1500);
  window.frame();
  std::size_t chips = 0;
  for (const DrawnItem& item : window.items.items()) chips += item.label.starts_with("token ") ? 1 : 0;
  EXPECT_GT(chips, 5U);
  EXPECT_LT(chips, 60U);
}

TEST_F(Keyboard, ArrowsLookAtOtherHeadsAndLayers) {
  window.key("right");
  window.key("right");
  window.key("down");
  EXPECT_EQ(view.head, (HeadId{1, 2}));
  window.key("left");
  window.key("up");
  window.key("up");
  EXPECT_EQ(view.head, (HeadId{0, 1}));
}

TEST_F(Keyboard, SpacePinsTheShownHead) {
  view.head = {2, 3};
  window.key("space");
  EXPECT_EQ(document().pins, (std::vector<Pin>{{{2, 3}}}));
  window.key("space");
  EXPECT_TRUE(document().pins.empty());
}

TEST_F(Keyboard, KeysBelongToTheTextWhileItIsTyped) {
  window.key("ctrl+l");
  window.key("end");
  window.type(" 2 3");
  window.key("left");
  EXPECT_EQ(view.head, (HeadId{0, 0}));
  EXPECT_EQ(view.view, View::overview);
  EXPECT_TRUE(document().pins.empty());
}

TEST_F(Keyboard, UndoAndRedoWalkThroughTheEdits) {
  window.click("Mask none");
  window.click("Heads 4");
  window.key("ctrl+z");
  EXPECT_EQ(document().query.model.sandbox.heads, 8);
  window.key("ctrl+z");
  EXPECT_EQ(document(), sandbox_document());
  window.key("ctrl+shift+z");
  window.key("ctrl+y");
  EXPECT_EQ(document().query.model.sandbox.heads, 4);
}

TEST_F(Keyboard, HelpOpensAndGoesAwayByTheSameKey) {
  window.key("f1");
  EXPECT_TRUE(view.dialogs.help);
  window.key("f1");
  EXPECT_FALSE(view.dialogs.help);
  window.click("head 0.0");
  EXPECT_EQ(view.view, View::head);
}

TEST_F(StatusBar, UndoesTheLastEditWhereTheRailIsScrolledAway) {
  EXPECT_FALSE(window.has("Undo last"));
  window.click("Heads 4");
  ASSERT_EQ(document().query.model.sandbox.heads, 4);
  window.click("Undo last");
  EXPECT_EQ(document().query.model.sandbox.heads, 8);
}

TEST_F(StatusBar, OpensTheHelp) {
  window.click("Show help");
  EXPECT_TRUE(view.dialogs.help);
}

bool has_tooltip() {
  const auto& windows = ImGui::GetCurrentContext()->Windows;
  return std::any_of(windows.begin(), windows.end(),
                     [](const ImGuiWindow* each) { return each->Active && (each->Flags & ImGuiWindowFlags_Tooltip) != 0; });
}

TEST_F(Hints, ControlsWithShortLabelsExplainThemselves) {
  show(View::head);
  for (const char* label :
       {"Heads 4", "Layer slider", "Mask causal", "Applies to", "Brush rect", "Clear edits", "Scaled", "Temperature", "Colours", "Scale γ",
        "Range", "Layers more", "Tokens bytes", "Stage", "Model", "Second sentence", "Cost", "token 3", "Show help"}) {
    window.hover("Head");
    for (int frame = 0; frame < 60; ++frame) window.frame();
    ASSERT_FALSE(has_tooltip()) << "before " << label;
    window.hover(label);
    for (int frame = 0; frame < 60; ++frame) window.frame();
    EXPECT_TRUE(has_tooltip()) << label;
  }
}

TEST_F(Hints, HideFromAClickUntilThePointerMovesAway) {
  const auto rest_at = [&](ImVec2 at) {
    window.hover(at);
    for (int frame = 0; frame < 60; ++frame) window.frame();
    return has_tooltip();
  };
  show(View::head);
  const ImVec2 control = window.centre_of("Heads 4");
  ASSERT_TRUE(rest_at(control));
  window.click(control);
  settle();
  EXPECT_FALSE(rest_at(control)) << "a tooltip would cover what the click changed";
  EXPECT_FALSE(rest_at({control.x + 3, control.y})) << "a hand is never quite still";
  rest_at(window.centre_of("Head"));
  EXPECT_TRUE(rest_at(control)) << "the pointer has been elsewhere";
}

TEST_F(Hints, TheBubbleOfAMapHidesLikewise) {
  show(View::head);
  const ImVec2 cell = window.cell_of("map", {3, 1});
  window.hover(cell);
  ASSERT_TRUE(has_tooltip());
  window.click(cell);
  window.frame();
  EXPECT_FALSE(has_tooltip());
  window.hover(window.cell_of("map", {0, 0}));
  EXPECT_TRUE(has_tooltip());
}

TEST_F(Keyboard, DigitsChooseTheView) {
  window.key("5");
  EXPECT_EQ(view.view, View::flow);
  window.key("6");
  EXPECT_EQ(view.view, View::compare);
  window.key("2");
  EXPECT_EQ(view.view, View::head);
}

}  // namespace
}  // namespace headlight
