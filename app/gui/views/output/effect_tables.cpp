// Beside the grid of effects: heads by size, or all ways to change them side by side.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "app/document/wording.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/focus.h"
#include "app/gui/views/output/output_pages.h"
#include "app/gui/views/output/shown_effects.h"
#include "app/gui/watching/target_here.h"
#include "engine/core/numbers.h"
#include "engine/forward/layer_edits.h"

namespace headlight {
namespace {

constexpr std::size_t kListed = 40;
constexpr float kNameColumn = 72, kNumberColumn = 60;

std::string change_text(const EffectColumn& column, double value) {
  return column.row->is_gradient() ? target_number(value) : target_change(value);
}

/// One head of a list, which can be pressed.
Row begin_head_row(Panel& panel, const ShownEffects& effects, std::size_t place, const std::string& kind) {
  const Look& look = panel.look;
  const HeadId head = effects.heads[place];
  const std::string name = short_name(*panel.snapshot, head);
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  const Box box{row.left, row.top, row.right - row.left, row.height};
  const Press press = press_area((kind + " " + name).c_str(), {box.x, box.y}, {box.width, box.height});
  draw_mark(look, box, look.colours.accent, head == panel.view.head ? Mark::pinned : press.is_hovered ? Mark::hovered : Mark::none);
  if (answer_effect(panel, press, head)) {
    const bool is_off = is_switched_off(panel.draft.query, head);
    hint_effect(look, words_of_effect(effects, place, name) + (is_off ? "\nIt is switched off now." : ""));
  }
  draw_text(look, row.left + look.px(kUnit), row.middle(), Type::number, look.colours.text, name);
  return row;
}

/// Colours of what rows of the methods' table say, by the size of the change.
void draw_method_cell(Panel& panel, const EffectColumn& column, std::size_t place, float left, float right, const Row& row, double reach) {
  const Look& look = panel.look;
  if (place >= column.values.size()) return;
  const double value = column.values[place];
  if (std::isfinite(value) && reach > 0) {
    const double share = std::clamp(std::abs(value) / reach, 0.0, 1.0);
    const float half = look.px(5), room = std::max(look.px(8), right - left - look.px(kNumberColumn + 4));
    const float begin = left + look.px(kInside), end = begin + 1 + static_cast<float>(share) * room;
    fill(look, {begin, row.middle() - half}, {end, row.middle() + half}, colour_of_effect(panel, value), 1);
  }
  draw_text(look, right - look.px(4), row.middle(), Type::number, look.colours.text,
            std::isfinite(value) ? change_text(column, value) : "–", AlignX::right);
}

void draw_agreements(Panel& panel, const ShownEffects& effects) {
  const Look& look = panel.look;
  if (effects.agreements.empty()) return;
  text_line(look, Type::heading, look.colours.text_second, "How alike they rank the heads");
  const auto label = [&](std::size_t place) { return effects.columns[effects.finished[place]].row->label; };
  for (const RankAgreement& each : effects.agreements) {
    const std::string names = fmt::format("{} · {}", label(each.a), label(each.b));
    number_row(look, names, std::isnan(each.correlation) ? "–" : fmt::format("{:.2f}", each.correlation),
               "Spearman's rank correlation of the sizes: 1 the same order, 0 none, −1 the opposite order. Undefined where a head has no "
               "number.");
  }
  gap(look, kUnit);
}

/// The largest size of a listed value with its error: bars and errors end beside the numbers.
double reach_with_errors(const EffectColumn& column) {
  double reach = 0;
  for (const std::size_t place : std::span(column.by_size).first(std::min(column.by_size.size(), kListed))) {
    const double error = place < column.errors.size() && std::isfinite(column.errors[place]) ? column.errors[place] : 0;
    reach = std::max(reach, std::abs(column.values[place]) + error);
  }
  return reach;
}

/// A bar from zero, in the middle; 1 and −1 are its ends. Returns where it ends.
float draw_signed_bar(const Panel& panel, const Row& row, double share, double value) {
  const Look& look = panel.look;
  const float left = row.left + look.px(kNameColumn), right = row.right - look.px(kNameColumn), zero = (left + right) / 2;
  const float end = zero + static_cast<float>(share) * (right - left) / 2;
  canvas().AddLine({zero, row.top}, {zero, row.top + row.height}, to_imgui(look.colours.line));
  fill(look, {std::min(zero, end), row.middle() - look.px(5)}, {std::max(zero, end) + 1, row.middle() + look.px(5)},
       colour_of_effect(panel, value), 1);
  return end;
}

/// The standard error at both sides of a bar's end.
void draw_error(const Look& look, const Row& row, float end, float error) {
  const ImU32 colour = to_imgui(look.colours.text);
  const float half = look.px(3);
  canvas().AddLine({end - error, row.middle()}, {end + error, row.middle()}, colour);
  for (const float x : {end - error, end + error}) canvas().AddLine({x, row.middle() - half}, {x, row.middle() + half}, colour);
}

}  // namespace

void draw_effect_ranking(Panel& panel, const ShownEffects& effects) {
  const Look& look = panel.look;
  const EffectColumn& column = effects.column();
  const double largest = reach_with_errors(column);
  for (std::size_t rank = 0; rank < std::min(column.by_size.size(), kListed); ++rank) {
    const std::size_t place = column.by_size[rank];
    const double value = column.values[place];
    const Row row = begin_head_row(panel, effects, place, "Ranked");
    const float end = draw_signed_bar(panel, row, largest > 0 ? value / largest : 0, value);
    const float half = (row.right - row.left) / 2 - look.px(kNameColumn);
    if (place < column.errors.size() && std::isfinite(column.errors[place]) && largest > 0)
      draw_error(look, row, end, static_cast<float>(column.errors[place] / largest) * half);
    draw_text(look, row.right - look.px(kUnit), row.middle(), Type::number, look.colours.text, change_text(column, value), AlignX::right);
  }
}

void draw_place_ranking(Panel& panel, const PlaceGrid& grid) {
  const Look& look = panel.look;
  std::vector<std::size_t> order;
  for (std::size_t place = 0; place < grid.places.size(); ++place) {
    if (std::isfinite(grid.places[place].share)) order.push_back(place);
  }
  const auto size = [&](std::size_t place) { return std::abs(grid.places[place].share); };
  const auto comes_first = [&](std::size_t a, std::size_t b) { return size(a) != size(b) ? size(a) > size(b) : a < b; };
  std::partial_sort(order.begin(), order.begin() + std::min(std::ssize(order), static_cast<std::ptrdiff_t>(kListed)), order.end(),
                    comes_first);
  for (std::size_t rank = 0; rank < std::min(order.size(), kListed); ++rank) {
    const auto& [layer, position, share] = grid.places[order[rank]];
    const Row row = begin_row(look, "", nullptr, kNumberRow);
    const Press press =
        press_area(fmt::format("Place {} at {}", layer, position).c_str(), {row.left, row.top}, {row.right - row.left, row.height});
    if (press.is_hovered) hint(look, words_of_place(panel, grid, order[rank]).c_str());
    if (press.is_clicked) panel.view.output.chosen_place = HeadId{layer, static_cast<int>(position)};
    draw_text(look, row.left + look.px(kUnit), row.middle(), Type::number, look.colours.text, fmt::format("{} @ {}", layer, position));
    draw_signed_bar(panel, row, std::clamp(share, -1.0, 1.0), share);
    draw_text(look, row.right - look.px(kUnit), row.middle(), Type::number, look.colours.text, number_text(share, 2), AlignX::right);
  }
}

void draw_effect_methods(Panel& panel, const ShownEffects& effects) {
  const Look& look = panel.look;
  draw_agreements(panel, effects);
  const Row heading = begin_row(look, "", nullptr, kNumberRow);
  const float first = heading.left + look.px(kNameColumn);
  const float width = (heading.right - first) / static_cast<float>(effects.columns.size());
  std::vector<double> reaches;
  for (std::size_t at = 0; at < effects.columns.size(); ++at) {
    const EffectColumn& column = effects.columns[at];
    const float left = first + width * static_cast<float>(at);
    const std::string label(column.row->label);
    const Press press = press_area(("By " + label).c_str(), {left, heading.top}, {width, heading.height});
    hint(look, fmt::format("{}\nClick to order by it and show it in the grid.", column.row->help).c_str());
    if (press.is_clicked) panel.view.output.sweep = column.row->kind;
    const Colour colour = at == effects.chosen ? look.colours.accent : press.is_hovered ? look.colours.text : look.colours.text_second;
    draw_text(look, left + width - look.px(4), heading.middle(), Type::caption, colour,
              elided(look, Type::caption, label, width - look.px(8)), AlignX::right);
    reaches.push_back(column.by_size.empty() ? 0 : std::abs(column.values[column.by_size.front()]));
  }
  const std::vector<std::size_t>& order = effects.column().by_size;
  for (std::size_t rank = 0; rank < std::min(order.size(), kListed); ++rank) {
    const std::size_t place = order[rank];
    const Row row = begin_head_row(panel, effects, place, "Side by side");
    for (std::size_t at = 0; at < effects.columns.size(); ++at) {
      const float left = first + width * static_cast<float>(at);
      draw_method_cell(panel, effects.columns[at], place, left, left + width, row, reaches[at]);
    }
  }
}

}  // namespace headlight
