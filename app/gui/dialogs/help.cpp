#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/gui/commands/commands.h"
#include "app/gui/commands/doors.h"
#include "app/gui/commands/lesson_commands.h"
#include "app/gui/dialogs/dialog.h"
#include "app/gui/dialogs/dialogs.h"

namespace headlight {
namespace {

/// A line of the help: keys and what they do, or a heading alone.
struct HelpLine {
  std::string keys, what;
  bool is_heading() const { return keys.empty(); }
};
using HelpLines = std::vector<HelpLine>;

void add_group(HelpLines& lines, std::string heading, std::span<const WindowCommand> rows, const auto& belongs) {
  lines.push_back({{}, std::move(heading)});
  for (const WindowCommand& row : rows) {
    if (row.keys[0] != ImGuiKey_None && belongs(row)) lines.push_back({keys_text(row.keys[0]), row.name});
  }
}

/// The keys of all views, some on a line: each leads to its view.
HelpLines keys_of(std::span<const ViewRow> views) {
  constexpr std::size_t kOnALine = 5;
  HelpLines lines;
  for (std::size_t first = 0; first < views.size() && key_of_view(first) != ImGuiKey_None; first += kOnALine) {
    HelpLine help{ImGui::GetKeyName(key_of_view(first)), views[first].title};
    std::size_t last = first;
    for (std::size_t place = first + 1; place < std::min(first + kOnALine, views.size()) && key_of_view(place) != ImGuiKey_None; ++place) {
      help.what += fmt::format(", {}", views[place].title);
      last = place;
    }
    if (last > first) help.keys += fmt::format(" … {}", ImGui::GetKeyName(key_of_view(last)));
    lines.push_back(std::move(help));
  }
  return lines;
}

/// Two columns, from the table of commands; what the pointer does is listed beside them.
std::array<HelpLines, 2> help_lines(std::span<const ViewRow> views) {
  std::array<HelpLines, 2> columns;
  const auto add = [&](std::size_t column, const char* heading, CommandGroup group) {
    add_group(columns[column], heading, window_commands(), [&](const WindowCommand& row) { return row.group == group; });
  };
  add(0, "Document", CommandGroup::document);
  add(0, "Edit", CommandGroup::edit);
  add(1, "Look around", CommandGroup::look);
  const HelpLines keys = keys_of(views);
  columns[1].insert(columns[1].end(), keys.begin(), keys.end());
  add(1, "Window", CommandGroup::window);
  add_group(columns[0], "In a lesson", all_lesson_commands(), [](const WindowCommand&) { return true; });
  for (const ViewRow& row : views) {
    if (!row.commands.empty()) add_group(columns[0], row.title, row.commands, [](const WindowCommand&) { return true; });
  }
  columns[0].insert(columns[0].end(), {{{}, "Pointer"},
                                       {"click", "open a map; keep a row"},
                                       {"ctrl+click", "pin a map for Compare"},
                                       {"right click", "explain, copy, mask, switch off"},
                                       {"wheel, drag", "zoom, move; double click shows all"},
                                       {"drop", "open a document, a model, maps, a study; texts"}});
  return columns;
}

void draw_line(const Look& look, const HelpLine& line, float left, float width, float middle) {
  if (line.is_heading()) {
    draw_text(look, left, middle + look.px(kInside), Type::heading, look.colours.text_second, line.what);
    return;
  }
  const float keys = look.px(112);
  draw_text(look, left, middle, Type::number, look.colours.text, line.keys);
  draw_text(look, left + keys, middle, Type::body, look.colours.text_second, elided(look, Type::body, line.what, width - keys));
}

/// Side by side where there is room for it, else one under the other.
void draw_columns(const Look& look, const std::array<HelpLines, 2>& columns) {
  constexpr float kLeastColumn = 360;
  const float width = ImGui::GetContentRegionAvail().x;
  if (width < look.px(2 * kLeastColumn)) {
    for (const HelpLines& column : columns) {
      for (const HelpLine& line : column) {
        const Row row = begin_row(look, "", nullptr, kNumberRow + 2);
        draw_line(look, line, row.left, width, row.middle());
      }
    }
    return;
  }
  const float half = std::round((width - look.px(24)) / 2);
  for (std::size_t i = 0; i < std::max(columns[0].size(), columns[1].size()); ++i) {
    const Row row = begin_row(look, "", nullptr, kNumberRow + 2);
    if (i < columns[0].size()) draw_line(look, columns[0][i], row.left, half, row.middle());
    if (i < columns[1].size()) draw_line(look, columns[1][i], row.left + half + look.px(24), half, row.middle());
  }
}

/// What a newcomer has to know to read a map.
constexpr std::array kReading{
    "A row is a query: the token that looks. A column is a key: a token it looks at.",
    "A cell is the weight between them. The weights of a row sum to 1.",
    "Hatched cells are masked. A row marked ∅ may attend to nothing: it is all zeros.",
    "A dot beside a head's name in the Overview: the head, its layer or its stack has a mask of its own.",
    "Layers and heads are counted from 0: 2.5 is head 5 of layer 2.",
};

}  // namespace

void draw_help(Panel& panel) {
  const Look& look = panel.look;
  if (!begin_dialog(look, "Help", 880, panel.view.dialogs.help, DialogContent::text)) return;
  const Row row = begin_row(look, "", nullptr, 36);
  ImGui::PushItemFlag(ImGuiItemFlags_NoNav, true);  // arrows scroll the text
  if (draw_doors(panel, row.left, row.top, look.px(kRow))) panel.view.dialogs.help = false;
  ImGui::PopItemFlag();
  text_line(look, Type::heading, look.colours.text_second, "Reading a map");
  gap(look, kInside);
  for (const char* sentence : kReading) paragraph(look, Type::body, look.colours.text, sentence);
  gap(look, kUnit);
  draw_columns(look, help_lines(panel.views));
  end_dialog(panel.view.dialogs.help);
}

}  // namespace headlight
