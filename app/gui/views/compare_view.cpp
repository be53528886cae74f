#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/panel/choices.h"
#include "app/gui/panel/focus.h"
#include "app/gui/views/compare_cards.h"
#include "app/gui/views/views.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/pictures.h"

namespace headlight {
namespace {

/// The cell under the pointer, on whichever card it is.
void find_hovered(Panel& panel, const std::vector<Card>& cards) {
  const Look& look = panel.look;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem)) return;
  for (const Card& card : cards) {
    if (!card.request.picture) continue;
    const ImVec2 origin = map_origin(look, card);
    const std::optional<Cell> cell = card.figure.cell_at({(mouse.x - origin.x) / look.scale, (mouse.y - origin.y) / look.scale});
    if (!cell) continue;
    panel.view.hovered = cell;
    panel.view.hovered_layer = card.layer;
    panel.view.hovered_head = card.head;
    if (card.head && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) panel.view.head = *card.head;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) toggle_pinned_query(panel, card.layer, cell->query);
    return;
  }
}

std::string signed_text(double value) {
  return fmt::format("{}{}", value > 0 ? "+" : "", weight_text(value));
}

/// What a card says of a cell: its weight, or the difference.
std::string value_text(const Card& card, Cell cell) {
  if (!card.maps) return "…";
  const float weight = card.maps->weights(cell.query, cell.key);
  return card.subtracted ? signed_text(weight - card.subtracted->weights(cell.query, cell.key)) : weight_text(weight);
}

/// What a card's colours mean, while no cell is looked at: a small bar with words at its ends.
void draw_legend(const Look& look, const Card& card) {
  const ColourScale& scale = card.request.scale;
  const bool is_difference = !card.head;
  const std::string low = is_difference ? card.right_letter + " more" : "0";
  const std::string high = is_difference ? card.left_letter + " more" : fmt::format("{:.2g}", scale.high);
  const float left = card.box.x + look.px(kBetween);
  const float right = card.box.right() - look.px(kBetween);
  const float y = std::round(card.box.bottom() - look.px(kCardFooter) / 2);
  draw_text(look, left, y, Type::caption, look.colours.text_second, low);
  draw_text(look, right, y, Type::caption, look.colours.text_second, high, AlignX::right);
  const float from = left + text_width(look, Type::caption, low) + look.px(kUnit);
  const float to = right - text_width(look, Type::caption, high) - look.px(kUnit);
  const float half = look.px(3);
  if (to > from) draw_ramp(ramp(scale.map, scale.is_dark), {from, y - half}, {to - from, 2 * half});
}

void draw_footer(Panel& panel, const Card& card, const std::optional<Cell>& cell) {
  const Look& look = panel.look;
  if (!card.request.picture) return;
  if (!cell) return draw_legend(look, card);
  const Pictures& pictures = panel.view.pictures;
  const float y = card.box.bottom() - look.px(kCardFooter) / 2;
  float x = card.box.x + look.px(kBetween);
  const auto put = [&](Colour colour, const std::string& text) {
    draw_text(look, x, y, Type::body, colour, text);
    x += text_width(look, Type::body, text);
  };
  const float room = card.box.width / 3;
  put(look.colours.query, elided(look, Type::body, pictures.query_names(card.layer)[cell->query], room));
  put(look.colours.text_second, " → ");
  put(look.colours.key, elided(look, Type::body, pictures.key_names(card.layer)[cell->key], room));
  draw_text(look, card.box.right() - look.px(kBetween), y, Type::number, look.colours.text, value_text(card, *cell), AlignX::right);
}

/// The heading of the difference where there are more than two: "A ▾ − B ▾".
void draw_choice(Panel& panel, float left, float top) {
  const Look& look = panel.look;
  std::vector<std::string> letters;
  for (std::size_t place = 0; place < panel.draft.pins.size(); ++place) letters.push_back(letter_of(place));
  const float height = look.px(kCardHeader);
  const auto choose = [&](const char* name, int& chosen) {
    const float width = text_width(look, Type::body, letters[static_cast<std::size_t>(chosen)]) + look.px(18);
    drop_down(look, {left, left + width, top, height, left}, name, letters, chosen);
    left += width + look.px(12);
  };
  choose("Subtracted from", panel.view.compare_left);
  draw_text(look, left, top + height / 2, Type::body, look.colours.text_second, "−");
  left += text_width(look, Type::body, "−") + look.px(12);
  choose("Subtracted", panel.view.compare_right);
}

/// Letter and title, or the choice of what is subtracted.
void draw_heading(Panel& panel, const Card& card) {
  const Look& look = panel.look;
  const float middle = card.box.y + look.px(kCardHeader) / 2;
  const float left = card.box.x + look.px(kBetween);
  const float right = card.box.right() - look.px(kBetween);
  if (!card.head && panel.draft.pins.size() > 2) {
    draw_choice(panel, left, card.box.y);
    draw_text(look, right, middle, Type::body, look.colours.text_second, card.title, AlignX::right);
    return;
  }
  const float title = left + text_width(look, Type::title, card.letter) + look.px(12);
  draw_text(look, left, middle, Type::title, look.colours.text, card.letter);
  draw_text(look, title, middle, Type::body, look.colours.text_second,
            elided(look, Type::body, card.title, right - (card.head ? look.px(kBetween) : 0) - title));
  if (!card.head) return;
  const std::string unpin = "Unpin " + card.letter;
  const bool is_unpinned = close_button(look, unpin.c_str(), {right - look.px(kUnit), middle});
  hint(look, unpin.c_str());
  if (is_unpinned) toggle_pin(panel.draft.pins, *card.head);
}

void draw_card(Panel& panel, const Card& card, const std::optional<Cell>& cell) {
  const Look& look = panel.look;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const ImVec2 from{card.box.x, card.box.y};
  const ImVec2 to{card.box.right(), card.box.bottom()};
  canvas.AddRectFilled(from, to, to_imgui(look.colours.panel), look.px(kCorner));
  const bool is_shown = card.head && *card.head == panel.view.head;
  canvas.AddRect(from, to, to_imgui(is_shown ? look.colours.text_third : look.colours.line), look.px(kCorner));
  draw_heading(panel, card);
  const ImVec2 origin = map_origin(look, card);
  if (card.request.picture) {
    panel.context.painter.paint(card.figure.scene, origin, "compare " + card.letter);
    const Box& map = card.figure.map;
    name_area("card " + card.letter,
              {origin.x + map.x * look.scale, origin.y + map.y * look.scale, map.width * look.scale, map.height * look.scale},
              card.figure.window);
  } else {
    ImGui::SetCursorScreenPos({card.box.x + look.px(kBetween), origin.y + look.px(kBetween)});
    paragraph(look, Type::body, look.colours.text_second, card.problem, card.box.width - look.px(2 * kBetween));
  }
  draw_footer(panel, card, cell);
}

/// What the heads of the picture were measured by.
Measures measures_of(const Snapshot& snapshot) {
  return snapshot.contains({}) ? snapshot.summary({}).measured.table : Measures();
}

/// The heads' measures side by side, and what tells the two subtracted ones apart.
void draw_measures(Panel& panel, const std::vector<Card>& cards, const Box& box) {
  const Look& look = panel.look;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  canvas.AddRectFilled({box.x, box.y}, {box.right(), box.bottom()}, to_imgui(look.colours.panel), look.px(kCorner));
  canvas.AddRect({box.x, box.y}, {box.right(), box.bottom()}, to_imgui(look.colours.line), look.px(kCorner));
  const float left = box.x + look.px(kBetween);
  float y = box.y + look.px(kBetween + 10);
  draw_text(look, left, y, Type::strong, look.colours.text, "What tells them apart");
  const float first = left + look.px(200);
  const float step = std::min(look.px(112), (box.right() - look.px(kBetween) - first) / static_cast<float>(cards.size()));
  const auto column = [&](std::size_t place) { return first + step * static_cast<float>(place + 1) - look.px(kUnit); };
  for (std::size_t place = 0; place < cards.size(); ++place) {
    draw_text(look, column(place), y, Type::strong, look.colours.text_second, cards[place].letter, AlignX::right);
  }
  for (const Measure& measure : measures_of(*panel.snapshot)) {
    y += look.px(kNumberRow);
    draw_text(look, left, y, Type::body, look.colours.text_second, measure.title);
    name_area("compared " + std::string(measure.id), {left, y - look.px(kNumberRow) / 2, box.right() - left, look.px(kNumberRow)});
    const auto value = [&](std::size_t place) {
      const std::optional<HeadId>& head = cards[place].head;
      return head && panel.snapshot->contains(*head) ? panel.snapshot->summary(*head).value(measure.id) : std::nan("");
    };
    for (std::size_t place = 0; place < cards.size(); ++place) {
      const double difference =
          value(static_cast<std::size_t>(panel.view.compare_left)) - value(static_cast<std::size_t>(panel.view.compare_right));
      const std::string text = cards[place].head ? weight_text(value(place)) : signed_text(difference);
      draw_text(look, column(place), y, Type::number, look.colours.text, text, AlignX::right);
    }
  }
}

/// The cell that all cards talk about, as a layer has it.
struct PlacedCell {
  Cell cell;
  int layer = 0;
};

std::optional<PlacedCell> shared_cell(const Panel& panel, const std::vector<Card>& cards) {
  if (panel.view.hovered) return PlacedCell{*panel.view.hovered, panel.view.hovered_layer};
  for (const Card& card : cards) {
    if (const std::optional<Cell> cell = focus_of(panel, card.layer, card.maps.get()).cell) return PlacedCell{*cell, card.layer};
  }
  return std::nullopt;
}

/// The same tokens on a card, where its map stands between the same texts.
std::optional<Cell> cell_of(const Panel& panel, const Card& card, const std::optional<PlacedCell>& shared) {
  if (!shared || !card.request.picture) return std::nullopt;
  const Cell cell = carried_over(*panel.snapshot, shared->cell, shared->layer, card.layer);
  return cell.query == kNoToken || cell.key == kNoToken ? std::nullopt : std::optional(cell);
}

/// "2 pinned · B not normalised: 6 rows sum to 3 · rows query …": what the colours cannot tell comes first.
std::string header_text(const Panel& panel, const std::vector<Card>& cards) {
  std::string text = fmt::format("{} pinned", panel.draft.pins.size());
  for (const Card& card : cards) {
    if (!card.head || !panel.snapshot->contains(*card.head)) continue;
    const std::string badge = badge_of(*panel.snapshot, panel.draft.style, *card.head);
    if (!badge.empty()) text += fmt::format(" · {} {}", card.letter, badge);
  }
  return text + " · rows query, columns key · one crosshair · " + (panel.view.has_shared_scale ? "one scale" : "own scales");
}

/// A small box as rows are outlined with, and what it means. Returns its left edge.
float draw_row_key(const Look& look, float right, float middle, bool is_dashed, const std::string& text) {
  draw_text(look, right, middle, Type::caption, look.colours.text_second, text, AlignX::right);
  const float width = look.px(20), half = look.px(5), line = look.px(is_dashed ? 1.5F : 2.5F);
  const float box_right = std::round(right - text_width(look, Type::caption, text) - look.px(kUnit)), left = box_right - width;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const ImU32 colour = to_imgui(look.colours.query);
  if (!is_dashed) canvas.AddRect({left, middle - half}, {box_right, middle + half}, colour, 0, 0, line);
  const float dash = look.px(5);
  for (float x = left; is_dashed && x < box_right; x += dash + look.px(2.5F)) {
    for (const float y : {middle - half, middle + half}) canvas.AddLine({x, y}, {std::min(x + dash, box_right), y}, colour, line);
  }
  return left - look.px(kBetween);
}

/// What the outlines of rows mean. Returns the left edge.
float draw_row_legend(const Panel& panel, const std::vector<Card>& cards, float right, float middle) {
  const Look& look = panel.look;
  const bool has_pin =
      std::any_of(cards.begin(), cards.end(), [&](const Card& card) { return pinned_query_of(panel, card.layer).has_value(); });
  const float top = middle - look.px(kNumberRow) / 2;
  const float pointed = draw_row_key(look, right, middle, true, "row you point at");
  name_area("Legend pointed row", {pointed, top, right - pointed, look.px(kNumberRow)});
  if (!has_pin) {
    const std::string how = "click a row to pin it";
    draw_text(look, pointed, middle, Type::caption, look.colours.text_second, how, AlignX::right);
    return pointed - text_width(look, Type::caption, how) - look.px(kBetween);
  }
  const float pinned = draw_row_key(look, pointed, middle, false, "pinned row");
  name_area("Legend pinned row", {pinned, top, pointed - pinned, look.px(kNumberRow)});
  return pinned;
}

/// How to get something to compare, with a button that does it.
void draw_invitation(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  std::vector<HeadId>& pins = panel.draft.pins;
  ImGui::SetCursorScreenPos({box.x, box.y});
  ImGui::BeginGroup();
  text_line(look, Type::title, look.colours.text, pins.empty() ? "Nothing is pinned yet" : "One more to compare with");
  gap(look, kInside);
  paragraph(look, Type::body, look.colours.text_second,
            "Pinned heads stand here side by side, with one crosshair and one scale. Ctrl-click a map in Overview, or press space while a "
            "head is shown.",
            std::min(box.width, look.px(560)));
  gap(look, 12);
  const char* label = pins.empty() ? "Pin two heads" : "Pin another head";
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = button_width(look, label);
  ImGui::Dummy({width, look.px(32)});
  if (quiet_button(look, label, at, {width, look.px(32)})) {
    if (pins.empty()) pins.push_back(panel.view.head);
    HeadId other = pins.front();
    other.head = (other.head + 1) % std::max(1, panel.snapshot->heads());
    if (other == pins.front()) other.layer = (other.layer + 1) % std::max(1, panel.snapshot->layers());
    if (other != pins.front()) pins.push_back(other);
  }
  ImGui::EndGroup();
}

void draw_cards(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  const float margin = look.px(24);
  const float measures = look.px(kNumberRow * static_cast<float>(measures_of(*panel.snapshot).size()) + 56);
  const float width = box.width - 2 * margin;
  std::vector<Card> cards = make_cards(panel);
  const bool is_invited = cards.size() < 2;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float header = look.px(48);
  const float below = is_invited ? look.px(160) : measures;
  const float taken = lay_out(look, cards, width, box.height - header - below - margin);
  for (Card& card : cards) {
    card.box.x += box.x + margin;
    card.box.y += start.y + header;
    make_card_figure(panel, card, panel.context.painter.measure());
  }
  find_hovered(panel, cards);
  ImGui::Dummy({1, header + taken + below + margin});
  const float middle = start.y + header / 2 + look.px(2);
  const float legend = draw_row_legend(panel, cards, box.right() - margin, middle);
  draw_text(look, box.x + margin, middle, Type::body, look.colours.text_second,
            elided(look, Type::body, header_text(panel, cards), legend - box.x - margin));
  const std::optional<PlacedCell> shared = shared_cell(panel, cards);
  for (Card& card : cards) {
    if (panel.view.hovered) make_card_figure(panel, card, panel.context.painter.measure());
    draw_card(panel, card, cell_of(panel, card, shared));
  }
  if (is_invited) {
    draw_invitation(panel, {box.x + margin, start.y + header + taken, width, measures});
  } else {
    draw_measures(panel, cards, {box.x + margin, start.y + header + taken, width, measures});
  }
}

}  // namespace

void draw_compare_view(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  begin_region(look, "Compare view", box, Colour{0, 0, 0, 0}, {0, 0}, ImGuiWindowFlags_None);
  if (panel.draft.pins.empty()) {
    draw_invitation(panel, {box.x + look.px(24), box.y + look.px(24), box.width - look.px(48), box.height});
  } else {
    draw_cards(panel, box);
  }
  end_region();
}

}  // namespace headlight
