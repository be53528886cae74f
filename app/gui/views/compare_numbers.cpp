#include "app/gui/views/compare_numbers.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/focus.h"
#include "app/gui/views/compare_cells.h"
#include "app/gui/views/views.h"
#include "engine/figure/compare/compared_row.h"

namespace headlight {
namespace {

constexpr float kTitles = 200;  // width of the measures' titles
constexpr float kLeastColumn = 76, kMostColumn = 112;
constexpr float kHeading = 38;  // the line of letters, and what is above it
constexpr float kPadding = 16;
constexpr float kKeyName = 132, kLeastBar = 104, kGoodBar = 200, kMostBar = 480, kBarNumber = 56;
constexpr float kRowLine = 22, kMostLine = 34;  // lines grow with the room
constexpr std::size_t kFewestLines = 3;

/// The measures that the picture's heads have.
Measures measures_of(const Snapshot& snapshot) {
  return snapshot.contains({}) ? snapshot.summary({}).measured.table : Measures();
}

/// Each of `count` lines under the heading of a table that is so high, in pixels.
float line_height(const Look& look, float height, std::size_t count, float least) {
  const float room = height - look.px(kHeading + kPadding);
  return std::clamp(std::floor(room / static_cast<float>(std::max<std::size_t>(1, count))), look.px(least), look.px(kMostLine));
}

/// Of a card; of a difference that of the subtracted pair. NaN where there is none.
double measured(const Panel& panel, const std::vector<CompareCard>& cards, std::size_t place, ComparedPair pair, std::string_view measure) {
  const CompareCard& card = cards[place];
  if (card.is_difference) return measured(panel, cards, pair.left, pair, measure) - measured(panel, cards, pair.right, pair, measure);
  return card.has_map() ? run_of(card.head, *panel.snapshot).summary(card.head.head).value(measure) : std::nan("");
}

/// The table under the pointer, or under the menu's key, for who copies it.
void offer_measures(Panel& panel, const std::vector<CompareCard>& cards, const Box& box, ComparedPair pair) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!ImGui::IsWindowHovered() || !box.contains({mouse.x, mouse.y})) return;
  PicturedNumbers numbers;
  numbers.name = "measures";
  numbers.table = {{"measure"}};
  for (const CompareCard& card : cards) numbers.table.front().push_back(card.brief.empty() ? card.letter : card.letter + " " + card.brief);
  for (const Measure& measure : measures_of(*panel.snapshot)) {
    std::vector<std::string>& line = numbers.table.emplace_back(1, std::string(measure.title));
    for (std::size_t place = 0; place < cards.size(); ++place)
      line.push_back(fmt::format("{}", measured(panel, cards, place, pair, measure.id)));
  }
  panel.view.pointed.pictured = {std::make_shared<const PicturedNumbers>(std::move(numbers)), std::nullopt};
  if (is_right_click())
    ask_menu(panel, {.kind = MenuKind::pictured, .head = chosen_card(panel), .pictured = panel.view.pointed.pictured->numbers});
}

/// The heads' measures side by side, and their difference for the subtracted pair.
void draw_measures(Panel& panel, const std::vector<CompareCard>& cards, const Box& box, float step, float line, ComparedPair pair) {
  const Look& look = panel.look;
  const float left = box.x + look.px(kPadding);
  const Measures measures = measures_of(*panel.snapshot);
  float y = box.y + look.px(kPadding + 10);
  draw_text(look, left, y, Type::strong, look.colours.text, "Measures");
  const auto column = [&](std::size_t place) { return left + look.px(kTitles - kUnit) + step * static_cast<float>(place + 1); };
  for (std::size_t place = 0; place < cards.size(); ++place) {
    draw_text(look, column(place), y, Type::strong, look.colours.text_second, cards[place].letter, AlignX::right);
  }
  y = box.y + look.px(kHeading) - line / 2;
  for (const Measure& measure : measures) {
    y += line;
    const std::string title = elided_middle(look, Type::body, measure.title, look.px(kTitles - kBetween));
    draw_text(look, left, y, Type::body, look.colours.text_second, title);
    const float right = column(cards.size() - 1);
    press_area(fmt::format("compared {}", measure.id).c_str(), {left, y - line / 2}, {right - left, line});
    const std::string help = title == measure.title ? std::string() : std::string(measure.title) + ". ";
    hint(look, (help + std::string(measure.meaning)).c_str());
    for (std::size_t place = 0; place < cards.size(); ++place) {
      const double value = measured(panel, cards, place, pair, measure.id);
      const std::string text = cards[place].is_difference ? signed_text(value) : weight_text(value);
      draw_text(look, column(place), y, Type::number, look.colours.text, text, AlignX::right);
    }
  }
  const float top = box.y + look.px(kPadding) / 2;
  const Box table{left, top, column(cards.size() - 1) - left, y + line / 2 - top};
  name_area("measures table", table);
  offer_measures(panel, cards, table, pair);
}

/// The row that is looked at.
struct LookedAtRow : ComparedRow {
  int layer = 0;    ///< of the first card of the shown text
  Index query = 0;  ///< in that layer
  Mark mark = Mark::none;
};

/// The cell under the pointer says which; else the pinned row, else the last.
std::optional<LookedAtRow> row_of(const Panel& panel, const std::vector<CompareCard>& cards) {
  const auto has_row = [&](const CompareCard& card) { return card.has_map() && card.maps && has_own_tokens(panel, card.head, card.layer); };
  const auto first = std::find_if(cards.begin(), cards.end(), has_row);
  if (first == cards.end()) return std::nullopt;
  LookedAtRow row;
  row.layer = first->layer;
  const std::optional<Index> pinned = pinned_query_of(panel, row.layer);
  const std::optional<Cell> cross = crosshair_of(panel, row.layer);
  const bool is_pointed = cross && cross->query >= 0 && cross->query < first->maps->weights.rows();
  row.query = is_pointed ? cross->query : pinned.value_or(first->maps->weights.rows() - 1);
  row.mark = pinned == row.query ? Mark::pinned : is_pointed ? Mark::hovered : Mark::none;
  for (const CompareCard& card : cards) {
    row.queries.emplace_back();
    if (!has_row(card)) continue;
    const Cell here = carried_over(*panel.snapshot, {row.query, 0}, row.layer, card.layer);
    if (here.query != kNoToken && here.key != kNoToken) row.queries.back() = here.query;
  }
  find_keys(row, cards, first->maps->weights.cols());
  return row;
}

/// Places of the table, in pixels.
struct RowColumns {
  float name = 0, first = 0, step = 0;
  float line = 0;  ///< height of a key
  float left(std::size_t card) const { return first + step * static_cast<float>(card); }
};

/// A bar from the left, of a difference from the middle; then its number.
void draw_value(const Look& look, const CompareCard& card, float left, float right, float middle, float line, float value, float largest) {
  const float half = std::round(line / 5), end = right - look.px(kBarNumber), room = end - left;
  const float share = largest > 0 && std::isfinite(value) ? std::abs(value) / largest : 0;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  if (card.is_difference) {
    const auto& colours = ramp(card.map.request.scale.map, card.map.request.scale.is_dark);
    const float zero = left + room / 2, to = zero + (value < 0 ? -share : share) * room / 2;
    const Colour colour = colours[value < 0 ? 48 : 208];
    canvas.AddRectFilled({std::min(zero, to), middle - half}, {std::max(zero, to), middle + half}, to_imgui(colour));
    canvas.AddLine({zero, middle - half - look.px(2)}, {zero, middle + half + look.px(2)}, to_imgui(look.colours.line), 1);
  } else {
    canvas.AddRectFilled({left, middle - half}, {left + std::max(look.px(1), share * room), middle + half},
                         to_imgui(mix(look.colours.raised, look.colours.key, 0.35F + 0.65F * share)), look.px(2));
  }
  const auto number = static_cast<double>(value);
  draw_text(look, right, middle, Type::number, look.colours.text, card.is_difference ? signed_text(number) : weight_text(number),
            AlignX::right);
}

/// "Row “follow” 6", marked as the row is in the maps; the last row where none is looked at.
void draw_row_heading(const Panel& panel, const LookedAtRow& row, float left, float middle, float room) {
  const Look& look = panel.look;
  const TokenNames& names = panel.caches.pictures.query_names(row.layer);
  draw_text(look, left, middle, Type::strong, look.colours.text, "Row");
  const float token = left + text_width(look, Type::strong, "Row") + look.px(kUnit + 2);
  const std::string number = std::to_string(row.query);
  const float number_width = text_width(look, Type::number, number) + look.px(kInside + 2);
  const std::string name = elided(look, Type::strong, names[row.query], std::max(look.px(24), room - (token - left) - number_width));
  const float width = text_width(look, Type::strong, name);
  draw_mark(look, {token - look.px(5), middle - look.px(10), width + number_width + look.px(10), look.px(20)}, look.colours.query, row.mark,
            kInside);
  draw_text(look, token, middle, Type::strong, row.mark == Mark::pinned ? look.colours.text : look.colours.query, name);
  draw_text(look, token + width + number_width, middle, Type::number,
            row.mark == Mark::pinned ? look.colours.text : look.colours.text_second, number, AlignX::right);
}

/// The line of a key; the pointer on it marks the key in every view.
void draw_key(Panel& panel, const std::vector<CompareCard>& cards, const LookedAtRow& row, Index key, const RowColumns& at, float top,
              float largest) {
  const Look& look = panel.look;
  const float height = at.line, middle = top + height / 2, right = at.left(cards.size());
  const Box box{at.name - look.px(kInside), top, right - at.name + look.px(2 * kInside), height};
  const Press press = press_area(fmt::format("Compared key {}", key).c_str(), {box.x, box.y}, {box.width, box.height});
  if (press.is_hovered) panel.view.pointed.listed = TokenPlace{key_side(*panel.snapshot, row.layer), key};
  draw_mark(look, box, look.colours.key, press.is_hovered ? Mark::hovered : mark_of_key(panel, row.layer, key), kInside);
  const std::string number = std::to_string(key);
  const float number_width = text_width(look, Type::number, number);
  draw_text(look, at.name, middle, Type::body, look.colours.key,
            elided(look, Type::body, panel.caches.pictures.key_names(row.layer)[key], look.px(kKeyName - 3 * kUnit) - number_width));
  draw_text(look, at.name + look.px(kKeyName - 2 * kUnit), middle, Type::number, look.colours.text_second, number, AlignX::right);
  for (std::size_t card = 0; card < cards.size(); ++card) {
    const float left = at.left(card), end = at.left(card + 1) - look.px(kBetween);
    if (row.queries[card] && is_masked(cards[card], *row.queries[card], key)) {
      draw_text(look, end, middle, Type::caption, look.colours.text_second, "masked", AlignX::right);
    } else if (row.queries[card]) {
      draw_value(look, cards[card], left, end, middle, height, value_of(cards[card], *row.queries[card], key), largest);
    } else {
      draw_text(look, end, middle, Type::number, look.colours.text_second, "–", AlignX::right);
    }
  }
}

void draw_row(Panel& panel, const std::vector<CompareCard>& cards, const LookedAtRow& row, const Box& box, float line) {
  const Look& look = panel.look;
  const float lines_room = (box.height - look.px(kHeading + kPadding)) / look.px(kRowLine);
  const auto lines = static_cast<std::size_t>(std::max(0.0F, std::floor(lines_room)));
  if (lines < kFewestLines + 1) return;
  const float step = (box.width - look.px(kKeyName)) / static_cast<float>(cards.size());
  const RowColumns at{box.x, box.x + look.px(kKeyName), std::min(step, look.px(kMostBar)), line};
  const float middle = box.y + look.px(kPadding + 10);
  const std::vector<Index> listed = listed_keys(cards, row, lines_of(row) > lines ? lines - 1 : lines);
  float largest = 0;
  for (std::size_t card = 0; card < cards.size(); ++card) {
    draw_text(look, at.left(card), middle, Type::strong, look.colours.text_second, cards[card].letter);
    for (const Index key : listed) {
      const float value = row.queries[card] ? std::abs(value_of(cards[card], *row.queries[card], key)) : 0;
      if (value > largest) largest = value;
    }
  }
  draw_row_heading(panel, row, box.x, middle, at.first - box.x - look.px(kBetween));
  float top = box.y + look.px(kHeading);
  for (const Index key : listed) {
    draw_key(panel, cards, row, key, at, top, largest);
    top += line;
  }
  name_area("compared row", {box.x, box.y, box.width, top - box.y});
  const std::string rest = rest_text(row.keys.size() - listed.size(), row.masked);
  if (!rest.empty()) draw_text(look, at.name, top + line / 2, Type::caption, look.colours.text_second, rest);
}

}  // namespace

std::string signed_text(double value) {
  return fmt::format("{}{}", value > 0 ? "+" : "", weight_text(value));
}

float least_numbers_width(const Look& look, std::size_t cards) {
  return look.px(2 * kPadding + kTitles + kLeastColumn * static_cast<float>(cards));
}

float least_numbers_height(const Panel& panel) {
  return panel.look.px(kNumberRow * static_cast<float>(measures_of(*panel.snapshot).size()) + kHeading + 22);
}

void draw_numbers(Panel& panel, const std::vector<CompareCard>& cards, const Box& box, ComparedPair pair) {
  const Look& look = panel.look;
  name_area("compared numbers", box);
  fill(look, {box.x, box.y}, {box.right(), box.bottom()}, look.colours.panel);
  outline(look, {box.x, box.y}, {box.right(), box.bottom()}, look.colours.line);
  const auto count = static_cast<float>(cards.size());
  const float padding = look.px(kPadding), least = look.px(kKeyName + count * kLeastBar), between = look.px(2 * kBetween);
  const float room = box.width - 2 * padding - look.px(kTitles);  // for the numbers of the measures, and the row beside them
  const bool is_beside = room - between - least >= count * look.px(kLeastColumn);
  const float wanted = look.px(kKeyName + count * kGoodBar);  // the row comes first in what is left
  const float step =
      std::clamp((room - (is_beside ? between + wanted : 0)) / count, std::min(look.px(kLeastColumn), room / count), look.px(kMostColumn));
  const std::optional<LookedAtRow> row = row_of(panel, cards);
  const std::size_t measures = measures_of(*panel.snapshot).size(), keys = row ? lines_of(*row) : 0;
  if (is_beside) {
    const float line = line_height(look, box.height, std::max(measures, keys), kRowLine);  // on the same lines
    draw_measures(panel, cards, box, step, line, pair);
    const float taken = padding + look.px(kTitles) + step * count + between;
    if (row) draw_row(panel, cards, *row, {box.x + taken, box.y, box.width - taken - padding, box.height}, line);
    return;
  }
  const float taken = least_numbers_height(panel) - padding;
  draw_measures(panel, cards, {box.x, box.y, box.width, taken}, step, line_height(look, taken, measures, kNumberRow), pair);
  const Box below{box.x + padding, box.y + taken, box.width - 2 * padding, box.height - taken};
  if (row && below.width >= least) draw_row(panel, cards, *row, below, line_height(look, below.height, keys, kRowLine));
}

}  // namespace headlight
