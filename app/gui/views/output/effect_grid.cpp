// Grids of effects: layers and heads, or layers and positions.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/document/amounts.h"
#include "app/document/wording.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/focus.h"
#include "app/gui/views/output/output_pages.h"
#include "app/gui/views/output/shown_effects.h"
#include "app/gui/watching/target_here.h"
#include "engine/core/numbers.h"
#include "engine/figure/figure_parts.h"
#include "engine/figure/predictions/predictions.h"
#include "engine/forward/layer_edits.h"

namespace headlight {
namespace {

constexpr float kNarrowestCell = 14, kWidestCell = 104;
constexpr float kNarrowestPlace = 4;  ///< of a long text
constexpr float kDigitsFrom = 30;     ///< points: narrower cells have no room for a number
constexpr float kAxis = 40;

/// "−.52", as short as a cell needs it.
std::string cell_text(double value) {
  std::string text = fmt::format("{:+.{}f}", value, std::abs(value) < 0.95 ? 2 : 1);
  if (const std::size_t zero = text.find("0."); zero == 1) text.erase(1, 1);
  return text.front() == '-' ? "−" + text.substr(1) : text;
}

struct Grid {
  float left = 0, top = 0, width = 0, height = 0;  ///< pixels; width and height of a cell
  bool has_digits = false;
};

/// Where cells lie, with room for the names of layers at the left and `foot` points below.
Grid place_grid(const Look& look, float rows, float columns, float foot, float narrowest) {
  const ImVec2 room = ImGui::GetContentRegionAvail(), at = ImGui::GetCursorScreenPos();
  Grid grid;
  constexpr float kLowest = 26;  // points that a low view leaves a cell: the page scrolls
  const float high = std::max((room.y - look.px(kAxis + foot)) / rows, look.px(kLowest));
  const float fitting = std::min((room.x - look.px(kAxis)) / columns, high);
  grid.width = grid.height = std::floor(std::clamp(fitting, look.px(narrowest), look.px(kWidestCell)));
  grid.left = at.x + look.px(kAxis);
  grid.top = at.y;
  grid.has_digits = grid.width >= look.px(kDigitsFrom);
  return grid;
}

/// The numbers of layers at the left of their rows.
void draw_layers(const Look& look, const Grid& grid, int layers) {
  const int step = grid.height >= look.px(18) ? 1 : 4;
  for (int layer = 0; layer < layers; layer += step) {
    draw_text(look, grid.left - look.px(10), grid.top + grid.height * (static_cast<float>(layer) + 0.5F) - look.px(1), Type::number,
              look.colours.text_second, std::to_string(layer), AlignX::right);
  }
}

Colour cell_colour(const Panel& panel, double value, double reach) {
  const double share = std::isfinite(value) ? std::clamp(value / reach, -1.0, 1.0) : 0;
  return effect_ramp(panel)[static_cast<std::size_t>(std::lround((share + 1) / 2 * 255))];
}

void write_digits(const Look& look, const Grid& grid, ImVec2 from, Colour ground, double value, double reach) {
  if (!grid.has_digits || !(std::abs(value) >= 0.3 * reach)) return;
  draw_text(look, from.x + (grid.width - look.px(2)) / 2, from.y + (grid.height - look.px(2)) / 2, Type::caption, ink_on(ground),
            cell_text(value), AlignX::centre);
}

/// Lines across a head that is switched off, as over maps where nothing is.
void hatch(const Look& look, ImVec2 from, float side, Colour ground) {
  const Colour ink = ink_on(ground);
  canvas().PushClipRect(from, {from.x + side, from.y + side}, true);
  for (float at = -side; at < side; at += look.px(6)) {
    canvas().AddLine({from.x + at, from.y + side}, {from.x + at + side, from.y}, to_imgui(Colour{ink.red, ink.green, ink.blue, 110}),
                     look.px(1));
  }
  canvas().PopClipRect();
}

void draw_head_cell(Panel& panel, const ShownEffects& effects, std::size_t place, const Grid& grid, double reach) {
  const Look& look = panel.look;
  const HeadId head = effects.heads[place];
  const double value = effects.column().values[place];
  const ImVec2 from{grid.left + grid.width * static_cast<float>(head.head), grid.top + grid.height * static_cast<float>(head.layer)};
  const float side = grid.width - look.px(2);
  const Colour colour = cell_colour(panel, value, reach);
  const std::string name = short_name(*panel.snapshot, head);
  const Press press = press_area(("Effect " + name).c_str(), from, {side, side});
  fill(look, from, {from.x + side, from.y + side}, colour, 3);
  outline(look, from, {from.x + side, from.y + side}, look.colours.line, 3);  // a change of 0 has the colour of the ground
  const bool is_off = is_switched_off(panel.draft.query, head);
  if (is_off) hatch(look, from, side, colour);
  draw_mark(look, {from.x, from.y, side, side}, look.colours.accent,
            head == panel.view.head ? Mark::pinned
            : press.is_hovered      ? Mark::hovered
                                    : Mark::none,
            3);
  write_digits(look, grid, from, colour, value, reach);
  if (answer_effect(panel, press, head))
    hint_effect(look, words_of_effect(effects, place, name) + (is_off ? "\nIt is switched off now." : ""));
}

/// The positions under their columns, with their tokens where one text is shown and there is room for words; else some of them.
void draw_tokens(const Look& look, const Grid& grid, float foot, const PlaceGrid& places) {
  const bool has_words = places.text && grid.width >= look.px(28);
  const Index step = grid.width >= look.px(20) ? 1 : grid.width >= look.px(8) ? 5 : 20;
  for (Index place = 0; place < places.positions; place += step) {
    const float middle = grid.left + grid.width * (static_cast<float>(place) + 0.5F) - look.px(1);
    draw_text(look, middle, foot, Type::number, look.colours.text_second, std::to_string(place), AlignX::centre);
    if (!has_words) continue;
    const Token& token = predicted_text(*places.text).tokens[static_cast<std::size_t>(place)];
    const std::string word = vocabulary_label(*places.text->model->tokenizer, token.id);
    draw_text(look, middle, foot + look.px(16), Type::caption, look.colours.query,
              elided(look, Type::caption, word, grid.width - look.px(2)), AlignX::centre);
  }
}

std::string words_of_share(double share) {
  return std::isnan(share) ? "both texts give the same target" : fmt::format("{:.0f} % of the difference comes back", 100 * share);
}

void draw_place_cell(Panel& panel, const PlaceGrid& places, std::size_t place, const Grid& grid) {
  const Look& look = panel.look;
  const auto& [layer, position, share] = places.places[place];
  const ImVec2 from{grid.left + grid.width * static_cast<float>(position), grid.top + grid.height * static_cast<float>(layer)};
  const ImVec2 size{grid.width - look.px(2), grid.height - look.px(2)};
  const Colour colour = cell_colour(panel, share, 1);
  const Press press = press_area(fmt::format("Patch {} at {}", layer, position).c_str(), from, size);
  fill(look, from, {from.x + size.x, from.y + size.y}, colour, 3);
  if (grid.width >= look.px(kNarrowestCell)) outline(look, from, {from.x + size.x, from.y + size.y}, look.colours.line, 3);
  const bool is_chosen = !places.text && panel.view.output.chosen_place == HeadId{layer, static_cast<int>(position)};
  draw_mark(look, {from.x, from.y, size.x, size.y}, look.colours.accent,
            is_chosen          ? Mark::pinned
            : press.is_hovered ? Mark::hovered
                               : Mark::none,
            3);
  write_digits(look, grid, from, colour, share, 1);
  if (press.is_hovered) hint(look, words_of_place(panel, places, place).c_str());
  if (press.is_clicked) panel.view.output.chosen_place = HeadId{layer, static_cast<int>(position)};
}

}  // namespace

void draw_effect_grid(Panel& panel, const ShownEffects& effects, double reach) {
  const Look& look = panel.look;
  const Snapshot& run = *panel.snapshot;
  const auto layers = static_cast<float>(run.layers()), heads = static_cast<float>(run.heads());
  const Grid grid = place_grid(look, layers, heads, kLine, kNarrowestCell);
  draw_layers(look, grid, run.layers());
  const float foot = grid.top + grid.height * layers + look.px(12);
  draw_text(look, grid.left - look.px(10), foot, Type::caption, look.colours.text_second, "L \\ H", AlignX::right);
  for (int head = 0; head < run.heads(); head += grid.width >= look.px(18) ? 1 : 4) {
    draw_text(look, grid.left + grid.width * (static_cast<float>(head) + 0.5F) - look.px(1), foot, Type::number, look.colours.text_second,
              std::to_string(head), AlignX::centre);
  }
  ImGui::Dummy({look.px(kAxis) + grid.width * heads, grid.height * layers + look.px(28)});
  const ImVec2 after = ImGui::GetCursorScreenPos();
  for (std::size_t place = 0; place < effects.column().values.size(); ++place) draw_head_cell(panel, effects, place, grid, reach);
  ImGui::SetCursorScreenPos(after);
}

std::string words_of_place(const Panel& panel, const PlaceGrid& places, std::size_t place) {
  const PlaceShare& at = places.places[place];
  const std::string name = fmt::format("{} at position {}", panel.snapshot->layer_name(at.layer), at.position);
  if (!places.text) return name + places.words(place);
  const Token& token = predicted_text(*places.text).tokens[static_cast<std::size_t>(at.position)];
  return fmt::format("{} ({}){}", name, vocabulary_label(*places.text->model->tokenizer, token.id), places.words(place));
}

PlaceGrid places_of(const SweepFound& found) {
  PlaceGrid grid{.places = {}, .positions = std::ssize(predicted_text(*found.request.run).tokens), .text = found.request.run};
  for (const PatchValue& value : found.places.values) grid.places.push_back({value.layer, value.position, found.places.recovered(value)});
  grid.words = [&found](std::size_t place) {
    const PatchValue& value = found.places.values[place];
    return fmt::format(": the target would be {}; {}.", target_number(value.value), words_of_share(found.places.recovered(value)));
  };
  return grid;
}

PlaceGrid places_of(const PatchStudy& study) {
  PlaceGrid grid;
  for (const PatchedPlace& place : study.places) {
    grid.places.push_back({place.layer, place.position, place.recovered()});
    grid.positions = std::max(grid.positions, place.position + 1);
  }
  grid.words = [&study](std::size_t at) {
    const PatchedPlace& place = study.places[at];
    const std::string error = place.change.count < 2 ? "" : " ± " + target_number(place.change.standard_error());
    return fmt::format(": the target changes by {}{} on average over {} text{}; {}.", target_change(place.change.mean()), error,
                       grouped(place.change.count), place.change.count == 1 ? "" : "s", words_of_share(place.recovered()));
  };
  return grid;
}

void draw_place_grid(Panel& panel, const PlaceGrid& places) {
  const Look& look = panel.look;
  const int layers = panel.snapshot->layers();
  const auto rows = static_cast<float>(layers), columns = static_cast<float>(places.positions);
  const Grid grid = place_grid(look, rows, columns, kLine + 16, kNarrowestPlace);
  draw_layers(look, grid, layers);
  const float foot = grid.top + grid.height * rows + look.px(12);
  draw_text(look, grid.left - look.px(10), foot, Type::caption, look.colours.text_second, "L \\ @", AlignX::right);
  draw_tokens(look, grid, foot, places);
  ImGui::Dummy({look.px(kAxis) + grid.width * columns, grid.height * rows + look.px(44)});
  const ImVec2 after = ImGui::GetCursorScreenPos();
  for (std::size_t place = 0; place < places.places.size(); ++place) draw_place_cell(panel, places, place, grid);
  ImGui::SetCursorScreenPos(after);
}

}  // namespace headlight
