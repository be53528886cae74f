#include "app/gui/rails/inspector_sections.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/fields/interventions.h"
#include "app/document/wording.h"
#include "app/gui/finding/asking.h"
#include "app/gui/kit/formula.h"
#include "app/gui/kit/items.h"
#include "app/gui/numbers/number_of_z.h"
#include "app/gui/panel/cell_steps.h"
#include "app/gui/panel/explained_here.h"

namespace headlight {
namespace {

void draw_number_lines(const Look& look, std::span<const NumberLine> lines, float height) {
  for (const NumberLine& line : lines) number_row(look, line.label, line.number, line.help.c_str(), height);
}

/// One below the other, or dense in two columns.
void draw_numbers(const Shown& shown, const std::vector<NumberLine>& lines) {
  const Look& look = shown.panel.look;
  if (!shown.is_dense) return draw_number_lines(look, lines, kNumberRow);
  const std::size_t half = (lines.size() + 1) / 2;
  const float room = ImGui::GetContentRegionAvail().x, between = look.px(kBetween);
  const float width = std::floor((room - between) / 2), height = look.px(kLine) * static_cast<float>(half);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const auto column = [&](const char* name, float left, std::span<const NumberLine> part) {
    ImGui::SetCursorScreenPos({left, at.y});
    ImGui::BeginChild(name, {std::max(1.0F, width), height}, ImGuiChildFlags_NavFlattened,
                      ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollWithMouse);
    draw_number_lines(look, part, kLine);
    ImGui::EndChild();
  };
  column("numbers", at.x, std::span(lines).first(half));
  column("more numbers", at.x + width + between, std::span(lines).subspan(half));
  ImGui::SetCursorScreenPos({at.x, at.y + height});
  ImGui::Dummy({0, 0});
}

}  // namespace

void draw_cell_title(const Shown& shown, Cell cell) {
  const Look& look = shown.panel.look;
  const Row row = begin_row(look, "", nullptr, shown.row_height());
  const std::string query_number = std::to_string(cell.query);
  const std::string key_number = std::to_string(cell.key);
  const float between = look.px(2 * 6 + 2 * kUnit) + text_width(look, Type::body, "→") + text_width(look, Type::number, query_number) +
                        text_width(look, Type::number, key_number);
  // Half of the room for each, and to the second what the first leaves.
  const float room = row.right - row.left - between;
  const float key_width = std::min(text_width(look, Type::title, shown.key_name(cell.key)), room / 2);
  const std::string query = elided(look, Type::title, shown.query_name(cell.query), room - key_width);
  const std::string key = elided(look, Type::title, shown.key_name(cell.key), room - text_width(look, Type::title, query));
  float x = row.left;
  const auto put = [&](Type type, Colour colour, const std::string& text, float after) {
    draw_text(look, x, row.middle(), type, colour, text);
    x += text_width(look, type, text) + look.px(after);
  };
  put(Type::title, look.colours.query, query, 6);
  put(Type::number, look.colours.text_second, query_number, kUnit);
  put(Type::body, look.colours.text_second, "→", kUnit);
  put(Type::title, look.colours.key, key, 6);
  put(Type::number, look.colours.text_second, key_number, 0);
}

namespace {

std::string number_of(double value) {
  return weight_text(value, 4);
}
std::string number_of(float value) {
  return weight_text(static_cast<double>(value), 4);
}

/// The steps before the mask that this head's rule has.
void add_score_steps(const Shown& shown, const CellSteps& steps, std::vector<NumberLine>& lines) {
  const HeadRule& rule = shown.rule();
  const ScoreFunction& function = score_function(rule.score);
  const std::string what = fmt::format("{}. {}", formula_in_models(function.formula), function.source);
  lines.push_back({fmt::format("score, {}", function.name), number_of(steps.score), what});
  if (steps.scaled)
    lines.push_back({scale_label(shown.run, shown.head), number_of(*steps.scaled), "The score after scaling and temperature."});
  if (steps.capped) {
    lines.push_back(
        {fmt::format("soft-cap {:g}", rule.softcap), number_of(*steps.capped), "c · tanh(score / c): the score stays within ±c."});
  }
  if (steps.bias) {
    lines.push_back({"position bias", fmt::format("{}{}", *steps.bias > 0 ? "+" : "", number_of(*steps.bias)),
                     "What the distance between query and key adds to the score."});
    lines.push_back({"final score", number_of(steps.final_score), "What goes into the softmax."});
  }
}

void add_softmax_steps(const Shown& shown, const CellSteps& steps, Index query, std::vector<NumberLine>& lines) {
  const RowSums sums = sums_of_row(*shown.maps, shown.rule(), query);
  lines.push_back({shown.is_dense ? "exp" : "exp(s − max)", number_of(std::exp(static_cast<double>(steps.final_score - sums.largest))),
                   "The largest score of the row is subtracted first: the weights stay the same and nothing overflows."});
  const bool has_sink = shown.rule().sink.has_value();
  lines.push_back(
      {has_sink ? "Σ of row, with sink" : "Σ of row", number_of(sums.sum), "The weight is the exponential divided by this sum."});
  if (!has_sink) return;
  lines.push_back({fmt::format("sink {}", number_text(static_cast<double>(*shown.rule().sink), 1)), number_of(sums.sink_share),
                   "The share of the row that goes to the sink: to no key."});
  lines.push_back({"weights of row", number_of(sums.weights_total), "Share left for real tokens: 1 minus the sink's."});
}

NumberLine mask_line(bool is_allowed) {
  return {"mask", is_allowed ? "✓ may attend" : "✗ masked", "Whether this query may attend to this key."};
}

/// From the score to the weight; of maps from a file only the latter.
std::vector<NumberLine> lines_of(const Shown& shown, Cell cell) {
  if (shown.run.is_dump()) {
    return {{"weight", number_of(shown.maps->weights(cell.query, cell.key)),
             "The share of the query's attention that this key gets, as the file gives it."},
            mask_line(shown.maps->mask->allows(cell.query, cell.key))};
  }
  std::vector<NumberLine> lines;
  const CellSteps steps = steps_of(*shown.maps, shown.rule(), cell);
  add_score_steps(shown, steps, lines);
  lines.push_back(mask_line(steps.is_allowed));
  if (steps.is_allowed) {
    add_softmax_steps(shown, steps, cell.query, lines);
  } else {
    lines.push_back({"masked score", "−∞", "What takes the score's place in the softmax: exp(−∞) is 0."});
  }
  lines.push_back({"weight", number_of(steps.weight), "The share of the query's attention that this key gets."});
  return lines;
}

/// The column of the map in one number. Rows sum to 1; columns need not.
void draw_received(const Shown& shown, Index key) {
  const Received received = received_by(*shown.maps, key);
  const ImVec2 top = ImGui::GetCursorScreenPos();
  const float height = shown.row_height();
  name_area(fmt::format("Column sum of {}", key), {top.x, top.y, ImGui::GetContentRegionAvail().x, shown.panel.look.px(height)});
  number_row(
      shown.panel.look, "column sum", fmt::format("{} of at most {}", weight_text(received.sum), received.queries),
      fmt::format("What this key gets from all queries together: Σ over queries q of weight(q, {}). Each query has 1 to give, so it lies "
                  "between 0 (nobody looks here) and {} (every query that may, looks only here). Rows sum to 1, columns need not.",
                  key, received.queries)
          .c_str(),
      height);
}

}  // namespace

void draw_heading(const Shown& shown, std::string text) {
  const Look& look = shown.panel.look;
  const ImVec2 top = ImGui::GetCursorScreenPos();
  if (!shown.subject.empty()) text += " · " + shown.subject;
  text_line(look, Type::heading, look.colours.text_second, text);
  name_area(text, {top.x, top.y, ImGui::GetContentRegionAvail().x, look.px(kLine)});
  gap(look, 2);
}

namespace {

/// "it 8 · z 5"
void draw_number_title(const Shown& shown, VectorNumber at) {
  const Look& look = shown.panel.look;
  const Row row = begin_row(look, "", nullptr, shown.row_height());
  const std::string place = fmt::format("z {}", at.number), position = std::to_string(at.query);
  const float after = look.px(6 + kUnit) + text_width(look, Type::number, position) + text_width(look, Type::title, place);
  const std::string query = elided(look, Type::title, shown.query_name(at.query), row.right - row.left - after);
  float x = row.left;
  draw_text(look, x, row.middle(), Type::title, look.colours.query, query);
  x += text_width(look, Type::title, query) + look.px(6);
  draw_text(look, x, row.middle(), Type::number, look.colours.text_second, position);
  x += text_width(look, Type::number, position) + look.px(kUnit);
  draw_text(look, x, row.middle(), Type::title, look.colours.value, place);
}

/// In place of a cell's numbers, while Head shows z: what every key adds.
void draw_number(const Shown& shown) {
  constexpr std::size_t kLongSum = 8, kShortSum = 3;
  const Look& look = shown.panel.look;
  const std::optional<VectorNumber> at = number_in_focus(shown.panel, shown.focus, *shown.maps);
  if (!shown.is_dense || !at) draw_heading(shown, "Number of z");
  if (!at) {
    paragraph(look, Type::body, look.colours.text_second,
              "Point at a number to see which weights and values make it; click to keep its row.");
    return;
  }
  const ImVec2 top = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  draw_number_title(shown, *at);
  std::vector<NumberLine> lines;
  for (SumLine& line : lines_of_sum(*shown.maps, *at, shown.keys(), shown.is_dense ? kShortSum : kLongSum))
    lines.push_back({std::move(line.label), std::move(line.number), std::move(line.help)});
  draw_number_lines(look, lines, shown.row_height());  // products are too long for two columns
  name_area(fmt::format("Number {} of {}", at->number, at->query), {top.x, top.y, width, ImGui::GetCursorScreenPos().y - top.y});
}

}  // namespace

void draw_cell(const Shown& shown) {
  if (shows_z(shown.panel) && shown.maps && shown.maps->v.size() > 0) return draw_number(shown);
  const Look& look = shown.panel.look;
  if (!shown.is_dense || !shown.focus.cell) draw_heading(shown, "Cell");
  if (!shown.focus.cell) {
    paragraph(look, Type::body, look.colours.text_second, "Point at a cell to see its numbers; click to keep its row.");
    return;
  }
  const Cell cell = *shown.focus.cell;
  draw_cell_title(shown, cell);
  if (!shown.maps) {
    text_line(look, Type::body, look.colours.text_second, "Making the maps …");
    return;
  }
  draw_numbers(shown, lines_of(shown, cell));
  draw_other_moment(shown.panel, cell);
  draw_received(shown, cell.key);
  if (shown.run.is_dump()) paragraph(look, Type::caption, look.colours.text_second, "From a file: there are no scores to show.");
}

namespace {

/// Heads of the shown picture can be compared; those of a run beside it are, from there. The drawer has no room for it: the context menu has
/// the same.
void draw_likeness_button(const Shown& shown) {
  Panel& panel = shown.panel;
  if (shown.is_dense || &shown.run != panel.snapshot.get()) return;
  const Look& look = panel.look;
  const Row row = begin_row(look, "");
  const float width = button_width(look, "More like this");
  if (quiet_button(look, "More like this", {row.left, row.top + look.px(2)}, {width, look.px(kControl)})) {
    ask_alike(panel, shown.head);
    show_finding(panel);
  }
  hint(look, "Ranks all heads by how alike they are to this one: by where they look, and by what they write.");
}

}  // namespace

void draw_head_card(const Shown& shown) {
  const Look& look = shown.panel.look;
  const Snapshot& snapshot = shown.run;
  const HeadSummary& summary = snapshot.summary(shown.head);
  draw_heading(shown, snapshot.decoder_encoding ? head_title(snapshot, shown.head) : "Head " + short_name(snapshot, shown.head));
  if (const std::string edits = edits_in_words(snapshot.query, shown.head); !edits.empty()) {
    const ImVec2 top = ImGui::GetCursorScreenPos();
    paragraph(look, Type::body, look.colours.text, fmt::format("Edited: {}.", edits));
    name_area("Edits of the head", {top.x, top.y, ImGui::GetContentRegionAvail().x, ImGui::GetCursorScreenPos().y - top.y});
  }
  draw_measure_rows(look, summary, MeasurePlace::card, shown.row_height());
  draw_likeness_button(shown);
  if (summary.masked_rows > 0) {
    text_line(look, Type::caption, look.colours.text_second,
              fmt::format("{} {} fully masked", summary.masked_rows, summary.masked_rows == 1 ? "row is" : "rows are"));
  }
}

namespace {

/// The cell that is looked at; without one its row, all of whose weights are 0; without a row the head.
std::vector<Explanation> words_of(const Shown& shown) {
  if (!shown.maps) return {};
  const ComparedHead head = inspected_head(shown.panel);
  if (shown.focus.cell) return explain_cell_here(shown.panel, head, *shown.maps, *shown.focus.cell);
  if (shown.focus.query) return {explain_row(explained_head(shown.panel, head, *shown.maps), *shown.focus.query)};
  return explain_head_here(shown.panel, head, shown.maps);
}

/// The title, with what copies the words at its right.
void draw_words_heading(const Shown& shown, std::span<const Explanation> words) {
  Panel& panel = shown.panel;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Box line{at.x, at.y, ImGui::GetContentRegionAvail().x, panel.look.px(kLine)};
  draw_heading(shown, "In words");
  if (words.empty()) return;
  if (word_button(panel.look, "Copy words", "copy", line.right(), line).is_clicked) copy_explanation(panel, words);
  hint(panel.look, "Copies these sentences.");
}

std::string name_of_words(const Shown& shown) {
  if (shown.focus.cell) return fmt::format("Cell {},{} in words", shown.focus.cell->query, shown.focus.cell->key);
  return shown.focus.query ? fmt::format("Row {} in words", *shown.focus.query) : "Head in words";
}

}  // namespace

void draw_words(const Shown& shown) {
  const Look& look = shown.panel.look;
  const std::vector<Explanation> words = words_of(shown);
  draw_words_heading(shown, words);
  const Colour plain = look.colours.text_second;
  if (words.empty()) {
    paragraph(look, Type::body, plain, "Pin a token in the strip below, and this says where its attention goes.");
    return;
  }
  const ImVec2 top = ImGui::GetCursorScreenPos();
  for (const Explanation& each : words) {
    if (&each != &words.front()) gap(look, kInside);
    paragraph(look, spans_of(look.colours, each, plain));
  }
  name_area(name_of_words(shown), {top.x, top.y, ImGui::GetContentRegionAvail().x, ImGui::GetCursorScreenPos().y - top.y});
}

void draw_words_in_line(const Shown& shown, float left, float right, float middle) {
  const Look& look = shown.panel.look;
  if (!shown.focus.cell || !shown.has_weights()) {
    draw_text(look, left, middle, Type::body, look.colours.text_second,
              elided(look, Type::body, "Point at a cell, or pin a token below, to see numbers here.", right - left));
    return;
  }
  const Cell cell = *shown.focus.cell;
  const auto put = [&](Type type, Colour colour, const std::string& text, float after) {
    const std::string fitting = elided(look, type, text, std::max(0.0F, right - left));
    draw_text(look, left, middle, type, colour, fitting);
    left += text_width(look, type, fitting) + look.px(after);
  };
  put(Type::strong, look.colours.query, shown.query_name(cell.query), 6);
  put(Type::number, look.colours.text_second, std::to_string(cell.query), kUnit);
  put(Type::body, look.colours.text_second, "→", kUnit);
  put(Type::strong, look.colours.key, shown.key_name(cell.key), 6);
  put(Type::number, look.colours.text_second, std::to_string(cell.key), kBetween);
  for (const NumberLine& line : shown.joined ? joined_lines(shown, cell) : lines_of(shown, cell)) {
    const float room = text_width(look, Type::body, line.label) + text_width(look, Type::number, line.number) + look.px(6 + kBetween);
    if (left + room > right) break;
    put(Type::body, look.colours.text_second, line.label, 6);
    put(Type::number, look.colours.text, line.number, kBetween);
  }
}

}  // namespace headlight
