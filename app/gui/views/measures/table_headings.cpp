// The headings of the table: title, a small histogram that filters by dragging, and what the filter is.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/gui/columns/brush.h"
#include "app/gui/finding/question_chips.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/focus.h"
#include "app/gui/views/measures/head_table.h"

namespace headlight {
namespace {

constexpr float kOverTitles = 2, kTitleLine = 16, kSortMark = 12, kHistogram = 28, kEnds = 18, kPadding = 4;
constexpr float kLowTable = 220;  // points: in a lower one the rows need the room of the histograms
constexpr int kLeastLines = 2, kMostLines = 4, kMostLinesOfLow = 3;

float titles_height(int lines) {
  return kOverTitles + kTitleLine * static_cast<float>(lines);
}
constexpr float kDraggedBar = 3;  // pixels that make a press a drag

/// Where a line may end: before a blank, which goes, or after a sign that joins words, as in the names of imported columns.
bool may_end_before(std::string_view text, std::size_t at) {
  constexpr std::string_view kJoins = "-_.:/";
  return text[at] == ' ' || (text[at - 1] != ' ' && kJoins.find(text[at - 1]) != std::string_view::npos);
}

/// In as few lines as its words need; the last of `most` is cut in its middle if it has to be: names often differ at their ends.
std::vector<std::string> wrapped(const Look& look, Type type, std::string_view text, float width, int most) {
  std::vector<std::string> lines;
  while (std::ssize(lines) + 1 < most && text_width(look, type, text) > width) {
    std::size_t cut = 0;
    for (std::size_t at = 1; at < text.size(); ++at) {
      if (may_end_before(text, at) && text_width(look, type, text.substr(0, at)) <= width) cut = at;
    }
    if (cut == 0) break;
    lines.emplace_back(text.substr(0, cut));
    text.remove_prefix(text[cut] == ' ' ? cut + 1 : cut);
  }
  lines.push_back(elided_middle(look, type, text, width));
  return lines;
}

/// What a measure is asked with is a line of its own, so that columns of one measure can be told apart.
std::vector<std::string> title_lines(const Look& look, Type type, const HeadColumn& column, float width, int most) {
  const std::string& title = column.title;
  const bool has_parameter = column.request && !parameter_text(*column.request).empty();
  const std::size_t cut = has_parameter ? title.find(" (") : std::string::npos;
  if (cut == std::string::npos) return wrapped(look, type, title, width, most);
  std::vector<std::string> lines = wrapped(look, type, std::string_view(title).substr(0, cut), width, most - 1);
  lines.push_back(elided(look, type, title.substr(cut + 1), width));
  return lines;
}

bool is_cut(const std::vector<std::string>& lines) {
  return std::any_of(lines.begin(), lines.end(), [](const std::string& line) { return line.find("…") != std::string::npos; });
}

std::string help_of(const HeadColumn& column) {
  std::string help = column.title + (column.meaning.empty() ? "" : ": " + column.meaning);
  help += column.is_change ? "\nClick sorts by size, whatever the sign," : "\nClick sorts,";
  help += " shift-click adds a second order, right-click opens the menu of the column. Measured on " + column.measured_on + ".";
  return help;
}

void draw_title(const HeadTable& table, const HeadColumn& column, const Box& box) {
  Panel& panel = table.panel;
  const Look& look = panel.look;
  MeasuresPage& page = panel.view.measures;
  const Press press = press_area(("column " + column.id).c_str(), {box.x, box.y}, {box.width, box.height});
  hint(look, help_of(column).c_str());
  const auto sort = std::find_if(page.sorts.begin(), page.sorts.end(), [&](const ColumnSort& each) { return each.column == column.id; });
  const bool is_sorted = sort != page.sorts.end();
  const float inset = look.px(kUnit), mark = is_sorted ? look.px(kSortMark) : 0;
  const float room = box.width - 2 * inset - mark;
  Type type = is_sorted ? Type::strong : Type::caption;
  std::vector<std::string> lines = title_lines(look, type, column, room, table.title_lines);
  if (is_sorted && is_cut(lines))
    lines = title_lines(look, type = Type::caption, column, room, table.title_lines);  // smaller letters say more of it
  const Colour colour = is_sorted || press.is_hovered ? look.colours.text : look.colours.text_second;
  float middle = box.bottom() - look.px(kTitleLine) * (static_cast<float>(lines.size()) - 0.5F);
  for (const std::string& line : lines) {
    draw_text(look, box.right() - inset - mark, middle, type, colour, line, AlignX::right);
    middle += look.px(kTitleLine);
  }
  if (is_sorted) {
    const bool is_first = sort == page.sorts.begin();
    draw_triangle(look, {box.right() - inset - look.px(4), box.bottom() - look.px(kTitleLine / 2)},
                  is_first ? look.colours.accent : look.colours.text_second, sort->is_rising);
  }
  if (press.is_clicked) {
    sort_by_click(page, column.id, ImGui::GetIO().KeyShift);
    page.explained = column.id;
  }
  const std::string menu = "menu of column " + column.id;
  if (press.is_hovered && is_right_click()) ImGui::OpenPopup(menu.c_str());
  draw_heading_menu(panel, column, menu.c_str());
}

/// Bars over the heads, those of the brushed ones in the accent; where chance lies as a line.
void draw_bars(const HeadTable& table, const HeadColumn& column, const ColumnSpread& spread, const Box& box) {
  const Look& look = table.panel.look;
  const int most = *std::max_element(spread.bins.begin(), spread.bins.end());
  if (most == 0) return;
  std::vector<int> brushed(spread.bins.size(), 0);
  for (const HeadId head : table.panel.view.brushed) {
    const double value = column.values.of(head);
    if (!std::isnan(value)) ++brushed[static_cast<std::size_t>(spread.bin_of(value))];
  }
  const ColumnRange* range = range_of(table.panel.view.measures.ranges, column.id);
  const float width = box.width / static_cast<float>(ColumnSpread::kBins);
  for (int bin = 0; bin < ColumnSpread::kBins; ++bin) {
    const auto place = static_cast<std::size_t>(bin);
    if (spread.bins[place] == 0) continue;
    const float left = box.x + width * static_cast<float>(bin),
                height = std::max(2.0F, box.height * static_cast<float>(spread.bins[place]) / static_cast<float>(most));
    const double middle = spread.low + (spread.high - spread.low) * (bin + 0.5) / ColumnSpread::kBins;
    const bool is_in = range == nullptr || range->contains(middle);
    fill(look, {left, box.bottom() - height}, {left + width - 1, box.bottom()}, is_in ? look.colours.text_third : look.colours.line, 0);
    if (brushed[place] == 0) continue;
    const float part = std::max(2.0F, box.height * static_cast<float>(brushed[place]) / static_cast<float>(most));
    fill(look, {left, box.bottom() - part}, {left + width - 1, box.bottom()}, look.colours.accent, 0);
  }
}

/// What chance gives, as lines over the bars: amber random weights, teal shuffled tokens. Far values lie at the edge, with an arrow.
void draw_baselines(const Look& look, const HeadColumn& column, const ColumnSpread& spread, const Box& box) {
  for (std::size_t i = 0; i < column.baselines.size(); ++i) {
    const double mean = column.baselines[i].mean;
    if (std::isnan(mean)) continue;
    const float x = std::round(box.x + box.width * static_cast<float>(spread.place(mean)));
    const Colour colour = column.baselines[i].is_of_shuffled ? look.colours.key : look.colours.query;
    canvas().AddLine({x, box.y}, {x, box.bottom()}, to_imgui(colour), std::max(1.0F, look.scale));
    // An arrow where it lies beyond the axis.
    const float tip = look.px(4), middle = box.y + tip;
    if (mean > spread.high) canvas().AddTriangleFilled({x - tip, middle - tip}, {x, middle}, {x - tip, middle + tip}, to_imgui(colour));
    if (mean < spread.low) canvas().AddTriangleFilled({x + tip, middle - tip}, {x, middle}, {x + tip, middle + tip}, to_imgui(colour));
  }
}

double value_at(const ColumnSpread& spread, const Box& box, float x) {
  return spread.low + (spread.high - spread.low) * static_cast<double>(std::clamp((x - box.x) / box.width, 0.0F, 1.0F));
}

/// Three digits are as fine as a pointer is.
double rounded(double value, double span) {
  const double step = std::pow(10.0, std::floor(std::log10(span)) - 2);
  return std::round(value / step) * step;
}

/// Dragging sets the filter, a click takes it away.
void answer_drag(Panel& panel, const HeadColumn& column, const ColumnSpread& spread, const Press& press, const Box& box) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!press.is_held && !press.is_clicked) return;
  const float from = io.MouseClickedPos[ImGuiMouseButton_Left].x, to = io.MousePos.x;
  if (std::abs(to - from) < kDraggedBar) {
    if (press.is_clicked) set_range(panel.view.measures, {.column = column.id});
    return;
  }
  ColumnRange range{.column = column.id};
  const double span = spread.high - spread.low;
  const float left = std::min(from, to), right = std::max(from, to);
  if (left > box.x + 1) range.low = rounded(value_at(spread, box, left), span);
  if (right < box.right() - 1) range.high = rounded(value_at(spread, box, right), span);
  set_range(panel.view.measures, range);
}

/// The part of the axis that the filter lets through.
void draw_range(const Look& look, const ColumnRange& range, const ColumnSpread& spread, const Box& box) {
  const auto x_of = [&](double value) { return box.x + box.width * static_cast<float>(spread.place(value)); };
  const float left = std::isinf(range.low) ? box.x : x_of(range.low), right = std::isinf(range.high) ? box.right() : x_of(range.high);
  canvas().AddRectFilled({left, box.bottom()}, {std::max(right, left + 2), box.bottom() + look.px(2)}, to_imgui(look.colours.accent));
}

void draw_histogram(const HeadTable& table, const HeadColumn& column, const ColumnSpread& spread, const Box& box) {
  Panel& panel = table.panel;
  const Look& look = panel.look;
  const Press press = press_area(("histogram " + column.id).c_str(), {box.x, box.y}, {box.width, box.height + look.px(2)});
  std::string help = "How the heads are spread over this column. Drag to show only the heads of a range; a click shows all again.";
  for (const ColumnBaseline& each : column.baselines) help += fmt::format("\n{}: {}", each.name, column_number(column, each.mean));
  hint(look, help.c_str());
  answer_drag(panel, column, spread, press, box);
  canvas().AddLine({box.x, box.bottom()}, {box.right(), box.bottom()}, to_imgui(look.colours.line));
  draw_bars(table, column, spread, box);
  draw_baselines(look, column, spread, box);
  if (const ColumnRange* range = range_of(panel.view.measures.ranges, column.id)) draw_range(look, *range, spread, box);
}

/// The filter where there is one, else where the axis begins and ends.
void draw_ends(const HeadTable& table, const HeadColumn& column, const ColumnSpread& spread, const Box& box) {
  const Look& look = table.panel.look;
  const float middle = box.y + box.height / 2;
  if (const ColumnRange* range = range_of(table.panel.view.measures.ranges, column.id)) {
    draw_text(look, box.right(), middle, Type::number, look.colours.accent, elided(look, Type::number, range_text(*range), box.width),
              AlignX::right);
    return;
  }
  if (std::isnan(spread.largest)) return;
  const auto fit = [&](int digits) {  // both ends, with as many digits as there is room for
    const std::string low = fmt::format("{:.{}g}", spread.low, digits), high = fmt::format("{:.{}g}", spread.high, digits);
    const bool is_narrow = text_width(look, Type::number, low) + text_width(look, Type::number, high) + look.px(kUnit) > box.width;
    if (is_narrow && digits > 1) return false;
    draw_text(look, box.x, middle, Type::number, look.colours.text_second, low);
    if (!is_narrow) draw_text(look, box.right(), middle, Type::number, look.colours.text_second, high, AlignX::right);
    return true;
  };
  for (int digits = 3; !fit(digits);) --digits;
}

/// "Which head? ▾", in two lines: the heading of the heads asks, and drops down what can be asked.
void draw_dropped_questions(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  constexpr const char *kQuestion = "Which head does this?", *kDroppedDown = "dropped questions";
  constexpr float kDropped = 420;  // points
  const Press press = press_area(kQuestion, {box.x, box.y}, {box.width, box.height});
  hint(look, "Which head does this? Ranks all heads by a pattern, a relation or cells that you name.");
  if (press.is_clicked) ImGui::OpenPopup(kDroppedDown);
  const Colour colour = press.is_hovered ? look.colours.text : look.colours.text_second;
  const float left = box.x + look.px(26), last = box.bottom() - look.px(kTitleLine / 2);
  draw_text(look, left, last - look.px(kTitleLine), Type::caption, colour, "Which");
  draw_text(look, left, last, Type::caption, colour, "head?");
  draw_triangle(look, {left + text_width(look, Type::caption, "head?") + look.px(8), last}, colour);
  ImGui::SetNextWindowPos({box.x, box.bottom()}, ImGuiCond_Appearing);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(12), look.px(12)));
  if (begin_popup(kDroppedDown)) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Box room{at.x, at.y, std::min(look.px(kDropped), ImGui::GetIO().DisplaySize.x - look.px(48)), look.px(kControl)};
    const float tall = questions_height(panel, room);
    if (draw_questions_here(panel, room)) ImGui::CloseCurrentPopup();
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({room.width, tall});
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace

int lines_of_titles(const Look& look, const HeadColumns& columns, float width, float table_height) {
  const int most = table_height < look.px(kLowTable) ? kMostLinesOfLow : kMostLines;
  const float room = width - look.px(2 * kUnit + kSortMark);
  int lines = kLeastLines;
  for (const auto& column : columns)
    lines = std::max(lines, static_cast<int>(std::ssize(title_lines(look, Type::caption, *column, room, most))));
  return lines;
}

float heading_height(const Look& look, int title_lines, float table_height) {
  const float titles = titles_height(title_lines);
  return table_height < look.px(kLowTable) ? titles + kPadding : titles + kHistogram + kEnds + 2 * kPadding;
}

void draw_headings(const HeadTable& table, const Box& box) {
  const Look& look = table.panel.look;
  const float titles = look.px(titles_height(table.title_lines)), inset = look.px(kUnit);
  const bool has_histograms = box.height > titles + look.px(2 * kPadding);
  if (table.drops_questions) {
    draw_dropped_questions(table.panel, {box.x, box.y, table.plan.head_width, titles});
  } else {
    draw_text(look, box.x + look.px(26), box.y + titles - look.px(kTitleLine / 2), Type::caption, look.colours.text_second, "Head");
  }
  for (int number = table.plan.first; number < table.plan.first + table.plan.shown; ++number) {
    const HeadColumn& column = table.column(number);
    const float left = box.x + table.plan.left_of(number);
    draw_title(table, column, {left, box.y, table.plan.column_width, titles});
    if (!has_histograms) continue;
    const Box bars{left + inset, box.y + titles + look.px(kPadding), table.plan.column_width - 2 * inset, look.px(kHistogram)};
    draw_histogram(table, column, table.spread(number), bars);
    draw_ends(table, column, table.spread(number), {bars.x, bars.bottom() + look.px(2), bars.width, look.px(kEnds)});
  }
}

void sort_by_click(MeasuresPage& page, const std::string& column, bool is_second) {
  const auto found = std::find_if(page.sorts.begin(), page.sorts.end(), [&](const ColumnSort& sort) { return sort.column == column; });
  ColumnSort next{column, false};
  bool is_over = false;
  if (found != page.sorts.end()) {
    next.is_rising = true;
    is_over = found->is_rising;
    if (is_second && !is_over) {
      *found = next;  // it keeps its rank
      return;
    }
    page.sorts.erase(found);
  }
  if (!is_second) page.sorts.clear();
  if (!is_over) page.sorts.push_back(next);
}

void set_range(MeasuresPage& page, const ColumnRange& range) {
  std::erase_if(page.ranges, [&](const ColumnRange& each) { return each.column == range.column; });
  if (!range_text(range).empty()) page.ranges.push_back(range);
}

}  // namespace headlight
