#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "engine/figure/compare/compare_parts.h"

namespace headlight {
namespace {

constexpr float kLargestPanel = 360;
constexpr CardShape kPageShape{.header = 24, .title_middle = 10, .letter_gap = 10, .title_size = kCaptionSize, .gap = 32, .per_line = 3};

/// On a page of a stated width maps are nearer to each other.
constexpr CardShape narrow_page(std::size_t per_line) {
  CardShape shape = kPageShape;
  shape.gap = 16;
  shape.per_line = per_line;
  return shape;
}

/// Labels, titles and colour bars of a page; queries are labelled only where the map to the left has different ones.
void add_axes(const Snapshot& own, const CompareFigureRequest& request, std::size_t per_line, std::vector<CompareCard>& cards,
              FigureSource& source) {
  const Encoding* queries_at_left = nullptr;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    CompareCard& card = cards[i];
    const Snapshot& run = run_of(card.head, own);
    const Encoding& queries = run.query_tokens(card.layer);
    const bool begins_line = i % per_line == 0;
    MapFigureRequest& map = card.map.request;
    if (begins_line || &queries != queries_at_left) map.query_labels = source.labels(run, queries);
    queries_at_left = &queries;
    map.key_labels = source.labels(run, run.key_tokens(card.layer));
    map.titles = axis_titles(run, card.layer);
    map.is_tight = request.page_width > 0;
    if (map.is_tight && !map.query_labels) map.titles.query.clear();
    map.words = std::make_shared<const MapWords>(
        MapWords{card.letter + " · " + card.title, source.labels(run, queries), map.key_labels, "query", "key"});
    map.has_bar = request.has_bars && (card.is_difference || request.has_own_scales || i + 1 == request.heads.size());
  }
}

void size_for_page(CompareCard& card, const MapRoom& room, const MeasureText& measure) {
  card.map = size_map(std::move(card.map.request), room, measure);
  card.title_left = card.map.placed.margins.left + measure(card.letter, FontFace::ui_bold, kTitleSize) + kPageShape.letter_gap;
  card.box.width = std::max(card.map.size().x, card.title_left + measure(card.title, FontFace::ui, kPageShape.title_size));
  card.box.height = kPageShape.header + card.map.size().y;
}

/// The width of the cards that are on one line.
float widest_line(const std::vector<CompareCard>& cards, const CardShape& shape) {
  float widest = 0;
  for (std::size_t i = 0; i < cards.size(); i += shape.per_line) {
    float line = -shape.gap;
    for (std::size_t j = i; j < std::min(i + shape.per_line, cards.size()); ++j) line += cards[j].box.width + shape.gap;
    widest = std::max(widest, line);
  }
  return widest;
}

/// The longer side of the largest map's cells: less than was asked for where cells are not larger.
float largest_side(const std::vector<CompareCard>& cards) {
  float side = 0;
  for (const CompareCard& card : cards) side = std::max({side, card.map.placed.map.width, card.map.placed.map.height});
  return side;
}

/// What all lines take.
float height_of_lines(const std::vector<CompareCard>& cards, const CardShape& shape) {
  float height = -shape.gap;
  for (std::size_t i = 0; i < cards.size(); i += shape.per_line) {
    float tallest = 0;
    for (std::size_t j = i; j < std::min(i + shape.per_line, cards.size()); ++j) tallest = std::max(tallest, cards[j].box.height);
    height += tallest + shape.gap;
  }
  return height;
}

/// How much of its size is left to a comparison on its page: 1 where it fits.
float share_kept(const SizedComparison& sized, const CompareFigureRequest& request, const CardShape& shape) {
  float share = std::min(1.0F, request.page_width / sized.width);
  if (request.page_height > 0) share = std::min(share, request.page_height / height_of_lines(sized.cards, shape));
  return share;
}

/// A title no wider than its map.
void shorten_title(CompareCard& card, const MeasureText& measure) {
  const LabelStyle style{FontFace::ui, kPageShape.title_size};
  const float room = std::max(card.map.size().x - card.title_left, 0.0F);
  if (!card.brief.empty() && measure(card.title, style.face, style.size) > room) card.title = card.brief;
  card.title = shortened(card.title, room, style, measure);
  card.box.width = card.map.size().x;
}

/// Cards of one map size, so many on a line, no wider and together no higher than the page where that can be. Returns the side of their maps.
float size_for_line(const Snapshot& own, const CompareFigureRequest& request, const CardShape& shape, std::vector<CompareCard>& cards,
                    FigureSource& source, const MeasureText& measure) {
  constexpr float kLeastSide = 48;
  float side = std::min(kLargestPanel, request.page_width);
  for (CompareCard& card : cards) card.map.request.query_labels = nullptr;
  add_axes(own, request, shape.per_line, cards, source);
  const std::vector<CompareCard> unsized = cards;
  const auto lines = static_cast<float>((cards.size() + shape.per_line - 1) / shape.per_line);
  for (int look = 0; look < 16; ++look) {  // labels take another share of narrower maps
    cards = unsized;
    for (CompareCard& card : cards) {
      size_for_page(card, {.largest_side = side, .share_of = request.page_width / static_cast<float>(shape.per_line)}, measure);
      shorten_title(card, measure);
    }
    const float across = (widest_line(cards, shape) - request.page_width) / static_cast<float>(shape.per_line);
    const float down = request.page_height > 0 ? (height_of_lines(cards, shape) - request.page_height) / lines : 0;
    const float excess = std::max(across, down);
    if (excess <= 0 || side <= kLeastSide) break;
    side = std::max(kLeastSide, std::min(side, largest_side(cards)) - std::max(1.0F, excess));
  }
  return side;
}

/// As many maps on a line as leave each of them readable, with a label for every token; where that is not possible, what keeps most of the
/// letters' size, then most of the labels.
SizedComparison narrow_comparison(const Snapshot& own, const CompareFigureRequest& request, std::vector<CompareCard> cards,
                                  FigureSource& source, const MeasureText& measure) {
  constexpr float kReadableSide = 84;
  SizedComparison best;
  float best_share = 0, best_side = 0;
  Index best_stride = 1;
  for (std::size_t per_line = std::min(kPageShape.per_line, std::max(std::size_t{1}, cards.size())); per_line > 0; --per_line) {
    SizedComparison sized{cards, 0, per_line};
    const CardShape shape = narrow_page(per_line);
    const float side = size_for_line(own, request, shape, sized.cards, source, measure);
    sized.width = widest_line(sized.cards, shape);
    const float share = share_kept(sized, request, shape);
    const Index stride = sized.label_stride();
    if (side >= kReadableSide && share == 1 && stride == 1) return sized;
    const bool is_better = stride < best_stride || (stride == best_stride && side > best_side);
    if (share == best_share ? !is_better : share < best_share) continue;
    best = std::move(sized);
    best_share = share;
    best_side = side;
    best_stride = stride;
  }
  return best;
}

}  // namespace

CardShape page_shape(const CompareFigureRequest& request, std::size_t per_line) {
  return request.page_width > 0 ? narrow_page(per_line) : kPageShape;
}

float SizedComparison::height() const {
  return height_of_lines(cards, narrow_page(per_line));
}

Index SizedComparison::label_stride() const {
  Index stride = 1;
  for (const CompareCard& card : cards) stride = std::max(stride, card.map.label_stride);
  return stride;
}

SizedComparison size_on_page(const Snapshot& own, const CompareFigureRequest& request, std::vector<CompareCard> cards, FigureSource& source,
                             const MeasureText& measure) {
  if (request.page_width > 0) return narrow_comparison(own, request, std::move(cards), source, measure);
  SizedComparison sized{std::move(cards), 0, kPageShape.per_line};
  add_axes(own, request, sized.per_line, sized.cards, source);
  for (CompareCard& card : sized.cards) size_for_page(card, {.largest_side = kLargestPanel}, measure);
  sized.width = widest_line(sized.cards, kPageShape);
  return sized;
}

}  // namespace headlight
