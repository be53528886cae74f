#include "app/gui/bars/welcome.h"

#include <algorithm>
#include <cmath>

#include "app/gui/commands/doors.h"
#include "app/gui/kit/region.h"
#include "app/gui/kit/shapes.h"

namespace headlight {
namespace {

constexpr float kHeight = 52;
constexpr const char* kWords = "Welcome. This picture is live: it follows every key.";

/// Any key but those that walk to the doors and open them, and those that are held with others.
bool is_other_key_pressed() {
  for (int number = ImGuiKey_NamedKey_BEGIN; number < ImGuiKey_GamepadStart; ++number) {
    const auto key = static_cast<ImGuiKey>(number);
    const bool is_held = key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper;
    const bool is_of_doors = key == ImGuiKey_Tab || key == ImGuiKey_Enter || key == ImGuiKey_KeypadEnter || key == ImGuiKey_Space;
    if (!is_held && !is_of_doors && ImGui::IsKeyPressed(key, false)) return true;
  }
  return false;
}

}  // namespace

Box draw_welcome(Panel& panel, const Box& views) {
  bool& is_shown = panel.view.notes.is_welcoming;
  if (!is_shown) return views;
  const Look& look = panel.look;
  const Box bar{views.x, views.y, views.width, look.px(kHeight)};
  begin_region(look, "Welcome", bar, look.colours.panel, {0, 0});
  const float margin = look.px(kBetween), middle = bar.y + bar.height / 2, button = look.px(kRow);
  const float cross = bar.right() - margin - look.px(6);
  const float doors = cross - look.px(kBetween) - doors_width(look);
  const float room = doors - bar.x - 2 * margin;  // in a narrow window the doors alone
  if (room >= text_width(look, Type::strong, "Welcome.")) {
    const bool is_whole = text_width(look, Type::strong, kWords) <= room;
    draw_text(look, bar.x + margin, middle, Type::strong, look.colours.text, is_whole ? kWords : "Welcome.");
  }
  const bool is_taken = draw_doors(panel, std::max(doors, bar.x + margin), std::round(middle - button / 2), button);
  const bool is_closed = close_button(look, "Close Welcome", {cross, middle});
  fill(look, {bar.x, bar.bottom() - 1}, {bar.right(), bar.bottom()}, look.colours.line, 0);
  end_region();
  const bool is_typed =
      is_other_key_pressed() || !ImGui::GetIO().InputQueueCharacters.empty() || panel.context.session.history().can_undo();
  if (is_taken || is_closed || is_typed) is_shown = false;
  return {views.x, bar.bottom(), views.width, std::max(1.0F, views.height - bar.height)};
}

}  // namespace headlight
