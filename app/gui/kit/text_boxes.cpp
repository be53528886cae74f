#include <fmt/core.h>
#include <imgui_internal.h>
#include <misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "app/gui/kit/shapes.h"
#include "app/gui/kit/widgets.h"

namespace headlight {
namespace {

/// The state of a box that has the keyboard; null for any other.
ImGuiInputTextState* typed_in(ImGuiID box) {
  return ImGui::GetActiveID() == box ? ImGui::GetInputTextState(box) : nullptr;
}

/// Draws the box without its frame, which the caller has drawn.
bool draw_input(const Look& look, const std::string& label, const char* placeholder, std::string& text, float height) {
  const float padding = std::round((height * look.scale - ImGui::GetFontSize()) / 2);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(look.px(kInside + 2), padding));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, 0);
  ImGui::PushStyleColor(ImGuiCol_FrameBgHovered, 0);
  ImGui::PushStyleColor(ImGuiCol_FrameBgActive, 0);
  const bool is_typed_in = typed_in(ImGui::GetID(label.c_str())) != nullptr;  // its own frame says so: no second one around it
  if (is_typed_in) ImGui::PushStyleColor(ImGuiCol_NavCursor, 0);
  const bool has_changed = ImGui::InputTextWithHint(label.c_str(), placeholder, &text, ImGuiInputTextFlags_NoUndoRedo);
  if (is_typed_in) ImGui::PopStyleColor();
  ImGui::PopStyleColor(3);
  ImGui::PopStyleVar(2);
  return has_changed;
}

}  // namespace

bool text_box(const Look& look, const char* name, const char* placeholder, std::string& text, ImVec2 at, float width, float height) {
  const ImVec2 before = ImGui::GetCursorScreenPos();
  const std::string label = fmt::format("##{}", name);
  ImGuiInputTextState* state = typed_in(ImGui::GetID(label.c_str()));
  if (state != nullptr) {
    const bool is_current = std::string_view(state->TextA.Data, static_cast<std::size_t>(state->TextLen)) == text;
    if (!is_current && !state->WantReloadUserBuf) state->ReloadUserBufAndKeepSelection();
    if (ImGui::IsKeyPressed(ImGuiKey_Escape)) ImGui::ClearActiveID();  // leaves the box and keeps what was typed
  }
  // We draw the frame ourselves: in Dear ImGui's, a long text runs to the very edge.
  const ImVec2 to{at.x + width, at.y + look.px(height)};
  fill(look, at, to, look.colours.ground);
  outline(look, at, to, state != nullptr ? look.colours.accent : look.colours.line);
  const float edge = look.px(kInside);
  ImGui::SetCursorScreenPos({at.x + edge, at.y});
  ImGui::SetNextItemWidth(std::max(1.0F, width - 2 * edge));
  const bool has_changed = draw_input(look, label, placeholder, text, height);
  if (text.empty()) {
    canvas().PushClipRect(at, to, true);
    note_line(look, {at.x + edge + look.px(kInside + 2), (at.y + to.y) / 2}, Type::body, placeholder);
    canvas().PopClipRect();
  }
  ImGui::SetCursorScreenPos(before);
  ImGui::GetCurrentWindow()->DC.IsSetPos = false;
  return has_changed;
}

void send_typing_to_next_box(std::string& text) {
  ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
  if (typed.empty() || ImGui::GetIO().WantTextInput || !ImGui::IsWindowFocused()) return;
  for (const ImWchar character : typed) {
    char bytes[5] = {};
    ImTextCharToUtf8(bytes, character);
    if (character > ' ') text += bytes;
  }
  typed.clear();
  if (!text.empty()) ImGui::SetKeyboardFocusHere();
}

void keep_caret_behind_typing() {
  if (!ImGui::IsItemActivated()) return;
  if (ImGuiInputTextState* state = typed_in(ImGui::GetItemID())) state->ClearSelection();
}

}  // namespace headlight
