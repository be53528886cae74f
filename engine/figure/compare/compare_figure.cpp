#include "engine/figure/compare/compare_figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/figure/compare/compare_parts.h"
#include "engine/figure/marks.h"
#include "engine/figure/page/page.h"
#include "engine/figure/pictures.h"

namespace headlight {
namespace {

constexpr float kWidestCard = 960;
constexpr float kCloseRoom = 40;  // for the buttons that freeze and close a card

constexpr CardShape kAreaShape{.inset = kCardInset,
                               .header = kCardHeader,
                               .footer = kCardFooter,
                               .title_middle = kCardHeader / 2,
                               .letter_gap = 12,
                               .title_size = kTextSize,
                               .gap = 16,
                               .per_line = 1,
                               .has_ground = true};

/// The side of the map in a card, when so many are on a line and all lines are to be seen at once.
float side_with(const Box& area, const CardShape& shape, std::size_t cards, std::size_t per_line) {
  const auto columns = static_cast<float>(per_line), lines = static_cast<float>((cards + per_line - 1) / per_line);
  const float width = (area.width - shape.gap * (columns - 1)) / columns - 2 * shape.inset;
  const float height = area.height / lines - shape.gap - shape.header - shape.footer;
  return std::min(width, height);
}

/// As many cards on a line as make the largest maps; where all of them would get small, as many as fit, and the lines scroll.
CardShape shape_of(const CompareFigureRequest& request, std::size_t cards) {
  CardShape shape = kAreaShape;
  float largest = request.narrowest_card - 2 * shape.inset;
  for (std::size_t per_line = 1; per_line <= cards; ++per_line) {
    const float side = side_with(*request.area, shape, cards, per_line);
    if (side < largest) continue;
    largest = side;
    shape.per_line = per_line;
    shape.is_fitted = true;
  }
  if (shape.is_fitted) return shape;
  const auto fitting = static_cast<std::size_t>(std::max(0.0F, (request.area->width + shape.gap) / (request.narrowest_card + shape.gap)));
  shape.per_line = std::clamp(fitting, std::size_t{1}, std::max(std::size_t{1}, cards));
  return shape;
}

std::string title_of(const ComparedHead& head, const Snapshot& run) {
  const std::string name =
      run.contains(head.head) ? name_of_head(run, head.head) : fmt::format("layer {} · head {}", head.head.layer, head.head.head);
  return head.subject.empty() ? name : head.subject + " · " + name;
}

/// The head by its number alone, so that what distinguishes the cards still fits.
std::string brief_title_of(const ComparedHead& head, const Snapshot& run) {
  const std::string number =
      run.contains(head.head) ? short_name_of_head(run, head.head) : fmt::format("{}.{}", head.head.layer, head.head.head);
  return head.subject.empty() ? number : head.subject + " · " + number;
}

CompareCard head_card(const Snapshot& own, const CompareFigureRequest& request, std::size_t place, FigureSource& source) {
  const ComparedHead& head = request.heads[place];
  const Snapshot& run = run_of(head, own);
  CompareCard card;
  card.letter = pin_letter(place);
  card.title = title_of(head, run);
  card.brief = brief_title_of(head, run);
  card.head = head;
  card.is_own = &run == &own;
  card.problem = head.problem.empty() ? "This model has no such head." : head.problem;
  if (!head.problem.empty() || !run.contains(head.head)) return card;
  card.layer = head.head.layer;
  card.maps = source.maps(head);
  card.problem = card.maps ? "" : "Making the maps …";
  ShownMaps& shown = source.shown(head, request.style);
  MapFigureRequest& map = card.map.request;
  map.picture = card.maps ? source.stage(head, card.maps, Stage::weights, request.style) : shown.small(head.head);
  map.scale = shown.scale(head.head, map.picture.get());
  return card;
}

/// Why two maps cannot be subtracted; empty when they can.
std::string size_problem(const Snapshot& own, const CompareFigureRequest& request, const HeadMaps& left, const HeadMaps& right) {
  const Matrix &a = left.weights, &b = right.weights;
  if (a.rows() == b.rows() && a.cols() == b.cols()) return {};
  if (request.heads.size() > 2 && !first_subtractable(own, request.heads)) {
    return "No two of these maps are of one size, so there is nothing to subtract.";
  }
  return unequal_sizes_text(a.rows(), a.cols(), b.rows(), b.cols());
}

CompareCard difference_card(const Snapshot& own, const CompareFigureRequest& request, const CompareCard& left, const CompareCard& right,
                            FigureSource& source) {
  CompareCard card;
  card.is_difference = true;
  card.letter = left.letter + " − " + right.letter;
  card.head = left.head;
  card.is_own = left.is_own;
  card.layer = left.layer;
  for (const CompareCard* head : {&left, &right}) {
    if (!head->maps) card.problem = head->problem;
  }
  if (!left.maps || !right.maps) return card;
  card.problem = size_problem(own, request, *left.maps, *right.maps);
  if (!card.problem.empty()) return card;
  card.maps = left.maps;
  card.subtracted = right.maps;
  card.map.request.picture = source.difference({left.head, card.maps}, {right.head, card.subtracted}, request.style);
  card.map.request.scale = scale_of_difference(request.style, *card.map.request.picture);
  card.brief = fmt::format("±{:.3g}", card.map.request.scale.high);
  card.title = request.offers_pairs ? card.brief : "zero-centred, " + card.brief;
  return card;
}

void share_scale(const CompareFigureRequest& request, std::vector<CompareCard>& cards, FigureSource& source) {
  std::vector<ColourScale> scales;
  std::vector<const ValueCounts*> counts;
  for (const CompareCard& card : cards) {
    if (!card.has_map()) continue;
    scales.push_back(card.map.request.scale);
    if (ranks_cells(request.style))
      counts.push_back(&source.shown(card.head, request.style).counts(card.head.head, card.map.request.picture.get()));
  }
  if (scales.empty()) return;
  const ColourScale shared = shared_scale(request.style, scales, counts);
  for (CompareCard& card : cards) card.map.request.scale = shared;
}

void mark_sentences(CompareCard& card, const Snapshot& run) {
  card.map.request.second_queries = second_sentence(run.query_tokens(card.layer));
  card.map.request.second_keys = second_sentence(run.key_tokens(card.layer));
}

/// Makes the cards, without their places.
std::vector<CompareCard> make_cards(const Snapshot& own, const CompareFigureRequest& request, FigureSource& source) {
  std::vector<CompareCard> cards;
  for (std::size_t place = 0; place < request.heads.size(); ++place) cards.push_back(head_card(own, request, place, source));
  if (!request.has_own_scales) share_scale(request, cards, source);
  if (const auto& pair = request.difference; pair && std::max(pair->left, pair->right) < cards.size()) {
    cards.push_back(difference_card(own, request, cards[pair->left], cards[pair->right], source));
  }
  for (CompareCard& card : cards) {
    card.map.request.theme = request.style.theme;
    if (card.has_map()) mark_sentences(card, run_of(card.head, own));
    if (card.has_map() && request.mark) request.mark(card.head, card.map.request);
  }
  return cards;
}

/// With names of tokens where the cells have room for them and get little smaller.
void add_names(const Snapshot& own, CompareCard& card, FigureSource& source, const MeasureText& measure) {
  constexpr float kLeastShare = 0.6F;
  const Snapshot& run = run_of(card.head, own);
  MapFigureRequest named = card.map.request;
  const auto columns = static_cast<float>(named.picture->columns());
  if (card.map.placed.map.width < kCaptionPitch * columns) return;
  named.has_labels = true;
  named.query_labels = source.labels(run, run.query_tokens(card.layer));
  named.key_labels = source.labels(run, run.key_tokens(card.layer));
  const PlacedMap placed = place_map(named, measure);
  if (placed.map.width < std::max(kCaptionPitch * columns, kLeastShare * card.map.placed.map.width)) return;
  card.map.request = std::move(named);
  card.map.placed = placed;
}

/// As wide as every other card, and as high as its map needs: its legend is right under it.
void size_for_area(const Snapshot& own, CompareCard& card, float width, FigureSource& source, const MeasureText& measure) {
  const float side = width - 2 * kAreaShape.inset;
  MapFigureRequest& map = card.map.request;
  map.area = {0, 0, side, side};
  map.has_labels = map.has_bar = map.has_axis_titles = false;
  float height = side;
  if (card.has_map()) {
    card.map.placed = place_map(map, measure);
    add_names(own, card, source, measure);
    height = card.map.placed.map.bottom();
  }
  card.title_left = measure(card.letter, FontFace::ui_bold, kTitleSize) + kAreaShape.letter_gap;
  card.box.width = width;
  card.box.height = kAreaShape.header + height + kAreaShape.footer;
}

/// At most the cards' share of the area's width, and not so tall that the first line, or each that is to be seen, does not fit.
float card_width(const CompareFigureRequest& request, const CardShape& shape, std::size_t cards) {
  const Box& area = *request.area;
  const auto columns = static_cast<float>(shape.per_line);
  const float room = (area.width - shape.gap * (columns - 1)) / columns;
  if (shape.is_fitted) return std::floor(std::min(side_with(area, shape, cards, shape.per_line) + 2 * shape.inset, kWidestCard));
  const float tallest = std::max(request.narrowest_card, area.height - shape.header - shape.footer + 2 * shape.inset - shape.gap);
  return std::floor(std::min({room, kWidestCard, tallest}));
}

/// Gives every card its place, line by line. Returns where the last line ends.
float flow(std::vector<CompareCard>& cards, const CardShape& shape, Point at) {
  float x = at.x, y = at.y, tallest = 0;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    Box& box = cards[i].box;
    box.x = x;
    box.y = y;
    x += box.width + shape.gap;
    tallest = std::max(tallest, box.height);
    const bool is_last = i + 1 == cards.size();
    if (!is_last && (i + 1) % shape.per_line != 0) continue;
    y += tallest + (is_last && !shape.has_ground ? 0 : shape.gap);
    x = at.x;
    tallest = 0;
  }
  return y;
}

/// Letter and title above the map.
void draw_heading(Scene& scene, const CompareCard& card, const CompareFigureRequest& request, const CardShape& shape,
                  const MeasureText& measure) {
  const Palette& colours = palette(request.style.theme);
  const float left = card.box.x + shape.inset, middle = card.box.y + shape.title_middle;
  const LabelStyle style{FontFace::ui, shape.title_size};
  if (card.is_difference && request.offers_pairs) {
    const Point right{card.box.right() - shape.inset, middle};
    scene.items.emplace_back(SceneText{right, card.title, style.face, style.size, colours.text_second, AlignX::right});
    return;
  }
  std::string title = card.title;
  if (request.area) {
    const float room = card.box.right() - shape.inset - (card.is_difference ? 0 : kCloseRoom) - left - card.title_left;
    if (!card.brief.empty() && measure(title, style.face, style.size) > room) title = card.brief;
    title = shortened(title, room, style, measure);
  }
  const float letter = request.area ? left : left + card.map.placed.margins.left;
  scene.items.emplace_back(SceneText{{letter, middle}, card.letter, FontFace::ui_bold, kTitleSize, colours.text});
  if (title.empty()) return;
  scene.items.emplace_back(SceneText{{left + card.title_left, middle}, std::move(title), style.face, style.size, colours.text_second});
}

void draw_card(Scene& scene, CompareCard& card, const CompareFigureRequest& request, const CardShape& shape, const MeasureText& measure) {
  constexpr float kCorner = 6;
  const Palette& colours = palette(request.style.theme);
  if (shape.has_ground) {
    const bool is_selected = !card.is_difference && card.is_own && request.selected == card.head.head;
    const Colour edge = is_selected ? colours.accent : colours.line;
    const float width = is_selected ? mark_width(Mark::pinned, true) : 1;
    scene.items.emplace_back(SceneBox{.box = card.box, .fill = colours.panel, .stroke = edge, .stroke_width = width, .radius = kCorner});
  }
  draw_heading(scene, card, request, shape, measure);
  if (!card.has_map()) return;
  card.figure = draw_sized(card.map, {card.box.x + shape.inset, card.box.y + shape.header}, measure);
  std::move(card.figure.scene.items.begin(), card.figure.scene.items.end(), std::back_inserter(scene.items));
  card.figure.scene.items.clear();
}

}  // namespace

float largest_card_map(const Box& area, std::size_t cards) {
  float largest = 0;
  for (std::size_t per_line = 1; per_line <= cards; ++per_line) largest = std::max(largest, side_with(area, kAreaShape, cards, per_line));
  return std::min(largest, kWidestCard - 2 * kAreaShape.inset);
}

SizedComparison size_comparison(const Snapshot& own, const CompareFigureRequest& request, FigureSource& source,
                                const MeasureText& measure) {
  SizedComparison sized{make_cards(own, request, source), 0};
  if (request.area) {
    const CardShape shape = shape_of(request, sized.cards.size());
    sized.width = request.area->width;
    const float width = card_width(request, shape, sized.cards.size());
    for (CompareCard& card : sized.cards) size_for_area(own, card, width, source, measure);
    return sized;
  }
  std::erase_if(sized.cards, [](const CompareCard& card) { return !card.has_map(); });
  return size_on_page(own, request, std::move(sized.cards), source, measure);
}

CompareFigure draw_comparison(SizedComparison sized, const CompareFigureRequest& request, Point at, const MeasureText& measure) {
  CompareFigure figure{std::move(sized.cards), {}, 0};
  const CardShape shape = request.area ? shape_of(request, figure.cards.size()) : page_shape(request, sized.per_line);
  figure.bottom = flow(figure.cards, shape, at);
  for (CompareCard& card : figure.cards) draw_card(figure.scene, card, request, shape, measure);
  return figure;
}

CompareFigure make_compare_figure(const Snapshot& own, const CompareFigureRequest& request, FigureSource& source,
                                  const MeasureText& measure) {
  const Point corner = request.area ? Point{request.area->x, request.area->y} : Point{};
  return draw_comparison(size_comparison(own, request, source, measure), request, corner, measure);
}

}  // namespace headlight
