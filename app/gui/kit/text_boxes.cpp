#include <fmt/core.h>
#include <imgui_internal.h>
#include <misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "app/gui/kit/widgets.h"
#include "engine/text/line_breaks.h"

namespace headlight {
namespace {

/// The state of a box that has the keyboard; null for any other.
ImGuiInputTextState* typed_in(ImGuiID box) {
  return ImGui::GetActiveID() == box ? ImGui::GetInputTextState(box) : nullptr;
}

/// Whether the key was pressed in this frame; hides it from the box. An owner of the key would not do: a box takes Enter whoever owns it.
bool take_key(ImGuiKeyChord chord) {
  if (!ImGui::IsKeyChordPressed(chord)) return false;
  ImGui::GetKeyData(static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_))->DownDuration = ImGui::GetIO().DeltaTime;  // as if held before
  return true;
}

/// The text to insert at the caret, on one line: pasted lines, or a typed line break. Dear ImGui's box would turn the former into blanks
/// and drop the latter.
std::string take_lines() {
  constexpr ImWchar kSign = 0x21B5;
  for (ImWchar& character : ImGui::GetIO().InputQueueCharacters) {
    if (character == '\n') character = kSign;
  }
  if (take_key(ImGuiMod_Shift | ImGuiKey_Enter)) return std::string(kLineBreakSign);
  const bool is_paste = ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_V) || ImGui::IsKeyChordPressed(ImGuiMod_Shift | ImGuiKey_Insert);
  const char* clipboard = is_paste ? ImGui::GetClipboardText() : nullptr;
  const std::string_view pasted = clipboard != nullptr ? clipboard : "";
  if (pasted.find_first_of("\r\n") == std::string_view::npos) return {};
  take_key(ImGuiMod_Ctrl | ImGuiKey_V);
  take_key(ImGuiMod_Shift | ImGuiKey_Insert);
  return on_one_line(pasted);
}

/// Replaces the selection. The box takes the text over when it is drawn, with the caret after it.
void insert(ImGuiInputTextState& state, std::string& text, const std::string& added) {
  const int begin = state.HasSelection() ? std::min(state.GetSelectionStart(), state.GetSelectionEnd()) : state.GetCursorPos();
  const int end = state.HasSelection() ? std::max(state.GetSelectionStart(), state.GetSelectionEnd()) : begin;
  text.replace(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin), added);
  state.WantReloadUserBuf = true;
  state.ReloadSelectionStart = state.ReloadSelectionEnd = begin + static_cast<int>(added.size());
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
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  canvas.AddRectFilled(at, to, to_imgui(look.colours.ground), look.px(kCorner));
  canvas.AddRect(at, to, to_imgui(state != nullptr ? look.colours.accent : look.colours.line), look.px(kCorner), 0,
                 std::max(1.0F, std::floor(look.scale)));
  const float edge = look.px(kInside);
  ImGui::SetCursorScreenPos({at.x + edge, at.y});
  ImGui::SetNextItemWidth(std::max(1.0F, width - 2 * edge));
  const bool has_changed = draw_input(look, label, placeholder, text, height);
  if (text.empty()) {
    canvas.PushClipRect(at, to, true);
    note_line(look, {at.x + edge + look.px(kInside + 2), (at.y + to.y) / 2}, Type::body, placeholder);
    canvas.PopClipRect();
  }
  ImGui::SetCursorScreenPos(before);
  ImGui::GetCurrentWindow()->DC.IsSetPos = false;
  return has_changed;
}

bool sentence_box(const Look& look, const char* name, const char* placeholder, std::string& text, ImVec2 at, float width, float height) {
  const ImGuiID box = ImGui::GetID(fmt::format("##{}", name).c_str());
  std::string shown = on_one_line(text);
  ImGuiInputTextState* state = typed_in(box);
  const std::string added = state != nullptr ? take_lines() : std::string();
  if (!added.empty()) insert(*state, shown, added);
  const bool is_copied = state != nullptr && (ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_C) ||  //
                                              ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_X));
  const bool has_changed = text_box(look, name, placeholder, shown, at, width, height) || !added.empty();
  if (is_copied) {  // other programs expect line breaks, not ↵
    const char* copied = ImGui::GetClipboardText();
    if (copied != nullptr) ImGui::SetClipboardText(with_line_breaks("", copied).c_str());
  }
  if (has_changed) text = with_line_breaks(text, shown);
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
