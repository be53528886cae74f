// What the keyboard does in Measures, and what ctrl+C takes.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/subjects.h"
#include "app/document/wording.h"
#include "app/gui/columns/brush.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/views/measures/head_table.h"
#include "app/gui/views/measures/measures_view.h"

namespace headlight {
namespace {

std::string without_picture(const Panel& panel) {
  return panel.has_picture() ? "" : "There is no picture yet.";
}

/// The row above or below the chosen head; with shift the brush grows with it.
template <int by>
void step_row(Panel& panel) {
  const std::vector<HeadId> rows = rows_of_table(panel, shown_columns(panel));
  if (rows.empty()) return;
  const auto row = std::find(rows.begin(), rows.end(), panel.view.head);
  const auto at = row == rows.end() ? 0 : std::clamp<std::ptrdiff_t>(row - rows.begin() + by, 0, std::ssize(rows) - 1);
  if (ImGui::GetIO().KeyShift && row != rows.end()) panel.view.brushed.insert(*row);
  panel.view.head = rows[static_cast<std::size_t>(at)];
  if (ImGui::GetIO().KeyShift) panel.view.brushed.insert(panel.view.head);
}

void pin(Panel& panel) {
  if (brushed_here(panel).empty()) return toggle_pin(panel.draft, panel.view.head);
  pin_brushed(panel);
}

void toggle_brush(Panel& panel) {
  if (!panel.view.brushed.insert(panel.view.head).second) panel.view.brushed.erase(panel.view.head);
}

void brush_all(Panel& panel) {
  const std::vector<HeadId> rows = rows_of_table(panel, shown_columns(panel));
  panel.view.brushed = std::set<HeadId>(rows.begin(), rows.end());
}

constexpr ImGuiKeyChord kShift = ImGuiMod_Shift, kCtrl = ImGuiMod_Ctrl;
constexpr std::array kCommands{
    WindowCommand{.name = "Open the chosen head",
                  .words = "go to head map large",
                  .keys = {ImGuiKey_Enter, ImGuiKey_KeypadEnter},
                  .act = [](Panel& panel) { panel.view.view = View::head; },
                  .why_not = without_picture},
    WindowCommand{.name = "Row above",
                  .words = "up previous head",
                  .keys = {ImGuiKey_UpArrow, kShift | ImGuiKey_UpArrow},
                  .act = step_row<-1>,
                  .why_not = without_picture,
                  .repeats = true},
    WindowCommand{.name = "Row below",
                  .words = "down next head",
                  .keys = {ImGuiKey_DownArrow, kShift | ImGuiKey_DownArrow},
                  .act = step_row<1>,
                  .why_not = without_picture,
                  .repeats = true},
    WindowCommand{.name = "Brush the chosen head, or take it out",
                  .words = "mark select",
                  .keys = {ImGuiKey_X},
                  .act = toggle_brush,
                  .why_not = without_picture},
    WindowCommand{.name = "Brush all heads of the table",
                  .words = "mark select everything",
                  .keys = {kCtrl | ImGuiKey_A},
                  .act = brush_all,
                  .why_not = without_picture},
    WindowCommand{.name = "Pin the brushed heads for Compare, or unpin them",
                  .words = "side by side chosen",
                  .keys = {ImGuiKey_P, ImGuiKey_Space},
                  .act = pin,
                  .why_not = without_picture},
    WindowCommand{.name = "Copy the table",
                  .words = "clipboard tsv numbers rows spreadsheet brushed",
                  .keys = {kCtrl | ImGuiKey_C},
                  .act = copy_table,
                  .why_not = without_picture},
};

std::string digits(double value) {
  return std::isnan(value) ? std::string() : fmt::format("{}", value);
}

}  // namespace

std::span<const WindowCommand> measures_commands() {
  return kCommands;
}

void copy_table(Panel& panel) {
  const ShownColumns shown = shown_columns(panel);
  std::vector<HeadId> rows = rows_of_table(panel, shown);
  const std::size_t brushed = brushed_here(panel).size();
  if (brushed > 0) std::erase_if(rows, [&](HeadId head) { return !is_brushed(panel, head); });
  std::string text = "layer\thead";
  for (const auto& column : shown.columns) text += "\t" + column->id;
  text += "\n";
  for (const HeadId head : rows) {
    text += fmt::format("{}\t{}", head.layer, head.head);
    for (const auto& column : shown.columns) text += "\t" + digits(column->values.of(head));
    text += "\n";
  }
  ImGui::SetClipboardText(text.c_str());
  panel.view.notes.copied = fmt::format("copied: {} head{} × {} columns", rows.size(), rows.size() == 1 ? "" : "s", shown.columns.size());
}

}  // namespace headlight
