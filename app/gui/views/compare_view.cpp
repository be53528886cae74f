#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/document/subjects.h"
#include "app/gui/columns/brush.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/focus.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/views/compare_cells.h"
#include "app/gui/views/compare_numbers.h"
#include "app/gui/views/views.h"
#include "engine/figure/compare/compare_figure.h"
#include "engine/figure/figure_notes.h"

namespace headlight {
namespace {

constexpr float kInvitation = 320;  // width, in points, where it is beside the only card
constexpr float kLeastSeen = 120;   // side of a map: rather scroll to the numbers than see smaller ones beside them
constexpr float kSpokenCard = 150;  // narrower than usual: a lesson speaks of several heads, and its column takes room

/// What a card says about a cell: its weight, or the difference.
std::string value_text(const CompareCard& card, Cell cell) {
  if (!card.maps) return "…";
  const float weight = card.maps->weights(cell.query, cell.key);
  return card.subtracted ? signed_text(weight - card.subtracted->weights(cell.query, cell.key)) : weight_text(weight);
}

/// What a card's colours mean, while no cell is looked at: a small bar with words at its ends.
void draw_legend(const Look& look, const CompareCard& card, const Box& box, ComparedPair pair) {
  const ColourScale& scale = card.map.request.scale;
  const std::string low = card.is_difference ? pin_letter(pair.right) + " more" : "0";
  const std::string high = card.is_difference ? pin_letter(pair.left) + " more" : fmt::format("{:.2g}", scale.high);
  const float left = box.x + look.px(kCardInset);
  const float right = box.right() - look.px(kCardInset);
  const float y = std::round(box.bottom() - look.px(kCardFooter) / 2);
  draw_text(look, left, y, Type::caption, look.colours.text_second, low);
  draw_text(look, right, y, Type::caption, look.colours.text_second, high, AlignX::right);
  const float from = left + text_width(look, Type::caption, low) + look.px(kUnit);
  const float to = right - text_width(look, Type::caption, high) - look.px(kUnit);
  const float half = look.px(3);
  if (to > from) draw_ramp(ramp(scale.map, scale.is_dark), {from, y - half}, {to - from, 2 * half});
}

/// Under the map: the weight of the cell that all cards show.
void draw_footer(const Panel& panel, const std::vector<CompareCard>& cards, const CompareCard& card, const Box& box,
                 const std::optional<Cell>& cell, ComparedPair pair) {
  const Look& look = panel.look;
  if (!card.has_map()) return;
  if (!cell) return draw_legend(look, card, box, pair);
  const CellWords words = words_of(panel, card, card.is_difference ? &cards[pair.right] : nullptr, *cell);
  name_area("cell of card " + card.letter, {box.x, box.bottom() - look.px(kCardFooter), box.width, look.px(kCardFooter)});
  const float y = box.bottom() - look.px(kCardFooter) / 2;
  const std::string value = value_text(card, *cell), arrow = " → ";
  float x = box.x + look.px(kCardInset);
  const auto put = [&](Colour colour, const std::string& text) {
    draw_text(look, x, y, Type::body, colour, text);
    x += text_width(look, Type::body, text);
  };
  // The words share what the number and the positions leave; a short one leaves its share to the other.
  const float taken =
      text_width(look, Type::number, value) + text_width(look, Type::body, arrow + words.query_position + words.key_position);
  const float room = std::max(0.0F, box.width - look.px(2 * kCardInset + kUnit) - taken);
  const float key_width = std::min(text_width(look, Type::body, words.key), room / 2);
  const std::string query = elided(look, Type::body, words.query, room - key_width);
  put(look.colours.query, query + words.query_position);
  put(look.colours.text_second, arrow);
  put(look.colours.key, elided(look, Type::body, words.key, room - text_width(look, Type::body, query)) + words.key_position);
  draw_text(look, box.right() - look.px(kCardInset), y, Type::number, look.colours.text, value, AlignX::right);
}

/// In place of the difference's letters if there are more than two heads: "A ▾ − B ▾".
void draw_choice(Panel& panel, std::size_t heads, float left, float top) {
  const Look& look = panel.look;
  std::vector<std::string> letters;
  for (std::size_t place = 0; place < heads; ++place) letters.push_back(pin_letter(place));
  const float height = look.px(kCardHeader);
  const auto choose = [&](const char* name, int& chosen) {
    const float width = text_width(look, Type::body, letters[static_cast<std::size_t>(chosen)]) + look.px(22);
    if (drop_down(look, {left, left + width, top, height, left}, name, letters, chosen)) panel.view.compare.has_chosen_pair = true;
    left += width + look.px(12);
  };
  choose("Subtracted from", panel.view.compare.left);
  draw_text(look, left, top + height / 2, Type::body, look.colours.text_second, "−");
  left += text_width(look, Type::body, "−") + look.px(12);
  choose("Subtracted", panel.view.compare.right);
}

/// A snowflake with six arms; its colour says whether the card is frozen.
void draw_flake(const Look& look, ImVec2 centre, Colour colour) {
  constexpr float kTurn = 3.14159265F / 3;
  const float arm = look.px(6);
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  for (int turn = 0; turn < 3; ++turn) {
    const float angle = kTurn * (static_cast<float>(turn) + 0.5F);
    const ImVec2 tip{std::cos(angle) * arm, std::sin(angle) * arm};
    canvas.AddLine({centre.x - tip.x, centre.y - tip.y}, {centre.x + tip.x, centre.y + tip.y}, to_imgui(colour), look.px(1.25F));
  }
}

/// What was pressed on a card.
enum class CardPress : std::uint8_t { nothing, unpin, freeze };

/// The mark that freezes a pin's map, or lets it follow the edits again. Returns whether it was pressed.
bool draw_freeze_mark(Panel& panel, const CompareCard& card, std::size_t place, ImVec2 centre) {
  const Look& look = panel.look;
  const bool was_frozen = is_frozen(panel.draft, panel.draft.pins[place].subject);
  const std::string name = (was_frozen ? "Unfreeze " : "Freeze ") + card.letter;
  const float half = look.px(10);
  const Press press = press_area(name.c_str(), {centre.x - half, centre.y - half}, {2 * half, 2 * half});
  const std::string problem = was_frozen ? std::string() : why_not_frozen(panel.draft, place);
  hint(look, !problem.empty() ? problem.c_str()
             : was_frozen     ? "Frozen: the map stays as it was, whatever is edited. Click to let it follow the edits again."
                              : "Freeze: keep this map as it is now, whatever is edited.");
  const Colour idle = was_frozen ? look.colours.key : look.colours.text_third;
  draw_flake(look, centre, press.is_hovered ? look.colours.text : idle);
  return press.is_clicked && problem.empty();
}

/// What can be pressed in a card's heading.
CardPress draw_heading_controls(Panel& panel, const CompareCard& card, std::size_t place, const Box& box) {
  const Look& look = panel.look;
  if (card.is_difference) {
    if (place > 2) draw_choice(panel, place, box.x + look.px(kCardInset), box.y);
    return CardPress::nothing;
  }
  if (place >= panel.draft.pins.size()) return CardPress::nothing;  // a card of the baseline has no pin of its own
  const std::string name = "Unpin " + card.letter;
  const ImVec2 middle{box.right() - look.px(kCardInset) - look.px(kUnit), box.y + look.px(kCardHeader) / 2};
  const bool is_unpinned = close_button(look, name.c_str(), middle);
  hint(look, name.c_str());
  const bool is_frozen_pressed = draw_freeze_mark(panel, card, place, {middle.x - look.px(24), middle.y});
  return is_unpinned ? CardPress::unpin : is_frozen_pressed ? CardPress::freeze : CardPress::nothing;
}

/// A card of a brushed head has an accent edge at its top.
void draw_brush_edge(const Look& look, const Box& box) {
  const float inset = look.px(kCardInset), height = look.px(2);
  fill(look, {box.x + inset, box.y}, {box.right() - inset, box.y + height}, look.colours.accent, 0);
}

/// The parts of a card that are not in its picture.
CardPress draw_card_controls(Panel& panel, const std::vector<CompareCard>& cards, std::size_t number, const ScenePlace& place,
                             const std::optional<SharedCell>& shared, ComparedPair pair) {
  const Look& look = panel.look;
  const CompareCard& card = cards[number];
  const Box box = place.pixels(card.box);
  const CardPress press = draw_heading_controls(panel, card, number, box);
  const bool is_brushed_head = !card.is_difference && is_brushed(panel, card.head.head);
  if (is_brushed_head) draw_brush_edge(look, box);
  if (card.has_map()) {
    name_area("card " + card.letter, place.pixels(card.figure.map), card.figure.window);
  } else {
    ImGui::SetCursorScreenPos({box.x + look.px(kCardInset), box.y + look.px(kCardHeader + kBetween)});
    paragraph(look, Type::body, look.colours.text_second, card.problem, box.width - look.px(2 * kCardInset));
  }
  const bool has_cell = shared && card.has_map();
  draw_footer(panel, cards, card, box, has_cell ? cell_in(panel, card.head, card.layer, *shared) : std::nullopt, pair);
  return press;
}

/// "2 pinned · B not normalised: 6 rows sum to 3 · rows query …": what the colours cannot show comes first.
std::string header_text(const Panel& panel, const std::vector<CompareCard>& cards) {
  std::string text = fmt::format("{} pinned", panel.draft.pins.size());
  for (const CompareCard& card : cards) {
    if (card.is_difference || !card.has_map()) continue;
    const std::string badge = badge_of(shown_maps(panel, card.head.of), card.head.head, card.map.request.picture.get());
    if (!badge.empty()) text += fmt::format(" · {} {}", card.letter, badge);
  }
  return text + " · rows query, columns key · one crosshair · " + (panel.view.compare.has_shared_scale ? "one scale" : "own scales");
}

/// A small box outlined like a row, and what the outline means. Returns its left edge.
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
float draw_row_legend(const Panel& panel, const std::vector<CompareCard>& cards, float right, float middle) {
  const Look& look = panel.look;
  const bool has_pin =
      std::any_of(cards.begin(), cards.end(), [&](const CompareCard& card) { return pinned_query_of(panel, card.layer).has_value(); });
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
  const std::vector<Pin>& pins = panel.draft.pins;
  ImGui::SetCursorScreenPos({box.x, box.y});
  ImGui::BeginGroup();
  text_line(look, Type::title, look.colours.text, pins.empty() ? "Nothing is pinned yet" : "One more to compare with");
  gap(look, kInside);
  const bool has_baseline = pins.empty() && panel.draft.baseline.has_value();
  paragraph(look, Type::body, look.colours.text_second,
            has_baseline
                ? "Pinned heads appear here now, in the baseline, and as the difference. Ctrl-click a map in Overview, or press space "
                  "while a head is shown."
                : "Pinned heads appear here side by side, with one crosshair and one scale. Ctrl-click a map in Overview, or press "
                  "space while a head is shown.",
            std::min(box.width, look.px(560)));
  gap(look, 12);
  const HeadId shown = panel.view.head;
  const std::string own_head = fmt::format("Pin head {}.{}", shown.layer, shown.head);
  const char* label = has_baseline ? own_head.c_str() : pins.empty() ? "Pin two heads" : "Pin another head";
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = button_width(look, label);
  ImGui::Dummy({width, look.px(32)});
  if (quiet_button(look, label, at, {width, look.px(32)})) {
    if (pins.empty()) toggle_pin(panel.draft, shown);
    const HeadId first = pins.front().head;
    HeadId other = first;
    other.head = (other.head + 1) % std::max(1, panel.snapshot->heads());
    if (other == first) other.layer = (other.layer + 1) % std::max(1, panel.snapshot->layers());
    if (other != first && !has_baseline) toggle_pin(panel.draft, other);
  }
  ImGui::EndGroup();
}

/// The cards with what only a screen adds: where they are, and what is pointed at.
CompareFigure lay_out_cards(const Panel& panel, const FigureRequest& shown, const Box& area) {
  CompareFigureRequest request = comparison_of(*panel.snapshot, shown);
  request.area = area;
  if (panel.context.session.lessons().is_taken()) request.narrowest_card = kSpokenCard;
  const ComparedHead chosen = chosen_card(panel);
  if (!chosen.of || chosen.of == panel.snapshot) request.selected = chosen.head;
  request.offers_pairs = request.heads.size() > 2;
  request.mark = [&, mark = std::move(request.mark)](const ComparedHead& head, MapFigureRequest& map) {
    mark(head, map);
    map.crosshair = marked_in(panel, head, head.head.layer);
  };
  KeptMaps source(panel);
  return make_compare_figure(*panel.snapshot, request, source, panel.context.painter.measure());
}

/// The line above the cards: what they show, and what their outlines mean.
void draw_cards_header(const Panel& panel, const std::vector<CompareCard>& cards, const Box& line) {
  const Look& look = panel.look;
  const float middle = line.y + line.height / 2 + look.px(2);
  const float legend = draw_row_legend(panel, cards, line.right(), middle);
  draw_text(look, line.x, middle, Type::body, look.colours.text_second,
            elided(look, Type::body, header_text(panel, cards), legend - line.x));
}

void answer_card(Document& draft, CardPress press, std::size_t place) {
  if (press == CardPress::unpin) unpin(draft, place);
  if (press != CardPress::freeze) return;
  is_frozen(draft, draft.pins[place].subject) ? unfreeze_pin(draft, place) : freeze_pin(draft, place);
}

/// Where cards and numbers go: the numbers under the cards, at their right, or below the view's edge, whichever makes the maps larger.
struct ComparePlaces {
  Box area;                ///< of the cards, in points
  bool is_beside = false;  ///< the numbers are at the right
  float below = 0;         ///< pixels that are kept free under the cards
};
ComparePlaces places_of(const Look& look, const FigureRequest& shown, float width, float height, float below) {
  constexpr float kLarger = 1.05F, kMuchLarger = 1.25F;
  const std::size_t cards = shown.heads.size() + (shown.difference ? 1 : 0);
  const float numbers = shown.heads.size() < 2 ? look.px(kInvitation) : least_numbers_width(look, cards);
  const ComparePlaces under{{0, 0, width / look.scale, (height - below) / look.scale}, false, below};
  const ComparePlaces beside{{0, 0, (width - numbers - look.px(kBetween)) / look.scale, height / look.scale}, true, 0};
  const ComparePlaces scrolled{{0, 0, width / look.scale, height / look.scale}, false, 0};
  const auto side = [&](const ComparePlaces& places) { return largest_card_map(places.area, cards); };
  const ComparePlaces& seen = side(beside) > kLarger * side(under) ? beside : under;
  return std::max(side(seen), kLeastSeen) * kMuchLarger < side(scrolled) || side(seen) < kLeastSeen ? scrolled : seen;
}

/// What the cards leave for the numbers, in pixels: at their right, after the last one on its line where there is room, or under them.
Box rest_of(const Look& look, const ComparePlaces& places, const CompareFigure& figure, const ScenePlace& place, const Box& view,
            float least) {
  float right = view.x;
  for (const CompareCard& card : figure.cards) right = std::max(right, place.pixels(card.box).right());
  const float top = place.origin.y, bottom = place.pixels(Point{0, figure.bottom}).y, between = look.px(kBetween);
  const Box last = place.pixels(figure.cards.back().box);
  const bool fits_after_last = view.right() - last.right() - between >= least_numbers_width(look, figure.cards.size());
  if (places.is_beside || fits_after_last) {
    const Box from = places.is_beside ? Box{right, top, 0, 0} : Box{last.right(), last.y, 0, last.height};
    const float end = std::max({from.y + least, from.bottom(), view.bottom()});
    return {from.x + between, from.y, view.right() - from.x - between, end - from.y};
  }
  return {view.x, bottom, view.width, std::max(least, view.bottom() - bottom)};
}

void draw_cards(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  const float margin = look.px(24), header = look.px(48), width = box.width - 2 * margin;
  const FigureRequest shown = shown_figure(panel, kCompareFigure);
  const bool is_invited = shown.heads.size() < 2;
  const float least = is_invited ? look.px(160) : least_numbers_height(panel);
  const ComparePlaces places = places_of(look, shown, width, box.height - header - margin, least);
  const float top = ImGui::GetCursorScreenPos().y;
  const ScenePlace place{{box.x + margin, top + header}, look.scale};
  const Box& area = places.area;
  const ComparedPair pair = shown.difference.value_or(ComparedPair{});
  panel.view.compare.left = static_cast<int>(pair.left);
  panel.view.compare.right = static_cast<int>(pair.right);
  CompareFigure figure = lay_out_cards(panel, shown, area);
  find_pointed_cell(panel, figure.cards, place.points(ImGui::GetIO().MousePos));
  if (panel.view.pointed.cell || panel.view.pointed.elsewhere)
    figure = lay_out_cards(panel, shown, area);  // what is pointed at shows in the same frame
  const Box rest = rest_of(look, places, figure, place, {box.x + margin, top, width, box.height - margin}, least);
  const float content = std::max(place.pixels(Point{0, figure.bottom}).y, rest.bottom()) - top + margin;
  ImGui::Dummy({1, content + (content > box.height ? panel.caches.notes_height : 0)});
  draw_cards_header(panel, figure.cards, {box.x + margin, top, width, header});
  figure.scene.width = area.width;
  figure.scene.height = area.height;
  panel.context.painter.paint(figure.scene, place.origin, "compare");
  const std::optional<SharedCell> shared = shared_cell(panel, figure.cards);
  CardPress press = CardPress::nothing;
  std::size_t pressed = 0;
  for (std::size_t card = 0; card < figure.cards.size(); ++card) {
    const CardPress here = draw_card_controls(panel, figure.cards, card, place, shared, pair);
    if (here == CardPress::nothing) continue;
    press = here;
    pressed = card;
  }
  if (is_invited) {
    draw_invitation(panel, rest);
  } else {
    draw_numbers(panel, figure.cards, rest, pair);
  }
  answer_card(panel.draft, press, pressed);  // everything in this frame uses the pins that it began with
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
