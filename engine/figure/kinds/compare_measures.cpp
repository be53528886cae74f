// The measures of compared heads side by side, and their difference for the subtracted pair, as the table of the view Compare has them.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/figure/effects/row_pen.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/page/page.h"

namespace headlight {
namespace {

constexpr float kMeasureColumn = 60, kMostMeasureColumn = 112, kLeastMeasureTitles = 120, kMostMeasureTitles = 200, kBesideMeasure = 12,
                kBetweenBlocks = 20;
constexpr std::size_t kMostBeside = 8;  ///< columns

/// Columns of the table: a head each, then the difference.
struct ComparedColumns {
  std::vector<std::string> letters;  ///< "A", "B", "A − B"
  std::vector<std::string> names;    ///< "2.1", "text 2 · 2.1"; empty of a difference
};

std::optional<ComparedPair> subtracted_pair(const FigureRequest& request) {
  if (!request.difference && request.heads.size() == 2) return ComparedPair{};
  return request.difference;
}

ComparedColumns compared_columns(const Snapshot& snapshot, const FigureRequest& request) {
  ComparedColumns columns;
  for (std::size_t place = 0; place < request.heads.size(); ++place) {
    const ComparedHead& head = request.heads[place];
    const std::string name = short_name_of_head(run_of(head, snapshot), head.head);
    columns.letters.push_back(pin_letter(place));
    columns.names.push_back(head.subject.empty() ? name : fmt::format("{} · {}", head.subject, name));
  }
  const std::optional<ComparedPair> pair = subtracted_pair(request);
  if (!pair) return columns;
  columns.letters.push_back(fmt::format("{} − {}", pin_letter(pair->left), pin_letter(pair->right)));
  columns.names.emplace_back();
  return columns;
}

/// Of a difference: of the pair's first head less that of its second. NaN where a measure is undefined.
double compared_value(const Snapshot& snapshot, const FigureRequest& request, std::size_t column, std::string_view measure) {
  const auto of_head = [&](std::size_t place) {
    const ComparedHead& head = request.heads[place];
    return run_of(head, snapshot).summary(head.head).value(measure);
  };
  if (column < request.heads.size()) return of_head(column);
  const ComparedPair pair = *subtracted_pair(request);
  return of_head(pair.left) - of_head(pair.right);
}

/// The measures that every picture comes with.
Measures compared_measures(const Snapshot& snapshot, const FigureRequest& request) {
  const ComparedHead& first = request.heads.front();
  return run_of(first, snapshot).summary(first.head).measured.table;
}

std::string compared_text(double value, bool is_difference) {
  return is_difference && value > 0 ? "+" + weight_text(value) : weight_text(value);
}

/// Some of the columns that stand beside each other.
struct ColumnBlock {
  std::size_t begin = 0, end = 0;
  float titles = 0, step = 0;  ///< widths: of the measures' titles, and of each column
};

/// As many columns beside each other as the width has room for, the others below them.
std::vector<ColumnBlock> blocks_of(std::size_t columns, float width) {
  const float room = std::max(0.0F, (width - kLeastMeasureTitles) / kMeasureColumn);
  const std::size_t most = std::clamp(static_cast<std::size_t>(room), std::size_t{1}, kMostBeside);
  const std::size_t count = (columns + most - 1) / most, each = (columns + count - 1) / count;
  const float step = std::clamp((width - kMostMeasureTitles) / static_cast<float>(each), kMeasureColumn, kMostMeasureColumn);
  std::vector<ColumnBlock> blocks;
  for (std::size_t begin = 0; begin < columns; begin += each)
    blocks.push_back({begin, std::min(columns, begin + each), width - step * static_cast<float>(each), step});
  return blocks;
}

/// Draws a block from `at` on. Returns where it ends.
float draw_block(RowPen& pen, const Snapshot& snapshot, const FigureRequest& request, const ComparedColumns& columns,
                 const ColumnBlock& block, Point at) {
  const Palette& colours = pen.colours();
  const auto right_of = [&](std::size_t column) { return at.x + block.titles + block.step * static_cast<float>(column - block.begin + 1); };
  const float right = right_of(block.end - 1);
  float y = at.y;
  for (std::size_t column = block.begin; column < block.end; ++column) {
    pen.text({right_of(column), y + kEffectRow / 2}, columns.letters[column], kRowStrong, colours.text, AlignX::right);
    pen.text({right_of(column), y + 1.5F * kEffectRow}, pen.fitted(columns.names[column], block.step - kBesideMeasure, kRowWords),
             kRowWords, colours.text_second, AlignX::right);
  }
  y += 2 * kEffectRow;
  pen.line({at.x, y}, {right, y}, colours.line);
  for (const Measure& measure : compared_measures(snapshot, request)) {
    const float middle = y + kEffectRow / 2;
    pen.text({at.x, middle}, pen.fitted(std::string(measure.title), block.titles - kBesideMeasure, kRowWords), kRowWords, colours.text);
    std::string words = fmt::format("{}: {}", measure.title, measure.meaning);
    for (std::size_t column = block.begin; column < block.end; ++column) {
      const double value = compared_value(snapshot, request, column, measure.id);
      const bool is_difference = column >= request.heads.size();
      pen.text({right_of(column), middle}, compared_text(value, is_difference), kRowNumber, is_difference ? colours.accent : colours.text,
               AlignX::right);
      words += fmt::format(" {} {}{}", columns.letters[column], value, column + 1 < block.end ? "," : "");
    }
    pen.say({at.x, y, right - at.x, kEffectRow}, std::move(words));
    y += kEffectRow;
  }
  return y;
}

Scene make_compare_measures(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  const ComparedColumns columns = compared_columns(snapshot, request);
  const auto beside = static_cast<float>(std::min(columns.letters.size(), kMostBeside));
  const float room = room_across(request.page), least = kLeastMeasureTitles + kMeasureColumn;
  const float width = room > 0 ? std::max(room, least) : kMostMeasureTitles + kMostMeasureColumn * beside;
  const PageWords words{fmt::format("{} · measures of {} heads", snapshot.model->name, request.heads.size()), sentence_of(snapshot)};
  Page page(words, request.style, request.page, width, measure);
  RowPen pen(request.style.theme, measure);
  float y = page.top();
  for (const ColumnBlock& block : blocks_of(columns.letters.size(), width)) {
    if (block.begin > 0) y += kBetweenBlocks;
    y = draw_block(pen, snapshot, request, columns, block, {page.left(), y});
  }
  page.add(pen.take());
  page.set_top(y);
  return page.finish("means over the rows of each head's map, one text: hints, not findings · " + notes_of_numbers(snapshot));
}

std::string compare_measures_caption(const Snapshot&, const FigureRequest& request) {
  return fmt::format("The measures of the {} pinned heads side by side", request.heads.size());
}

/// A line for each measure of each head, and of their difference.
NumberList compared_numbers(const Snapshot& snapshot, const FigureRequest& request) {
  const ComparedColumns columns = compared_columns(snapshot, request);
  NumberList list{"measures of compared heads", {"letter", "subject", "layer", "head", "measure", "value"}, {}};
  for (std::size_t column = 0; column < columns.letters.size(); ++column) {
    const ComparedHead* const head = column < request.heads.size() ? &request.heads[column] : nullptr;
    for (const Measure& measure : compared_measures(snapshot, request)) {
      list.lines.push_back({columns.letters[column], head == nullptr ? std::string() : head->subject,
                            head == nullptr ? ListCell() : ListCell(std::int64_t{head->head.layer}),
                            head == nullptr ? ListCell() : ListCell(std::int64_t{head->head.head}), std::string(measure.id),
                            compared_value(snapshot, request, column, measure.id)});
    }
  }
  return list;
}

}  // namespace

constexpr FigureKind kCompareMeasuresFigure = {
    .name = "compare-measures",
    .noun = "a comparison of measures",
    .what = "the pinned heads' measures side by side",
    .file_name = "compare-measures",
    .needs = {.heads = 1, .is_plain = true, .named_heads = 2},
    .caption = compare_measures_caption,
    .scene = make_compare_measures,
    .numbers = {.list = compared_numbers},
    .endings = kTableEndings,
};

}  // namespace headlight
