#include "engine/figure/sheet/sheet_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/figure/figure_parts.h"

namespace headlight {
namespace {

constexpr float kRow = 20, kTallRow = 36, kInset = 8, kHeadingLine = 15, kLeastBetween = 12, kMostBetween = 48, kMostFirst = 320;
constexpr std::size_t kHeadingLines = 3;
constexpr LabelStyle kTableWords{FontFace::ui, kCaptionSize}, kTableStrong{FontFace::ui_bold, kCaptionSize},
    kTableNumber{FontFace::mono, kCaptionSize};

float width_of(const std::string& text, LabelStyle style, const MeasureText& measure) {
  return measure(text, style.face, style.size);
}

/// That of the longest word of a heading, which is broken at blanks.
float least_width_of(const std::string& heading, const MeasureText& measure) {
  float widest = 0;
  for (std::size_t begin = 0; begin < heading.size();) {
    const std::size_t end = std::min(heading.find(' ', begin), heading.size());
    widest = std::max(widest, width_of(heading.substr(begin, end - begin), kTableWords, measure));
    begin = end + 1;
  }
  return widest;
}

/// Of columns from the second on: what their numbers need, and what their headings need in one line.
struct ColumnWidths {
  float first = 0;  ///< of the first, at its longest
  std::vector<float> least, whole;
};

ColumnWidths widths_of(const SheetTable& table, const MeasureText& measure) {
  ColumnWidths widths;
  for (std::size_t column = 0; column < table.headings.size(); ++column) {
    float cells = 0;
    for (const SheetTable::Row& row : table.rows) {
      cells = std::max(cells, width_of(row.cells[column], column > 0 ? kTableNumber : row.is_marked ? kTableStrong : kTableWords, measure));
      if (column == 0) cells = std::max(cells, width_of(row.note, kTableWords, measure));
    }
    const float heading = width_of(table.headings[column], kTableWords, measure);
    if (column == 0) {
      widths.first = std::clamp(std::max(cells, heading), table.first, std::max(kMostFirst, table.first));
    } else {
      widths.least.push_back(std::ceil(std::max(cells, least_width_of(table.headings[column], measure))));
      widths.whole.push_back(std::ceil(std::max(cells, heading)));
    }
  }
  return widths;
}

float sum_of(const std::vector<float>& widths) {
  float sum = 0;
  for (const float width : widths) sum += width;
  return sum;
}

}  // namespace

float table_width(const SheetTable& table, float room, const MeasureText& measure) {
  const ColumnWidths widths = widths_of(table, measure);
  const auto gaps = static_cast<float>(widths.least.size());
  const float usual = 2 * kInset + widths.first + sum_of(widths.whole) + gaps * (kLeastBetween + kMostBetween) / 2;
  if (room <= 0 || usual <= room) return usual;
  const float least =
      2 * kInset + std::min(widths.first, std::max(0.4F * table.first, 60.0F)) + sum_of(widths.least) + gaps * kLeastBetween;
  return std::max(room, least);
}

float draw_sheet_table(Scene& scene, const SheetTable& table, std::size_t rows, const Box& box, Theme theme, const MeasureText& measure) {
  const Palette& colours = palette(theme);
  const ColumnWidths widths = widths_of(table, measure);
  const auto gaps = static_cast<float>(widths.least.size());
  const float inner = box.width - 2 * kInset;
  const bool is_whole = widths.first + sum_of(widths.whole) + gaps * kLeastBetween <= inner;
  const std::vector<float>& columns = is_whole ? widths.whole : widths.least;
  const float free = gaps > 0 ? (inner - widths.first - sum_of(columns)) / gaps : 0,
              between = std::clamp(free, kLeastBetween, kMostBetween);
  const float first = std::min(widths.first, std::max(inner - sum_of(columns) - gaps * between, 0.0F));
  std::vector<float> edges;  // right ones
  float edge = box.x + kInset + first;
  for (const float column : columns) edges.push_back(edge += between + column);
  const float right = (edges.empty() ? edge : edges.back()) + kInset;
  const auto text = [&](Point at, std::string words, LabelStyle style, Colour colour, AlignX align) {
    if (!words.empty()) scene.items.emplace_back(SceneText{at, std::move(words), style.face, style.size, colour, align});
  };
  const float dots = width_of("…", kTableWords, measure);  // for which a line of several is given room
  std::vector<std::vector<std::string>> headings;
  std::size_t lines = 1;
  for (std::size_t column = 0; column < table.headings.size(); ++column) {
    const float room = (column == 0 ? first : columns[column - 1]) + dots;
    headings.push_back(wrapped(table.headings[column], room, kHeadingLines, kTableWords, measure));
    lines = std::max(lines, headings.back().size());
  }
  float y = box.y + kHeadingLine * static_cast<float>(lines) + 4;
  for (std::size_t column = 0; column < headings.size(); ++column) {
    for (std::size_t line = 0; line < headings[column].size(); ++line) {
      const float below = static_cast<float>(headings[column].size() - line) - 0.5F;
      text({column == 0 ? box.x + kInset : edges[column - 1], y - 4 - kHeadingLine * below}, std::move(headings[column][line]), kTableWords,
           colours.text_second, column == 0 ? AlignX::left : AlignX::right);
    }
  }
  scene.items.emplace_back(SceneLine{{box.x, y}, {right, y}, colours.line, 1});
  y += 2;
  const std::size_t shown = std::min(rows, table.rows.size());
  for (const SheetTable::Row& row : std::span(table.rows).first(shown)) {
    const float height = row.note.empty() ? kRow : kTallRow, middle = y + height / 2;
    const Box line{box.x, y, right - box.x, height};
    if (row.is_marked) scene.items.emplace_back(SceneBox{.box = line, .fill = colours.raised, .radius = 3});
    const LabelStyle words = row.is_marked ? kTableStrong : kTableWords;
    text({box.x + kInset, row.note.empty() ? middle : y + 11}, shortened(row.cells.front(), first, words, measure), words, colours.text,
         AlignX::left);
    text({box.x + kInset, y + 26}, shortened(row.note, first, kTableWords, measure), kTableWords, colours.text_second, AlignX::left);
    for (std::size_t column = 1; column < row.cells.size(); ++column) {
      const bool is_undefined = row.cells[column].find("NaN") != std::string::npos;
      text({edges[column - 1], middle}, row.cells[column], kTableNumber, is_undefined ? colours.bad : colours.text, AlignX::right);
    }
    if (!row.help.empty()) scene.spots.push_back({.box = line, .words = row.help});
    y += height;
  }
  if (shown == table.rows.size()) return y;
  text({box.x + kInset, y + kRow / 2}, fmt::format("{} of {} rows", shown, table.rows.size()), kTableWords, colours.text_second,
       AlignX::left);
  return y + kRow;
}

}  // namespace headlight
