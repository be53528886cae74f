#include "app/gui/selection/pictured_copying.h"

#include <fmt/core.h>

#include "app/gui/panel/focus.h"
#include "app/gui/selection/copied_text.h"
#include "app/gui/selection/copying.h"

namespace headlight {
namespace {

std::string label_of(const AxisLabels& labels, Index place) {
  return labels ? (*labels)[static_cast<std::size_t>(place)] : std::to_string(place);
}

std::string number_in(const MapPicture& picture, Index row, Index column) {
  if (picture.mask() && !picture.mask()->allows(row, column)) return {};
  const auto y = static_cast<float>(row), x = static_cast<float>(column);
  return digits(picture.value(y, y + 1, x, x + 1));
}

const MapPicture& shown_in(const PicturedNumbers& numbers) {
  return *numbers.columns.back().picture;
}

/// "“it” 8"; of places without a name the number alone.
std::string named(const AxisLabels& labels, Index place) {
  return labels ? fmt::format("“{}” {}", label_of(labels, place), place) : std::to_string(place);
}

}  // namespace

std::string pictured_place_text(const PicturedNumbers& numbers, std::optional<Index> row, std::optional<Index> column) {
  std::string text = row ? named(numbers.queries, *row) : "";
  if (column) text += (text.empty() ? "" : " → ") + named(numbers.keys, *column);
  return text;
}

std::string pictured_cell_table(const PicturedNumbers& numbers, Cell cell) {
  std::vector<NamedNumber> columns{{"row", std::to_string(cell.query)}};
  if (numbers.queries) columns.push_back({"row token", label_of(numbers.queries, cell.query)});
  columns.push_back({"column", std::to_string(cell.key)});
  if (numbers.keys) columns.push_back({"column token", label_of(numbers.keys, cell.key)});
  for (const auto& [name, picture] : numbers.columns) columns.push_back({name, number_in(*picture, cell.query, cell.key)});
  return line_table(columns);
}

std::string pictured_row_table(const PicturedNumbers& numbers, Index row) {
  std::string text = numbers.keys ? "position\ttoken" : "position";
  for (const auto& [name, picture] : numbers.columns) text += "\t" + name;
  text += "\n";
  for (Index column = 0; column < shown_in(numbers).columns(); ++column) {
    text += std::to_string(column) + (numbers.keys ? "\t" + label_of(numbers.keys, column) : "");
    for (const auto& [name, picture] : numbers.columns) text += "\t" + number_in(*picture, row, column);
    text += "\n";
  }
  return text;
}

std::string pictured_table(const PicturedNumbers& numbers) {
  std::string text;
  for (const std::vector<std::string>& line : numbers.table) {
    for (std::size_t i = 0; i < line.size(); ++i) text.append(i == 0 ? "" : "\t").append(line[i]);
    text += "\n";
  }
  if (numbers.columns.empty()) return text;
  const MapPicture& picture = shown_in(numbers);
  text = "row \\ column";
  for (Index column = 0; column < picture.columns(); ++column) text += "\t" + label_of(numbers.keys, column);
  text += "\n";
  for (Index row = 0; row < picture.rows(); ++row) {
    text += label_of(numbers.queries, row);
    for (Index column = 0; column < picture.columns(); ++column) text += "\t" + number_in(picture, row, column);
    text += "\n";
  }
  return text;
}

void copy_pictured_cell(Panel& panel, const PicturedNumbers& numbers, Cell cell) {
  ImGui::SetClipboardText(pictured_cell_table(numbers, cell).c_str());
  say_copied(panel, fmt::format("copied: cell {} of {}", pictured_place_text(numbers, cell.query, cell.key), numbers.name));
}

void copy_pictured_row(Panel& panel, const PicturedNumbers& numbers, Index row) {
  ImGui::SetClipboardText(pictured_row_table(numbers, row).c_str());
  say_copied(panel, fmt::format("copied: row {} of {}", pictured_place_text(numbers, row, {}), numbers.name));
}

void copy_pictured_map(Panel& panel, const std::shared_ptr<const PicturedNumbers>& numbers) {
  const std::string words = "copied: " + numbers->name;
  say_copied(panel, "copying …");
  panel.context.session.exporter().make_text([numbers, words] { return MadeText{pictured_table(*numbers), words}; });
}

void copy_pictured(Panel& panel, const PicturedPlace& place) {
  const PicturedNumbers& numbers = *place.numbers;
  if (place.cell) return copy_pictured_cell(panel, numbers, *place.cell);
  const std::optional<Index> pinned = numbers.is_of_text ? pinned_query_of(panel, panel.view.head.layer) : std::nullopt;
  if (pinned && !numbers.columns.empty() && *pinned < shown_in(numbers).rows()) return copy_pictured_row(panel, numbers, *pinned);
  copy_pictured_map(panel, place.numbers);
}

}  // namespace headlight
