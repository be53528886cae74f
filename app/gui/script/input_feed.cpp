#include "app/gui/script/input_feed.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr std::array<std::pair<std::string_view, int>, 4> kModifiers{
    {{"ctrl", ImGuiMod_Ctrl}, {"shift", ImGuiMod_Shift}, {"alt", ImGuiMod_Alt}, {"super", ImGuiMod_Super}}};

constexpr std::array<std::pair<std::string_view, ImGuiKey>, 12> kAliases{{{"left", ImGuiKey_LeftArrow},
                                                                          {"right", ImGuiKey_RightArrow},
                                                                          {"up", ImGuiKey_UpArrow},
                                                                          {"down", ImGuiKey_DownArrow},
                                                                          {"esc", ImGuiKey_Escape},
                                                                          {"plus", ImGuiKey_KeypadAdd},
                                                                          {"minus", ImGuiKey_Minus},
                                                                          {"=", ImGuiKey_Equal},
                                                                          {",", ImGuiKey_Comma},
                                                                          {".", ImGuiKey_Period},
                                                                          {"[", ImGuiKey_LeftBracket},
                                                                          {"]", ImGuiKey_RightBracket}}};

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

ImGuiKey named_key(const std::string& name) {
  for (const auto& [alias, key] : kAliases) {
    if (name == alias) return key;
  }
  for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_MouseLeft; ++key) {
    if (lower(ImGui::GetKeyName(static_cast<ImGuiKey>(key))) == name) return static_cast<ImGuiKey>(key);
  }
  return ImGuiKey_None;
}

}  // namespace

ImGuiKeyChord parse_key(std::string_view text) {
  ImGuiKeyChord chord = 0;
  std::string rest = lower(text);
  for (std::size_t plus = rest.find('+'); plus != std::string::npos && plus > 0; plus = rest.find('+')) {
    const auto* const modifier = std::find_if(kModifiers.begin(), kModifiers.end(),
                                              [&](const auto& each) { return each.first == std::string_view(rest).substr(0, plus); });
    if (modifier == kModifiers.end()) break;
    chord |= modifier->second;
    rest.erase(0, plus + 1);
  }
  const ImGuiKey key = named_key(rest);
  if (key == ImGuiKey_None) {
    throw Error({.kind = ErrorKind::usage,
                 .problem = "unknown key",
                 .found = "\"" + printable(text, 40) + "\"",
                 .expected = "a key such as ctrl+z, escape, left, F1"});
  }
  return chord | key;
}

void InputFeed::move(ImVec2 to) {
  steps_.emplace_back([to](ImGuiIO& io) { io.AddMousePosEvent(to.x, to.y); });
}

void InputFeed::button(ImGuiMouseButton which, bool is_down) {
  steps_.emplace_back([which, is_down](ImGuiIO& io) { io.AddMouseButtonEvent(which, is_down); });
}

void InputFeed::hold(ImGuiKeyChord modifiers, bool is_down) {
  if (modifiers == 0) return;
  steps_.emplace_back([modifiers, is_down](ImGuiIO& io) {
    for (const auto& each : kModifiers) {
      if ((modifiers & each.second) != 0) io.AddKeyEvent(static_cast<ImGuiKey>(each.second), is_down);
    }
  });
}

void InputFeed::click(ImVec2 at, ImGuiMouseButton which, int times, ImGuiKeyChord modifiers) {
  move(at);
  hold(modifiers, true);
  for (int time = 0; time < times; ++time) {
    button(which, true);
    button(which, false);
  }
  hold(modifiers, false);
  if (times == 1) pause(20);  // longer than a double click, so that the next click is a new one
}

void InputFeed::drag(ImVec2 from, ImVec2 to, int steps) {
  press(from);
  for (int step = 1; step <= steps; ++step) {
    const float share = static_cast<float>(step) / static_cast<float>(steps);
    move({from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share});
  }
  release();
}

void InputFeed::press(ImVec2 at) {
  move(at);
  button(ImGuiMouseButton_Left, true);
}

void InputFeed::release() {
  button(ImGuiMouseButton_Left, false);
  pause(20);
}

void InputFeed::wheel(float across, float up) {
  steps_.emplace_back([across, up](ImGuiIO& io) { io.AddMouseWheelEvent(across, up); });
}

void InputFeed::type(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    unsigned int character = 0;
    at += ImTextCharFromUtf8(&character, at, end);
    steps_.emplace_back([character](ImGuiIO& io) { io.AddInputCharacter(character); });
  }
}

void InputFeed::key(ImGuiKeyChord chord) {
  const auto modifiers = chord & ImGuiMod_Mask_;
  const auto key = static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_);
  hold(modifiers, true);
  steps_.emplace_back([key](ImGuiIO& io) { io.AddKeyEvent(key, true); });
  steps_.emplace_back([key](ImGuiIO& io) { io.AddKeyEvent(key, false); });
  hold(modifiers, false);
}

void InputFeed::pause(int frames) {
  for (int frame = 0; frame < frames; ++frame) steps_.emplace_back([](ImGuiIO&) {});
}

void InputFeed::then(std::function<void()> action) {
  steps_.emplace_back([action = std::move(action)](ImGuiIO&) { action(); });
}

void InputFeed::step() {
  if (steps_.empty()) return;
  const Step next = std::move(steps_.front());
  steps_.pop_front();
  next(ImGui::GetIO());
}

}  // namespace headlight
