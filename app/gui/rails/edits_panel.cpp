#include <fmt/core.h>

#include <algorithm>

#include "app/gui/kit/items.h"
#include "app/gui/panel/explained_here.h"
#include "app/gui/rails/rails.h"
#include "app/gui/watching/target_here.h"

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
  if (quiet_button(look, "Undo", {left, top}, {width, height}, panel.context.session.history().can_undo())) panel.wants_undo = true;
  hint(look, "Undo the last edit (ctrl+Z).");
  if (quiet_button(look, "Redo", {right - width, top}, {width, height}, history.can_redo())) panel.wants_redo = true;
  hint(look, "Redo the last undone edit (ctrl+shift+Z or ctrl+Y).");
}

/// The steps of one kind, newest first; a press goes there. Steps with the same label in a row, such as the words of a sentence, share a
/// line. Returns how many lines there are.
std::size_t draw_steps(Panel& panel, const std::vector<std::string>& labels, bool is_display, std::size_t most) {
  const Look& look = panel.look;
  const History& history = panel.context.session.history();
  const auto belongs = [&](std::size_t step) { return history.changed_display_only(step) == is_display; };
  std::size_t lines = 0;
  for (std::size_t last = labels.size() - 1; last > 0 && lines < most; --last) {
    if (!belongs(last)) continue;
    const std::size_t end = last;
    while (last > 1 && labels[last - 1] == labels[end] && belongs(last - 1)) --last;
    const bool is_here = end + 1 == labels.size();
    const Row row = begin_row(look, "", nullptr, kNumberRow);
    const Press press = press_area(fmt::format("Go to edit {}", end).c_str(), {row.left, row.top}, {row.right - row.left, row.height});
    hint(look, is_here ? "Where you are." : "Go back to here; what came after can be redone.");
    if (press.is_clicked && !is_here) panel.wants_step = end;
    const Colour colour = is_here || press.is_hovered ? look.colours.text : look.colours.text_second;
    const std::string numbers = last == end ? std::to_string(end) : fmt::format("{}–{}", last, end);
    const float room = row.right - row.left - text_width(look, Type::number, numbers) - look.px(kBetween);
    draw_text(look, row.left, row.middle(), Type::body, colour, elided(look, Type::body, labels[end], room));
    draw_text(look, row.right, row.middle(), Type::number, look.colours.text_second, numbers, AlignX::right);
    ++lines;
  }
  return lines;
}

}  // namespace

void draw_edits_panel(Panel& panel) {
  const Look& look = panel.look;
  draw_buttons(panel);
  if (!section(look, "Edits", panel.view.rails.folded)) return;
  constexpr std::size_t kMostEdits = 12, kMostOfDisplay = 6;
  const History& history = panel.context.session.history();
  const std::vector<std::string> labels = history.labels();  // the first one is the document as it was opened
  const std::size_t edits = draw_steps(panel, labels, false, kMostEdits);
  const Explanation& said = explain_edits_here(panel);
  if (edits == 0) {
    const char* const none = labels.size() > 1 ? "No edits of the model or its text." : "Nothing changed yet.";
    text_line(look, Type::caption, look.colours.text_second,
              said.empty() ? none : "These edits were already in the document when it was opened.");
  }
  if (!said.empty() && !panel.context.session.lessons().hides_weights()) {
    gap(look, kInside);
    const ImVec2 top = ImGui::GetCursorScreenPos();
    paragraph(look, spans_of(look.colours, said, look.colours.text_second));
    const bool is_watched = panel.draft.target != Target{} && !panel.context.session.lessons().asks();  // it may be what is asked for
    if (const std::string told = is_watched ? told_change_of_target(panel) : ""; !told.empty()) {
      gap(look, kInside);
      paragraph(look, Type::body, look.colours.text_second, told);
    }
    name_area("Edits in words", {top.x, top.y, ImGui::GetContentRegionAvail().x, ImGui::GetCursorScreenPos().y - top.y});
  }
  bool has_display = false;
  for (std::size_t step = 1; step < labels.size(); ++step) has_display = has_display || history.changed_display_only(step);
  if (!has_display) return;
  gap(look, kInside);
  text_line(look, Type::caption, look.colours.text_second, "Pins and display");
  draw_steps(panel, labels, true, kMostOfDisplay);
}

}  // namespace headlight
