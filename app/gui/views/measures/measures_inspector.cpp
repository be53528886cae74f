// The inspector beside Measures: what a column means, what the chosen head has of it, and which heads are brushed.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/document/amounts.h"
#include "app/document/wording.h"
#include "app/gui/columns/brush.h"
#include "app/gui/columns/shown_columns.h"
#include "app/gui/corpus/corpus_card.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/views/measures/chance.h"
#include "app/gui/views/measures/measures_view.h"
#include "engine/core/error.h"
#include "engine/core/numbers.h"
#include "engine/measures/worked_example.h"

namespace headlight {
namespace {

/// As long as its ends are finite; else in words.
std::string range_of_measure(const HeadColumn& column) {
  const bool has_low = std::isfinite(column.low), has_high = std::isfinite(column.high);
  const std::string limit = column.limit.empty() ? "no limit" : column.limit;
  if (!has_low && !has_high) return column.limit;
  return fmt::format("{} … {}", has_low ? fmt::format("{:.4g}", column.low) : limit, has_high ? fmt::format("{:.4g}", column.high) : limit);
}

/// The formula of one row on a ground of its own, broken at blanks.
void draw_formula_box(const Look& look, const std::string& formula) {
  if (formula.empty()) return;
  const float inset = look.px(kUnit), width = ImGui::GetContentRegionAvail().x;
  const float height = paragraph_height(look, Type::number, formula, width - 2 * inset) + 2 * inset;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  fill(look, at, {at.x + width, at.y + height}, look.colours.ground, 4);
  outline(look, at, {at.x + width, at.y + height}, look.colours.line, 4);
  ImGui::SetCursorScreenPos({at.x + inset, at.y + inset});
  paragraph(look, Type::number, look.colours.text, formula, width - 2 * inset);
  ImGui::SetCursorScreenPos({at.x, at.y + height});
  ImGui::Dummy({1, 0});
  gap(look, kUnit);
}

/// Its parameter, and the keys that are taken out.
void draw_asked_with(const Look& look, const MeasureRequest& request, float row) {
  constexpr const char* kHelp = "Right-click the heading to change it.";
  const float room = look.px(150);
  if (const MeasureParameter* parameter = parameter_of(*request.measure))
    number_row(look, parameter->name, elided(look, Type::number, parameter_text(request), room), kHelp, row);
  if (request.without) number_row(look, "keys left out", elided(look, Type::number, key_set_text(*request.without), room), kHelp, row);
}

/// On repeated random tokens: its n counts draws.
bool is_drawn(const HeadColumn& column) {
  return column.request && is_of_drawn_tokens(column.request->measure->need) && column.texts > 0;
}

/// On a line of its own where it is too long to stand beside its name.
void draw_range(const Look& look, const HeadColumn& column, float row) {
  const std::string range = range_of_measure(column);
  if (range.empty()) return;
  constexpr const char *kName = "range", *kHelp = "The least and the most that a head can have.";
  const float room = ImGui::GetContentRegionAvail().x - text_width(look, Type::body, kName) - look.px(kBetween);
  const bool fits = text_width(look, Type::number, range) <= room;
  number_row(look, kName, fits ? range : std::string(), kHelp, row);
  if (!fits) paragraph(look, Type::number, look.colours.text, range);
}

void draw_numbers(const Look& look, const HeadColumn& column, const std::vector<HeadId>& heads, float row) {
  if (column.request) draw_asked_with(look, *column.request, row);
  draw_range(look, column, row);
  if (!column.unit.empty()) number_row(look, "unit", column.unit, nullptr, row);
  const ColumnSpread spread = spread_of(column, heads);
  number_row(look, "mean of heads", column_number(column, spread.mean), nullptr, row);
  if (spread.undefined > 0) number_row(look, "heads without a value", fmt::format("{}", spread.undefined), nullptr, row);
  if (is_drawn(column)) {
    number_row(look, "draws (n)", grouped(column.texts), "How often random tokens were drawn; the number is the mean.", row);
  } else if (column.texts > 0) {
    number_row(look, "texts (n)", grouped(column.texts), "On how many texts it was measured.", row);
  }
  for (const ColumnBaseline& each : column.baselines) {
    const std::string over = each.draws > 0 ? "heads and " + counted(each.draws, "draw") : "heads";
    number_row(look, "mean, " + each.name, column_number(column, each.mean),
               fmt::format("What the heads have of it where there is nothing to find: mean over {}.", over).c_str(), row);
  }
}

std::string worked_example_text(const Measure& measure) {
  return fmt::format("Worked example ({}): {}. {}", worked_on(measure), weight_text(measure.example, 6), worked_map_text());
}

void draw_sources(const Panel& panel, const HeadColumn& column) {
  const Look& look = panel.look;
  const auto say = [&](const std::string& text) {
    if (!text.empty()) paragraph(look, Type::caption, look.colours.text_second, text);
  };
  if (column.request && !std::isnan(column.request->measure->example)) say(worked_example_text(*column.request->measure));
  if (!column.undefined.empty())
    say("Undefined (–) where " + column.undefined + (panel.is_dump() ? ", or where a file's rows do not share out 1." : "."));
  say("Measured on " + column.measured_on + ".");
  if (!column.source.empty()) say("Source: " + column.source + ".");
}

void draw_definition(Panel& panel, bool is_dense) {
  const Look& look = panel.look;
  const ShownColumns shown = with_chance(panel, shown_columns(panel));
  const HeadColumn* found = explained_column(panel.view.measures, shown);
  text_line(look, Type::heading, look.colours.text_second, "Measure");
  gap(look, kInside);
  if (found == nullptr) return paragraph(look, Type::body, look.colours.text_second, "Measuring …");
  const HeadColumn& column = *found;
  paragraph(look, Type::strong, look.colours.text, column.title);
  paragraph(look, Type::body, look.colours.text, column.meaning);
  gap(look, kUnit);
  draw_formula_box(look, column.formula);
  draw_numbers(look, column, panel.snapshot->all_heads(), is_dense ? kLine : kNumberRow);
  draw_chance_offer(panel, column);
  gap(look, kInside);
  draw_sources(panel, column);
}

/// The place of a head among those with a value, from 1.
std::string rank_text(const HeadColumn& column, HeadId head, const std::vector<HeadId>& heads) {
  const double value = column.rank_value(head);
  if (std::isnan(value)) return "–";
  const auto above = std::count_if(heads.begin(), heads.end(), [&](HeadId each) { return column.rank_value(each) > value; });
  const auto all = std::count_if(heads.begin(), heads.end(), [&](HeadId each) { return !std::isnan(column.values.of(each)); });
  return fmt::format("{} of {}", above + 1, all);
}

/// What the labels of a head are measured on: "400 texts of stories.txt".
std::string labels_heading(const HeadLabel& label) {
  const std::string texts = label.is_drawn ? draws_text(label.texts) : counted(label.texts, "text");
  return "Labels on " + texts + (label.of.empty() || label.is_drawn ? "" : " of " + printable(label.of, 60));
}

/// What the head is called for its values, each with score, n and threshold, under a heading for all that are measured on the same.
void draw_labels(const Look& look, const ShownColumns& shown, HeadId head) {
  std::string heading;
  for (const auto& column : shown.columns) {
    const auto label = label_of(*column, head);
    if (!label) continue;
    if (const std::string own = labels_heading(*label); own != heading) {
      gap(look, kInside);
      heading = own;
      text_line(look, Type::strong, look.colours.text, elided_middle(look, Type::strong, heading, ImGui::GetContentRegionAvail().x));
    }
    paragraph(look, Type::caption, look.colours.text_second, label->text());
  }
}

/// How much of the rows the keys had that a column leaves out, where the table knows it.
void draw_hidden_mass(const Look& look, const ShownColumns& shown, const HeadColumn& column, HeadId head, float row) {
  if (!column.request || !column.request->without) return;
  const std::string id = hidden_mass_id(*column.request->without);
  const auto found = std::find_if(shown.columns.begin(), shown.columns.end(), [&](const auto& each) { return each->id == id; });
  if (found == shown.columns.end()) return;
  number_row(look, "weight left out", column_number(**found, (*found)->values.of(head)),
             "Weight on the keys that were left out. The number above covers the remaining keys.", row);
}

void draw_chosen_head(Panel& panel, bool is_dense) {
  const Look& look = panel.look;
  const ShownColumns shown = with_chance(panel, shown_columns(panel));
  const HeadColumn* found = explained_column(panel.view.measures, shown);
  const HeadId head = panel.view.pointed.head.value_or(panel.view.head);
  const float row = is_dense ? kLine : kNumberRow;
  text_line(look, Type::heading, look.colours.text_second, "Head " + short_name(*panel.snapshot, head));
  gap(look, kInside);
  if (found == nullptr) return;
  const HeadColumn& column = *found;
  number_row(look, elided(look, Type::body, column.title, look.px(170)), column_number(column, column.values.of(head)), nullptr, row);
  if (const double error = column.errors.of(head); !std::isnan(error))
    number_row(look, "standard error", standard_error_text(error), nullptr, row);
  number_row(look, "rank", rank_text(column, head, panel.snapshot->all_heads()),
             column.is_change ? "Its place among the heads with a value, the largest change first, whatever its sign."
                              : "Its place among the heads with a value, the largest first.",
             row);
  draw_hidden_mass(look, shown, column, head, row);
  if (const double rows = column.rows.of(head); !std::isnan(rows))
    number_row(look, "queries counted", fmt::format("{:.0f}", rows), "Rows of its map in which the measure has a value.", row);
  for (const ColumnBaseline& each : column.baselines) draw_chance_of_head(look, column, each, head, row);
  if (const std::string why = why_no_chance(panel, column); !why.empty()) paragraph(look, Type::caption, look.colours.text_second, why);
  draw_corpus_details(panel, head);
  draw_labels(look, shown, head);
}

/// A button on the line, or on the next where it does not fit.
bool button_in_line(const Look& look, const char* label, float& left, float right, float first) {
  const float width = button_width(look, label), height = look.px(kControl);
  ImVec2 at = ImGui::GetCursorScreenPos();
  if (left + width > right && left > first) {
    gap(look, kControl + kUnit);
    at = ImGui::GetCursorScreenPos();
    left = first;
  }
  const bool is_pressed = quiet_button(look, label, {left, at.y}, {width, height});
  left += width + look.px(kUnit);
  return is_pressed;
}

void draw_brushed(Panel& panel, bool /*is_dense*/) {
  const Look& look = panel.look;
  const std::vector<HeadId> heads = brushed_here(panel);
  text_line(look, Type::heading, look.colours.text_second, heads.empty() ? "Brushed" : fmt::format("Brushed {}", heads.size()));
  gap(look, kInside);
  if (heads.empty()) {
    return paragraph(
        look, Type::body, look.colours.text_second,
        "Drag in the scatter plot, or click rows (ctrl adds, shift takes a range): the heads are marked in every view until Esc.");
  }
  constexpr std::size_t kMostNamed = 24;
  const float first = ImGui::GetCursorScreenPos().x, right = first + ImGui::GetContentRegionAvail().x;
  float left = first;
  for (std::size_t i = 0; i < std::min(heads.size(), kMostNamed); ++i) {
    if (!button_in_line(look, short_name(*panel.snapshot, heads[i]).c_str(), left, right, first)) continue;
    panel.view.head = heads[i];
    panel.view.view = View::head;
  }
  gap(look, kControl + kUnit);
  if (heads.size() > kMostNamed)
    text_line(look, Type::caption, look.colours.text_second, fmt::format("and {} more", heads.size() - kMostNamed));
  left = first;
  if (button_in_line(look, "Compare", left, right, first)) {
    pin_brushed(panel);
    panel.view.view = View::compare;
  }
  if (button_in_line(look, "Links of them", left, right, first)) {
    panel.view.links.chosen = heads;
    panel.view.links.which = LinksPage::Heads::chosen;
    panel.view.view = View::links;
  }
  if (button_in_line(look, "Clear", left, right, first)) panel.view.brushed.clear();
  gap(look, kControl + kUnit);
}

constexpr std::array kParts{InspectorPart{draw_definition, 0.42F}, InspectorPart{draw_chosen_head, 0.3F},
                            InspectorPart{draw_brushed, 0.28F}};

}  // namespace

std::span<const InspectorPart> measures_parts() {
  return kParts;
}

}  // namespace headlight
