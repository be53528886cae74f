#include "engine/figure/sheet/sheet_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/figure/figure_parts.h"

namespace headlight {
namespace {

constexpr float kLine = 16, kAround = 4, kInset = 8, kHeadingLine = 15, kLeastBetween = 10, kMostBetween = 48, kMostFirst = 320,
                kMostWord = 120, kLeastFirst = 40;
constexpr std::size_t kHeadingLines = 3, kNameLines = 4, kNoteLines = 2;
constexpr LabelStyle kTableWords{FontFace::ui, kCaptionSize}, kTableStrong{FontFace::ui_bold, kCaptionSize},
    kTableNumber{FontFace::mono, kCaptionSize};

float width_of(const std::string& text, LabelStyle style, const MeasureText& measure) {
  return measure(text, style.face, style.size);
}

/// That of the longest word, which lines are broken around.
float least_width_of(const std::string& text, LabelStyle style, const MeasureText& measure) {
  float widest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    widest = std::max(widest, width_of(text.substr(begin, end - begin), style, measure));
    begin = end + 1;
  }
  return widest;
}

LabelStyle style_of(const SheetTable::Row& row) {
  return row.is_marked ? kTableStrong : kTableWords;
}

float widest_formula(const SheetTable::Row& row, const MeasureText& measure) {
  float widest = 0;
  for (const std::string& formula : row.formulas) widest = std::max(widest, formula_width(formula, kTableWords, measure));
  return widest;
}

/// Of the first column, at its longest and with its words on several lines; of the others what their numbers need, and what their headings need in
/// one line.
struct ColumnWidths {
  float first = 0, least_first = 0;
  float formulas = 0;
  std::vector<float> least, whole;
};

ColumnWidths widths_of(const SheetTable& table, const MeasureText& measure) {
  ColumnWidths widths;
  float named = width_of(table.headings.front(), kTableWords, measure);
  for (const SheetTable::Row& row : table.rows) {
    const std::string& name = row.cells.front();
    widths.formulas = std::max(widths.formulas, widest_formula(row, measure));
    named = std::max({named, width_of(name, style_of(row), measure), width_of(row.note, kTableWords, measure), widths.formulas});
    widths.least_first = std::max(widths.least_first, std::min(kMostWord, least_width_of(name, style_of(row), measure)));
  }
  widths.first = std::clamp(named, table.first, std::max(kMostFirst, table.first));
  widths.least_first = std::max(widths.least_first, std::min(kMostWord, least_width_of(table.headings.front(), kTableWords, measure)));
  widths.least_first = std::min(widths.first, std::ceil(std::max(widths.least_first, kLeastFirst)));
  for (std::size_t column = 1; column < table.headings.size(); ++column) {
    const std::string& heading = table.headings[column];
    float cells = 0;
    for (const SheetTable::Row& row : table.rows) cells = std::max(cells, width_of(row.cells[column], kTableNumber, measure));
    widths.least.push_back(std::ceil(std::max(cells, least_width_of(heading, kTableWords, measure))));
    widths.whole.push_back(std::ceil(std::max(cells, width_of(heading, kTableWords, measure))));
  }
  return widths;
}

float sum_of(const std::vector<float>& widths) {
  float sum = 0;
  for (const float width : widths) sum += width;
  return sum;
}

/// Where the columns of a table are, left to right.
struct Columns {
  float left = 0, first = 0, right = 0;
  std::vector<float> widths, edges;  ///< of those with numbers; right edges
};

Columns columns_of(const SheetTable& table, const Box& box, const MeasureText& measure) {
  const ColumnWidths widths = widths_of(table, measure);
  const auto gaps = static_cast<float>(widths.least.size());
  const float inner = box.width - 2 * kInset;
  const bool is_whole = widths.first + sum_of(widths.whole) + gaps * kLeastBetween <= inner;
  Columns columns{.left = box.x + kInset, .widths = is_whole ? widths.whole : widths.least, .edges = {}};
  const float taken = sum_of(columns.widths), free = gaps > 0 ? (inner - widths.first - taken) / gaps : 0;
  const float between = std::clamp(free, kLeastBetween, kMostBetween);
  columns.first = std::min(widths.first, std::max(inner - taken - gaps * between, 0.0F));
  columns.right = columns.left + columns.first;
  for (const float column : columns.widths) columns.edges.push_back(columns.right += between + column);
  return columns;
}

/// The words of a row, below each other in the first column.
struct RowLines {
  std::vector<std::string> names, notes;
  std::size_t count = 0;
};

class SheetTablePen {
 public:
  SheetTablePen(Scene& scene, const SheetTable& table, const Box& box, Theme theme, const MeasureText& measure)
      : scene_(scene),
        table_(table),
        box_(box),
        measure_(measure),
        colours_(palette(theme)),
        columns_(columns_of(table, box, measure)),
        is_below_(has_longer_lines()) {}

  float draw_headings() {
    std::vector<std::vector<std::string>> headings;
    std::size_t lines = 1;
    for (std::size_t column = 0; column < table_.headings.size(); ++column) {
      const float room = (column == 0 ? columns_.first : columns_.widths[column - 1]) + dots();
      headings.push_back(wrapped(table_.headings[column], room, kHeadingLines, kTableWords, measure_));
      lines = std::max(lines, headings.back().size());
    }
    const float bottom = box_.y + kHeadingLine * static_cast<float>(lines) + 4;
    for (std::size_t column = 0; column < headings.size(); ++column) {
      for (std::size_t line = 0; line < headings[column].size(); ++line) {
        const float y = bottom - 4 - kHeadingLine * (static_cast<float>(headings[column].size() - line) - 0.5F);
        const Point at{column == 0 ? columns_.left : columns_.edges[column - 1], y};
        text(at, std::move(headings[column][line]), kTableWords, colours_.text_second, column == 0 ? AlignX::left : AlignX::right);
      }
    }
    scene_.items.emplace_back(SceneLine{{box_.x, bottom}, {right(), bottom}, colours_.line, 1});
    return bottom + 2;
  }

  float draw_row(const SheetTable::Row& row, float y) {
    RowLines lines = lines_of(row);
    const float height = kLine * static_cast<float>(lines.count) + (lines.count > 2 ? 2 * kAround : kAround);
    const Box box{box_.x, y, right() - box_.x, height};
    if (row.is_marked) scene_.items.emplace_back(SceneBox{.box = box, .fill = colours_.raised, .radius = 3});
    const float beside = is_below_ ? kLine * static_cast<float>(std::max<std::size_t>(1, lines.names.size())) + kAround : height;
    for (std::size_t column = 1; column < row.cells.size(); ++column) {
      const bool is_undefined = row.cells[column].find("NaN") != std::string::npos;
      text({columns_.edges[column - 1], y + beside / 2}, row.cells[column], kTableNumber, is_undefined ? colours_.bad : colours_.text,
           AlignX::right);
    }
    float middle = y + (kAround + kLine) / 2;
    const auto write = [&](std::vector<std::string>& words, LabelStyle style, Colour colour) {
      for (std::string& line : words) {
        text({columns_.left, middle}, std::move(line), style, colour, AlignX::left);
        middle += kLine;
      }
    };
    write(lines.names, style_of(row), colours_.text);
    write(lines.notes, kTableWords, colours_.text_second);
    for (const std::string& formula : row.formulas) {
      add_formula(scene_, {columns_.left, middle}, formula, kTableWords, colours_.text_second, measure_);
      middle += kLine;
    }
    if (!row.help.empty()) scene_.spots.push_back({.box = box, .words = row.help});
    return y + height;
  }

  float draw_count(std::size_t shown, float y) {
    text({columns_.left, y + (kAround + kLine) / 2}, fmt::format("{} of {} rows", shown, table_.rows.size()), kTableWords,
         colours_.text_second, AlignX::left);
    return y + kLine + kAround;
  }

 private:
  float right() const { return columns_.right + kInset; }
  /// For which a line of several is given room.
  float dots() const { return width_of("…", kTableWords, measure_); }

  void text(Point at, std::string words, LabelStyle style, Colour colour, AlignX align) {
    if (!words.empty()) scene_.items.emplace_back(SceneText{at, std::move(words), style.face, style.size, colour, align});
  }

  bool has_longer_lines() const {
    return std::any_of(table_.rows.begin(), table_.rows.end(), [&](const SheetTable::Row& row) {
      return std::max(width_of(row.note, kTableWords, measure_), widest_formula(row, measure_)) > columns_.first;
    });
  }

  /// A word that only the dots after it would leave no room for is not cut.
  std::vector<std::string> name_of(const SheetTable::Row& row) const {
    const std::string& name = row.cells.front();
    std::vector<std::string> lines = wrapped(name, columns_.first, kNameLines, style_of(row), measure_);
    if (!lines.empty() && lines.back().ends_with("…")) lines = wrapped(name, columns_.first + dots(), kNameLines, style_of(row), measure_);
    return lines;
  }

  RowLines lines_of(const SheetTable::Row& row) const {
    RowLines lines{.names = name_of(row), .notes = {}};
    const float room = is_below_ ? columns_.right - columns_.left : columns_.first;
    if (!row.note.empty()) lines.notes = wrapped(row.note, room, kNoteLines, kTableWords, measure_);
    lines.count = std::max<std::size_t>(1, lines.names.size() + lines.notes.size() + row.formulas.size());
    return lines;
  }

  Scene& scene_;
  const SheetTable& table_;
  Box box_;
  const MeasureText& measure_;
  const Palette& colours_;
  Columns columns_;
  bool is_below_;  // notes and formulas run on below the numbers, where one of them is wider than the first column
};

}  // namespace

float table_width(const SheetTable& table, float room, const MeasureText& measure) {
  const ColumnWidths widths = widths_of(table, measure);
  const auto gaps = static_cast<float>(widths.least.size());
  const float usual = 2 * kInset + widths.first + sum_of(widths.whole) + gaps * (kLeastBetween + kMostBetween) / 2;
  if (room <= 0 || usual <= room) return usual;
  const float least = std::max(widths.least_first + sum_of(widths.least) + gaps * kLeastBetween, widths.formulas);
  return std::max(room, 2 * kInset + least);
}

float draw_sheet_table(Scene& scene, const SheetTable& table, std::size_t rows, const Box& box, Theme theme, const MeasureText& measure) {
  SheetTablePen pen(scene, table, box, theme, measure);
  float y = pen.draw_headings();
  const std::size_t shown = std::min(rows, table.rows.size());
  for (const SheetTable::Row& row : std::span(table.rows).first(shown)) y = pen.draw_row(row, y);
  return shown == table.rows.size() ? y : pen.draw_count(shown, y);
}

}  // namespace headlight
