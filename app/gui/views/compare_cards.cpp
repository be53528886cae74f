#include "app/gui/views/compare_cards.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/gui/panel/focus.h"
#include "engine/figure/pictures.h"

namespace headlight {
namespace {

constexpr float kNarrowestCard = 200;
constexpr float kWidestCard = 460;

Card head_card(Panel& panel, std::size_t place, HeadId head) {
  Card card;
  card.letter = letter_of(place);
  card.title = fmt::format("layer {} · head {}", head.layer, head.head);
  card.head = head;
  card.problem = "This model has no such head.";
  if (!panel.snapshot->contains(head)) return card;
  card.layer = head.layer;
  card.title = fmt::format("{} · head {}", panel.snapshot->layer_name(head.layer), head.head);
  card.problem = "Making the maps …";
  card.maps = maps_of(panel, head);
  card.request.picture = card.maps ? panel.view.pictures.stage(card.maps, Stage::weights) : panel.view.pictures.summary(head);
  card.request.scale = scale_of_head(*panel.snapshot, panel.draft.style, head);
  return card;
}

/// Why two maps cannot be subtracted; empty when they can.
std::string size_problem(const HeadMaps& left, const HeadMaps& right) {
  const Matrix &a = left.weights, &b = right.weights;
  if (a.rows() == b.rows() && a.cols() == b.cols()) return {};
  return fmt::format("{} × {} and {} × {} cells: only maps of one size can be subtracted.", a.rows(), a.cols(), b.rows(), b.cols());
}

Card difference_card(Panel& panel, const std::vector<Card>& heads) {
  ViewState& view = panel.view;
  const int last = static_cast<int>(heads.size()) - 1;
  view.compare_left = std::clamp(view.compare_left, 0, last);
  view.compare_right = std::clamp(view.compare_right, 0, last);
  const Card& left = heads[static_cast<std::size_t>(view.compare_left)];
  const Card& right = heads[static_cast<std::size_t>(view.compare_right)];
  Card card;
  card.letter = left.letter + " − " + right.letter;
  card.left_letter = left.letter;
  card.right_letter = right.letter;
  card.layer = left.layer;
  card.problem = "Making the maps …";
  for (const Card* head : {&left, &right}) {
    if (!head->maps) card.problem = head->problem;
  }
  if (!left.maps || !right.maps) return card;
  card.problem = size_problem(*left.maps, *right.maps);
  if (!card.problem.empty()) return card;
  card.maps = left.maps;
  card.subtracted = right.maps;
  card.request.picture = view.pictures.difference(card.maps, card.subtracted);
  card.request.scale = scale_of_difference(panel.draft.style, *card.request.picture);
  card.title = fmt::format("{}±{:.2g}", heads.size() > 2 ? "" : "zero-centred, ", card.request.scale.high);
  return card;
}

}  // namespace

std::string letter_of(std::size_t place) {
  return place < 26 ? std::string(1, static_cast<char>('A' + place)) : fmt::format("{}", place + 1);
}

std::vector<Card> make_cards(Panel& panel) {
  std::vector<Card> cards;
  for (std::size_t place = 0; place < panel.draft.pins.size(); ++place) cards.push_back(head_card(panel, place, panel.draft.pins[place]));
  if (panel.view.has_shared_scale) {
    float high = 0;
    for (const Card& card : cards) high = card.request.picture ? std::max(high, card.request.scale.high) : high;
    for (Card& card : cards) card.request.scale.high = high;
  }
  if (cards.size() >= 2) cards.push_back(difference_card(panel, cards));
  return cards;
}

float lay_out(const Look& look, std::vector<Card>& cards, float width, float height) {
  const float between = look.px(kBetween);
  const auto count = static_cast<int>(cards.size());
  const int columns = std::clamp(static_cast<int>((width + between) / (look.px(kNarrowestCard) + between)), 1, count);
  const float room = (width - between * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  const float extra = look.px(kCardHeader + kCardFooter);
  // Not so tall that the first line does not fit the view.
  const float tallest = std::max(look.px(kNarrowestCard), height - extra + look.px(2 * kBetween) - between);
  const float card_width = std::floor(std::min({room, look.px(kWidestCard), tallest}));
  const float card_height = card_width - 2 * look.px(kBetween) + extra;
  for (int i = 0; i < count; ++i) {
    const auto column = static_cast<float>(i % columns);
    const int whole_lines = i / columns;
    const auto line = static_cast<float>(whole_lines);
    cards[static_cast<std::size_t>(i)].box = {column * (card_width + between), line * (card_height + between), card_width, card_height};
  }
  const int lines = (count + columns - 1) / columns;
  return static_cast<float>(lines) * (card_height + between);
}

void make_card_figure(Panel& panel, Card& card, const MeasureText& measure) {
  if (!card.request.picture) return;
  const Look& look = panel.look;
  const float side = card.box.width / look.scale - 2 * kBetween;
  card.request.area = {0, 0, side, side};
  card.request.has_labels = card.request.has_bar = card.request.has_axis_titles = false;
  card.request.crosshair = crosshair_of(panel, card.layer);
  card.request.pinned_query = pinned_query_of(panel, card.layer);
  card.request.theme = panel.draft.style.theme;
  card.figure = make_map_figure(card.request, measure);
}

ImVec2 map_origin(const Look& look, const Card& card) {
  return {card.box.x + look.px(kBetween) - std::round(card.figure.map.x * look.scale), card.box.y + look.px(kCardHeader)};
}

}  // namespace headlight
