#include "app/gui/views/measures/measures_view.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/gui/columns/arranged_heads.h"
#include "app/gui/columns/brush.h"
#include "app/gui/commands/corpus_commands.h"
#include "app/gui/corpus/corpus_bar.h"
#include "app/gui/finding/question_chips.h"
#include "app/gui/finding/unanswered.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/views/measures/chance.h"
#include "app/gui/views/measures/column_choice.h"
#include "app/gui/views/measures/head_squares.h"
#include "app/gui/views/measures/head_table.h"
#include "app/gui/views/measures/scatter_plot.h"

namespace headlight {
namespace {

constexpr float kMargin = 24, kTitle = 64, kLowTitle = 36, kFilters = 28;
constexpr float kScatter = 320;
constexpr float kWideView = 860;  // points: views this wide show the scatter plot beside the table unasked
constexpr float kLowView = 420;   // and under it the title gives up its second line
constexpr float kLeastBeside = 300, kLeastStacked = 360;

bool has_scatter(const Panel& panel, const Box& box) {
  const Fold fold = panel.view.measures.scatter;
  if (fold == Fold::by_room) return box.width >= panel.look.px(kWideView);
  return fold == Fold::open;
}

/// At the right of the title: columns, scatter plot, many texts.
float draw_title_controls(Panel& panel, const Box& box, bool is_plotted) {
  const Look& look = panel.look;
  const float middle = box.y + look.px(20), height = look.px(kControl);
  float left = draw_column_choice(panel, box.right() - look.px(kMargin), middle);
  const char* label = is_plotted ? "Hide scatter" : "Scatter";
  const float width = button_width(look, label);
  left -= width + look.px(kBetween);
  if (quiet_button(look, label, {left, middle - height / 2}, {width, height}))
    panel.view.measures.scatter = is_plotted ? Fold::folded : Fold::open;
  hint(look, is_plotted ? "Gives its room to the table." : "Heads as points over two columns.");
  return draw_corpus_button(panel, left - look.px(kBetween), middle);
}

/// A title of one line: what was measured comes after the word in short form, or replaces it, as the tab has the word too.
void draw_low_title(const Look& look, const ShownColumns& shown, float left, float right, float middle) {
  const std::string& brief = shown.brief_note;
  const float word = text_width(look, Type::title, "Measures") + look.px(kBetween);
  if (left + word + text_width(look, Type::body, brief) <= right) {
    draw_text(look, left, middle, Type::title, look.colours.text, "Measures");
    left += word;
  }
  draw_text(look, left, middle, Type::body, look.colours.text_second, elided(look, Type::body, brief, std::max(0.0F, right - left)));
  press_area("What was measured", {left, middle - look.px(kUnit)}, {std::max(1.0F, right - left), 2 * look.px(kUnit)});
  hint(look, shown.note.c_str());
}

void draw_measures_title(Panel& panel, const ShownColumns& shown, const Box& box, bool is_plotted) {
  const Look& look = panel.look;
  begin_region(look, "Measures title", box, Colour{0, 0, 0, 0}, {0, 0});
  const float left = box.x + look.px(kMargin), right = draw_title_controls(panel, box, is_plotted);
  if (box.height < look.px(kTitle)) {
    draw_low_title(look, shown, left, right - look.px(kUnit), box.y + look.px(20));
  } else {
    draw_text(look, left, box.y + look.px(20), Type::title, look.colours.text, elided(look, Type::title, "Measures", right - left));
    const std::string note = shown.is_complete ? shown.note : shown.note + " · measuring …";
    draw_text(look, left, box.y + look.px(44), Type::body, look.colours.text_second,
              elided(look, Type::body, note, box.right() - look.px(kMargin) - left));
  }
  end_region();
}

bool has_line_of_filters(const Panel& panel) {
  return !panel.view.measures.ranges.empty();
}

/// A word that can be pressed, from `left` on. Returns its right edge.
float word(const Look& look, const char* name, float left, const Box& line, bool& is_pressed) {
  const float width = text_width(look, Type::caption, name) + 2 * look.px(kUnit);
  is_pressed = word_button(look, name, name, left + width - look.px(kUnit), line).is_clicked;
  return left + width;
}

/// "12 of 32 heads shown: spread > 0.2, mean distance 1 … 3".
std::string filters_text(const Panel& panel, const ShownColumns& shown, std::size_t heads) {
  const std::size_t all = panel.snapshot->all_heads().size();
  std::string text = fmt::format("{} of {} heads shown", heads, all), separator = ": ";
  for (const ColumnRange& range : panel.view.measures.ranges) {
    const HeadColumn* column = shown.find(range.column);
    if (column == nullptr) continue;
    text += separator + column->title + " " + range_text(range);
    separator = ", ";
  }
  return text;
}

/// How many heads the filters let through, and the way back.
void draw_line_of_filters(Panel& panel, const ShownColumns& shown, std::size_t heads, const Box& box) {
  const Look& look = panel.look;
  MeasuresPage& page = panel.view.measures;
  begin_region(look, "Filters of heads", box, Colour{0, 0, 0, 0}, {0, 0});
  constexpr const char *kAll = "Show all", *kOverview = "Also in Overview";
  float left = box.x + look.px(kMargin);
  const float words = text_width(look, Type::caption, kAll) + text_width(look, Type::caption, kOverview) + 4 * look.px(kUnit);
  const std::string text = elided(look, Type::caption, filters_text(panel, shown, heads), box.right() - look.px(kMargin) - words - left);
  draw_text(look, left, box.y + box.height / 2, Type::caption, look.colours.accent, text);
  left += text_width(look, Type::caption, text) + look.px(kInside);
  bool is_pressed = false;
  left = word(look, kAll, left, box, is_pressed);
  if (is_pressed) page.ranges.clear();
  word(look, kOverview, left, box, is_pressed);
  if (is_pressed) {
    arrange_overview(panel, {.sort = page.sorts.empty() ? std::nullopt : std::optional(page.sorts.front()),
                             .ranges = page.ranges,
                             .tint = page.sorts.empty() ? std::string() : page.sorts.front().column});
    panel.view.view = View::overview;
  }
  end_region();
}

/// Beside each other, or in a narrow view one over the other.
void draw_table_and_plot(Panel& panel, const ShownColumns& shown, const std::vector<HeadId>& rows, const Box& box, bool is_plotted,
                         bool is_low) {
  const Look& look = panel.look;
  const float margin = look.px(kMargin);
  if (!is_plotted) return draw_head_table(panel, shown, rows, box, is_low);
  const float beside = box.width - look.px(kScatter) - 2 * margin;
  if (beside >= look.px(kLeastBeside)) {
    draw_head_table(panel, shown, rows, {box.x, box.y, beside, box.height}, is_low);
    const float height = std::min(box.height - look.px(kUnit), look.px(kScatter) + look.px(40));
    const float left = box.x + beside + margin, rest = box.height - height - look.px(kBetween) - look.px(kUnit);
    draw_scatter_plot(panel, shown, rows, {left, box.y, look.px(kScatter), height});
    if (rest >= look.px(kLeastSquaresHeight))
      draw_head_squares(panel, shown, {left, box.y + height + look.px(kBetween), look.px(kScatter), rest});
    return;
  }
  const float height = std::max(look.px(kLeastStacked / 2), std::round(box.height * 0.5F));
  draw_head_table(panel, shown, rows, {box.x, box.y, box.width, box.height - height - look.px(kUnit)}, is_low);
  draw_scatter_plot(panel, shown, rows, {box.x, box.bottom() - height, box.width - margin, height - look.px(kUnit)});
}

/// From top to bottom: title, questions, what is filtered, what is measured over many texts, table.
void draw_measures_view(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  panel.view.pointed.head.reset();
  const ShownColumns shown = with_chance(panel, shown_columns(panel));
  const std::vector<HeadId> rows = rows_of_table(panel, shown);
  const bool is_plotted = has_scatter(panel, box), is_low = box.height < look.px(kLowView);
  const float title = look.px(is_low ? kLowTitle : kTitle), margin = look.px(kMargin);
  draw_measures_title(panel, shown, {box.x, box.y, box.width, title}, is_plotted);
  float top = box.y + title;
  if (!is_low) {
    top += draw_question_chips(panel, {box.x + margin, top, box.width - 2 * margin, look.px(kControl)}) + look.px(kUnit);
  }
  if (!why_unanswered(panel).empty()) {
    begin_region(look, "Unanswered question", {box.x, top, box.width, look.px(kRow)}, Colour{0, 0, 0, 0}, {0, 0});
    draw_unanswered(panel, {box.x + margin, top, box.width - 2 * margin, look.px(kRow)});
    end_region();
    top += look.px(kRow);
  }
  if (has_line_of_filters(panel)) {
    draw_line_of_filters(panel, shown, rows.size(), {box.x, top, box.width, look.px(kFilters)});
    top += look.px(kFilters);
  }
  if (const float corpus = is_of_positions(panel) ? 0 : corpus_bar_height(panel, box); corpus > 0) {
    draw_corpus_bar(panel, {box.x + margin, top, box.width - 2 * margin, corpus});
    top += corpus;
  }
  draw_table_and_plot(panel, shown, rows, {box.x + margin, top, box.width - margin, box.bottom() - top}, is_plotted, is_low);
}

/// What the measures are measured on, where there is a choice.
float draw_measures_menu(Panel& panel, Row row) {
  const std::vector<ColumnSource>& sources = panel.context.session.columns().sources();
  if (sources.empty()) return row.right;
  std::vector<std::string> labels{"this text"};
  int chosen = 0;
  for (const ColumnSource& source : sources) {
    if (source.id == panel.view.measures.source) chosen = static_cast<int>(labels.size());
    labels.push_back(source.title);
  }
  row.help = "What the heads are measured on: the shown text, or many texts.";
  const float width = drop_down_width(panel.look, labels[static_cast<std::size_t>(chosen)]);
  if (drop_down(panel.look, row, "Measured on", labels, chosen))
    panel.view.measures.source = chosen == 0 ? std::string() : sources[static_cast<std::size_t>(chosen - 1)].id;
  return row.right - width;
}

/// An arranged Overview shows measures too.
void rest_measures_view(Panel& panel) {
  if (panel.view.view == View::overview && is_arranged(panel.view.overview.arrangement)) return;
  panel.context.session.text_columns().rest();
  panel.context.session.chance_columns().rest();
}

}  // namespace

ViewRow measures_row() {
  return {.view = View::measures,
          .title = "Measures",
          .words = "show go to which head table sort filter find scatter columns brush",
          .draw = draw_measures_view,
          .draw_menu = draw_measures_menu,
          .rest = rest_measures_view,
          .figure = &kMeasuresFigure,
          .uses_colours = false,
          .inspector = measures_parts(),
          .commands = measures_commands(),
          .save = save_measures,
          .restore = restore_measures};
}

}  // namespace headlight
