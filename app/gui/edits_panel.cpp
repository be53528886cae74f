#include <fmt/core.h>

#include <algorithm>

#include "app/gui/panel.h"

namespace headlight {

void draw_edits_panel(Panel& panel) {
  const Look& look = panel.look;
  if (!section(look, "Edits", panel.view.folded)) return;
  const History& history = panel.context.session.history();
  const Row buttons = begin_row(look, "", nullptr, 32);
  const float width = std::floor((buttons.right - buttons.left - look.px(kUnit)) / 2);
  const float height = look.px(kControl);
  if (quiet_button(look, "Undo", {buttons.left, buttons.top}, {width, height}, history.can_undo())) panel.wants_undo = true;
  hint(look, "ctrl+Z");
  if (quiet_button(look, "Redo", {buttons.right - width, buttons.top}, {width, height}, history.can_redo())) panel.wants_redo = true;
  hint(look, "ctrl+shift+Z or ctrl+Y");
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
