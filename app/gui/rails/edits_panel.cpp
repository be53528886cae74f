#include <fmt/core.h>

#include <algorithm>

#include "app/gui/panel/panel.h"
#include "app/gui/rails/rails.h"

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
  hint(look, "Undo the last edit (ctrl+Z).");
  if (quiet_button(look, "Redo", {right - width, top}, {width, height}, history.can_redo())) panel.wants_redo = true;
  hint(look, "Redo the last undone edit (ctrl+shift+Z or ctrl+Y).");
}

}  // namespace

void draw_edits_panel(Panel& panel) {
  const Look& look = panel.look;
  draw_buttons(panel);
  if (!section(look, "Edits", panel.view.rails.folded)) return;
  const History& history = panel.context.session.history();
  const std::vector<std::string> labels = history.labels();
  constexpr std::size_t kShown = 12;
  const std::size_t steps = labels.size() - 1;  // the first one is the document as it was opened
  if (steps == 0) text_line(look, Type::caption, look.colours.text_second, "Nothing changed yet.");
  // Newest first. Steps of the same kind in a row, such as the words of a sentence, share a line.
  std::size_t last = steps;
  for (std::size_t line = 0; last > 0 && line < kShown; ++line) {
    std::size_t first = last;
    while (first > 1 && labels[first - 1] == labels[last]) --first;
    const Row row = begin_row(look, "", nullptr, kNumberRow);
    const Press press = press_area(fmt::format("Go to edit {}", last).c_str(), {row.left, row.top}, {row.right - row.left, row.height});
    hint(look, line == 0 ? "Where you are." : "Go back to here; what came after can be redone.");
    if (press.is_clicked && line > 0) panel.wants_step = last;
    const Colour colour = line == 0 || press.is_hovered ? look.colours.text : look.colours.text_second;
    const std::string numbers = first == last ? std::to_string(last) : fmt::format("{}–{}", first, last);
    const float room = row.right - row.left - text_width(look, Type::number, numbers) - look.px(kBetween);
    draw_text(look, row.left, row.middle(), Type::body, colour, elided(look, Type::body, labels[last], room));
    draw_text(look, row.right, row.middle(), Type::number, look.colours.text_second, numbers, AlignX::right);
    last = first - 1;
  }
}

}  // namespace headlight
