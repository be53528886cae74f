#include "app/gui/window/cleared_grounds.h"

#include "tests/gui/null_window.h"

namespace headlight::testing {
namespace {

void clear_nothing(const ImDrawList*, const ImDrawCmd*) {}

/// Draws one window of a ground colour and gives its commands after grounds were taken out.
const ImVector<ImDrawCmd>& commands_of(NullWindow& window, ImVec4 ground, float rounding, ImVec2 size = {300, 200}, ImVec2 at = {10, 20}) {
  window.draw = [=] {
    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ground);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, rounding);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::Begin("ground", nullptr, ImGuiWindowFlags_NoDecoration);
    ImGui::TextUnformatted("text");
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor();
  };
  window.frame(2);
  take_out_grounds(*ImGui::GetDrawData(), clear_nothing);
  return ImGui::GetDrawData()->CmdLists[0]->CmdBuffer;
}

TEST(ClearedGrounds, APlainGroundBecomesACallWithItsBoxAndColour) {
  NullWindow window({800, 600});
  const auto& commands = commands_of(window, {1, 0.5F, 0, 1}, 0);
  EXPECT_EQ(commands[0].UserCallback, clear_nothing);
  const ImVec4 box = commands[0].ClipRect;
  EXPECT_EQ((Box{box.x, box.y, box.z - box.x, box.w - box.y}), (Box{10, 20, 300, 200}));
  EXPECT_EQ(colour_of(*ImGui::GetDrawData()->CmdLists[0], commands[0]), IM_COL32(255, 128, 0, 255));
  unsigned int elements = 0;
  for (const ImDrawCmd& command : commands) elements += command.ElemCount;
  EXPECT_EQ(elements + 6, static_cast<unsigned int>(ImGui::GetDrawData()->CmdLists[0]->IdxBuffer.Size));
}

TEST(ClearedGrounds, AGroundOutsideTheWindowStays) {
  NullWindow window({1, 1});
  EXPECT_EQ(commands_of(window, {1, 0.5F, 0, 1}, 0, {300, 200}, {300, 300})[0].UserCallback, nullptr);
}

TEST(ClearedGrounds, WhatShowsThroughIsRoundOrSmallStays) {
  NullWindow window({800, 600});
  EXPECT_EQ(commands_of(window, {1, 0.5F, 0, 0.9F}, 0)[0].UserCallback, nullptr);
  EXPECT_EQ(commands_of(window, {1, 0.5F, 0, 1}, 6)[0].UserCallback, nullptr);
  EXPECT_EQ(commands_of(window, {1, 0.5F, 0, 1}, 0, {60, 40})[0].UserCallback, nullptr);
}

TEST(ClearedGrounds, ACardAmongOtherShapesIsClearedInItsTurn) {
  NullWindow window({800, 600});
  ImDrawList list(ImGui::GetDrawListSharedData());
  list._ResetForNewFrame();
  list.PushClipRect({0, 0}, {800, 600});
  list.PushTexture(ImGui::GetIO().Fonts->TexRef);
  list.AddRectFilled({0, 0}, {10, 10}, IM_COL32_WHITE);
  list.AddRectFilled({20, 20}, {220, 220}, IM_COL32(1, 2, 3, 255));
  list.AddTriangleFilled({5, 5}, {9, 5}, {5, 9}, IM_COL32_BLACK);
  list.PopTexture();
  list.PopClipRect();
  const int indices = list.IdxBuffer.Size;
  ImDrawData data;
  data.CmdLists.push_back(&list);
  take_out_grounds(data, clear_nothing);
  const ImDrawCmd* const commands = list.CmdBuffer.Data;
  ASSERT_GE(list.CmdBuffer.Size, 3);
  EXPECT_EQ(commands[0].UserCallback, nullptr);
  EXPECT_EQ(commands[0].ElemCount, 6U);
  EXPECT_EQ(commands[1].UserCallback, clear_nothing);
  EXPECT_EQ(colour_of(list, commands[1]), IM_COL32(1, 2, 3, 255));
  EXPECT_EQ(commands[1].ClipRect.z, 220);
  EXPECT_EQ(commands[2].UserCallback, nullptr);
  EXPECT_EQ(commands[2].IdxOffset, 12U);
  EXPECT_EQ(commands[2].IdxOffset + commands[2].ElemCount, static_cast<unsigned int>(indices));
}

}  // namespace
}  // namespace headlight::testing
