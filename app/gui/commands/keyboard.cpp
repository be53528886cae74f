#include <imgui_internal.h>

#include <algorithm>

#include "app/gui/commands/commands.h"
#include "app/gui/commands/lesson_commands.h"
#include "app/gui/kit/widgets.h"

namespace headlight {
namespace {

constexpr ImGuiKeyChord kMods = ImGuiMod_Mask_;

ImGuiKey key_of(ImGuiKeyChord chord) {
  return static_cast<ImGuiKey>(chord & ~kMods);
}

/// Keys that a text box has a use for: those that type, and those that move its caret or copy.
bool belongs_to_text(ImGuiKeyChord chord) {
  const ImGuiKey key = key_of(chord);
  if (key >= ImGuiKey_F1 && key <= ImGuiKey_F24) return false;
  if ((chord & ImGuiMod_Ctrl) == 0) return true;
  constexpr std::array kOfText{ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow, ImGuiKey_Home, ImGuiKey_End,
                               ImGuiKey_Backspace, ImGuiKey_Delete,     ImGuiKey_A,       ImGuiKey_C,         ImGuiKey_X,    ImGuiKey_V};
  return std::find(kOfText.begin(), kOfText.end(), key) != kOfText.end();
}

/// Plain keys that move the keyboard from control to control, or press the one that has it.
bool belongs_to_walk(ImGuiKeyChord chord) {
  constexpr std::array kOfWalk{ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow,   ImGuiKey_Home,
                               ImGuiKey_End,       ImGuiKey_Enter,      ImGuiKey_Space,   ImGuiKey_KeypadEnter, ImGuiKey_Escape};
  return (chord & kMods) == 0 && std::find(kOfWalk.begin(), kOfWalk.end(), key_of(chord)) != kOfWalk.end();
}

/// Keys that no text needs, and every clicker has.
bool belongs_to_clicker(ImGuiKeyChord chord) {
  return chord == ImGuiKey_PageDown || chord == ImGuiKey_PageUp;
}

/// Who else may want the keys of this frame.
struct Listeners {
  bool is_presented = false;  ///< a lesson is
  bool has_dialog = ImGui::GetTopMostPopupModal() != nullptr;
  bool has_popup = ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
  bool is_typing = ImGui::GetIO().WantTextInput;
  bool is_walked = is_walked_by_keyboard();
  bool lets(ImGuiKeyChord chord, bool works_over_dialogs) const {
    if (has_dialog && !works_over_dialogs) return false;
    if (is_presented && belongs_to_clicker(chord)) return true;
    if (is_walked && belongs_to_walk(chord)) return false;
    return !belongs_to_text(chord) || (!is_typing && !has_popup);
  }
};

bool is_pressed(ImGuiKeyChord chord, bool repeats) {
  return key_of(chord) != ImGuiKey_None && ImGui::GetIO().KeyMods == (chord & kMods) && ImGui::IsKeyPressed(key_of(chord), repeats);
}

/// The keys that gave a command in this frame: they give no other.
class TakenKeys {
 public:
  bool take(ImGuiKeyChord chord) {
    if (std::find(taken_.begin(), taken_.end(), chord) != taken_.end()) return false;
    taken_.push_back(chord);
    return true;
  }

 private:
  std::vector<ImGuiKeyChord> taken_;
};

void answer_rows(Panel& panel, std::span<const WindowCommand> rows, const Listeners& listeners, TakenKeys& taken) {
  for (const WindowCommand& row : rows) {
    for (const ImGuiKeyChord chord : row.keys) {
      if (!is_pressed(chord, row.repeats) || !listeners.lets(chord, row.works_over_dialogs)) continue;
      if (!why_not(panel, row).empty() || !taken.take(chord)) continue;
      row.act(panel);
      if (listeners.is_typing && belongs_to_clicker(chord)) ImGui::ClearActiveID();  // its other keys would be typed
    }
  }
}

bool is_anything_pressed() {
  for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_NamedKey_END; ++key) {
    if (ImGui::IsKeyPressed(static_cast<ImGuiKey>(key), false)) return true;
  }
  return false;
}

}  // namespace

void answer_keyboard(Panel& panel) {
  if (panel.view.shell.is_black) {  // the first key or click gives back the picture, and does nothing else
    panel.view.shell.is_black = !is_anything_pressed();
    return;
  }
  const Listeners listeners{.is_presented = is_lesson_presented(panel)};
  TakenKeys taken;
  answer_rows(panel, lesson_commands(panel), listeners, taken);
  if (const ViewRow* shown = panel.shown_view()) answer_rows(panel, shown->commands, listeners, taken);
  answer_rows(panel, window_commands(), listeners, taken);
  if (takes_digits(panel)) return;
  for (std::size_t place = 0; place < panel.views.size(); ++place) {
    const ImGuiKey key = key_of_view(place);
    if (is_pressed(key, false) && listeners.lets(key, false) && taken.take(key)) panel.view.view = panel.views[place].view;
  }
}

}  // namespace headlight
