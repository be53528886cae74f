// Mouse and keyboard gestures, turned into Dear ImGui input events: one step a frame, so that what is hovered, pressed and released is seen
// by every widget. Scripts and tests without a display use it in place of a mouse and a keyboard.
#pragma once

#include <imgui.h>

#include <deque>
#include <functional>
#include <string>
#include <string_view>

namespace headlight {

/// "ctrl+z", "escape", "shift+left", "F1": names of Dear ImGui's keys in any case; also left right up down esc plus minus and signs.
/// Throws Error (usage) that names the key.
ImGuiKeyChord parse_key(std::string_view text);

class InputFeed {
 public:
  void move(ImVec2 to);
  void click(ImVec2 at, ImGuiMouseButton which = ImGuiMouseButton_Left, int times = 1, ImGuiKeyChord modifiers = 0);
  void drag(ImVec2 from, ImVec2 to, int steps = 8);
  void press(ImVec2 at);  ///< and holds
  void release();
  void wheel(float across, float up);  ///< notches
  void type(std::string_view text);    ///< one character a frame
  void key(ImGuiKeyChord chord);
  void pause(int frames);
  void then(std::function<void()> action);  ///< anything else, when its turn comes

  bool is_empty() const { return steps_.empty(); }
  /// Before each frame: feeds the next step to the current context.
  void step();

 private:
  using Step = std::function<void(ImGuiIO&)>;
  void button(ImGuiMouseButton which, bool is_down);
  void hold(ImGuiKeyChord modifiers, bool is_down);
  std::deque<Step> steps_;
};

}  // namespace headlight
