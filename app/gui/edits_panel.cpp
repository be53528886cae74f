#include <fmt/core.h>

#include <algorithm>

#include "app/gui/panel.h"

namespace headlight {

namespace {

/// Undo and redo, in the row of the section's title.
void draw_buttons(Panel& panel) {
  const Look& look = panel.look;
  const History& history = panel.context.session.history();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float right = at.x + ImGui::GetContentRegionAvail().x;
  const float width = button_width(look, "Undo");
  const float height = look.px(kControl);
  const float top = at.y + std::round((look.px(kRow) - height) / 2);
  const float left = right - 2 * width - look.px(kInside);
  if (quiet_button(look, "Undo", {left, top}, {width, height}, history.can_undo())) panel.wants_undo = true;
  hint(look, "ctrl+Z");
  if (quiet_button(look, "Redo", {right - width, top}, {width, height}, history.can_redo())) panel.wants_redo = true;
  hint(look, "ctrl+shift+Z or ctrl+Y");
}

}  // namespace

void draw_edits_panel(Panel& panel) {
  const Look& look = panel.look;
  draw_buttons(panel);
  if (!section(look, "Edits", panel.view.folded)) return;
  const History& history = panel.context.session.history();
  const std::vector<std::string> labels = history.labels();
  constexpr std::size_t kShown = 12;
  const std::size_t steps = labels.size() - 1;  // the first one is the opening
  if (steps == 0) text_line(look, Type::caption, look.colours.text_second, "Nothing changed yet.");
  for (std::size_t i = 0; i < std::min(steps, kShown); ++i) {
    const Row row = begin_row(look, "", nullptr, kNumberRow);
    const Colour colour = i == 0 ? look.colours.text : look.colours.text_second;
    const float room = row.right - row.left - look.px(40);
    draw_text(look, row.left, row.middle(), Type::body, colour, elided(look, Type::body, labels[steps - i], room));
    draw_text(look, row.right, row.middle(), Type::number, look.colours.text_second, std::to_string(steps - i), AlignX::right);
  }
}

}  // namespace headlight
