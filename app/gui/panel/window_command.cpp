#include "app/gui/panel/window_command.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headlight {

std::string keys_text(ImGuiKeyChord chord) {
  const auto key = static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_);
  if (key == ImGuiKey_None) return {};
  struct Name {
    ImGuiKey key;
    const char* name;
    bool is_sign = false;  ///< "ctrl +" and not "ctrl++"
  };
  constexpr std::array kNames{Name{ImGuiKey_LeftArrow, "←"},   Name{ImGuiKey_RightArrow, "→"},   Name{ImGuiKey_UpArrow, "↑"},
                              Name{ImGuiKey_DownArrow, "↓"},   Name{ImGuiKey_Space, "space"},    Name{ImGuiKey_Escape, "Esc"},
                              Name{ImGuiKey_Equal, "+", true}, Name{ImGuiKey_Minus, "−", true},  Name{ImGuiKey_Comma, ",", true},
                              Name{ImGuiKey_LeftBracket, "["}, Name{ImGuiKey_RightBracket, "]"}, Name{ImGuiKey_0, "0", true}};
  const auto named = std::find_if(kNames.begin(), kNames.end(), [&](const Name& each) { return each.key == key; });
  const bool is_sign = named != kNames.end() && named->is_sign;
  std::string text;
  for (const auto& [mod, name] : {std::pair(ImGuiKeyChord{ImGuiMod_Ctrl}, "ctrl"), std::pair(ImGuiKeyChord{ImGuiMod_Alt}, "alt"),
                                  std::pair(ImGuiKeyChord{ImGuiMod_Shift}, "shift")}) {
    if ((chord & mod) != 0) text += std::string(name) + (is_sign ? " " : "+");
  }
  return text + (named != kNames.end() ? named->name : ImGui::GetKeyName(key));
}

}  // namespace headlight
