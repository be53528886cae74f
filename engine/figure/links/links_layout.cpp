#include <algorithm>
#include <cmath>

#include "engine/figure/figure_parts.h"
#include "engine/figure/links/links_figure.h"
#include "engine/figure/links/links_parts.h"

namespace headlight {
namespace {

constexpr float kHeading = 36;
constexpr float kFoot = 8;
constexpr float kPairGap = 18;  // between the two texts of a pair
constexpr float kTallRow = 33, kLowRow = 20;
constexpr float kMostRow = 48;  // in a window with room for it
constexpr float kWidestLabel = 152, kNarrowestLabel = 44;
constexpr float kBracketRoom = 28, kNumberRoom = 32;
constexpr float kLeastGap = 72, kPageGap = 300, kMostGap = 560;  // between the columns
constexpr float kLeastArcs = 56, kMostArcs = 420;                // at a side of the tokens

/// The parts of the width that do not depend on the area.
struct Widths {
  float bracket = 0, number = kNumberRoom;
  float query = 0, key = 0;  // labels
  float squares = 0;
  std::size_t squares_count = 0;

  float fixed() const { return 2 * bracket + 2 * number + query + key + 2 * kLinkLabelGap + squares; }
  void set_squares(std::size_t count) {
    squares_count = count;
    squares = count == 0 ? 0 : kLinkLabelGap + static_cast<float>(count) * kLinkSquareStep;
  }
};

Widths widths_of(const LinksFigureRequest& request, const MeasureText& measure) {
  const LinkLines& lines = *request.lines;
  const LabelStyle style{FontFace::ui_bold, kTextSize};  // the wider of the two that labels are written in
  Widths widths;
  widths.bracket = lines.texts.is_pair() ? kBracketRoom : 0;
  widths.query = std::ceil(widest(*request.query_labels, kWidestLabel, style, measure));
  widths.key = std::ceil(widest(*request.key_labels, kWidestLabel, style, measure));
  const float heading = std::ceil(measure(request.titles.key, FontFace::ui_bold, kTextSize));
  widths.key = std::max(widths.key, heading);
  widths.query = std::max(widths.query, std::ceil(measure(request.titles.query, FontFace::ui_bold, kTextSize)));
  const std::size_t heads = lines.maps->heads.size();
  widths.set_squares(request.has_arcs ? 0 : heads <= kMostSquares ? heads : 1);
  return widths;
}

Index first_of_second(const LinkText& text) {
  const auto second = std::find(text.is_second.begin(), text.is_second.end(), true);
  return second == text.is_second.end() ? -1 : static_cast<Index>(second - text.is_second.begin());
}

float rows_of(const LinksFigureRequest& request) {
  const LinkMaps& maps = *request.lines->maps;
  return static_cast<float>(std::max({Index{1}, maps.queries, maps.keys}));
}

float height_without_rows(const LinksFigureRequest& request) {
  return kHeading + kFoot + (request.lines->texts.is_pair() ? kPairGap : 0);
}

/// Labels give way first to fewer squares, then to shorter names.
void make_fit(Widths& widths, float room) {
  if (widths.fixed() + kLeastGap > room && widths.squares_count > 1) widths.set_squares(1);
  const float excess = widths.fixed() + kLeastGap - room;
  if (excess <= 0) return;
  widths.query = std::max(std::min(widths.query, kNarrowestLabel), widths.query - excess / 2);
  widths.key = std::max(std::min(widths.key, kNarrowestLabel), widths.key - excess / 2);
}

void place_columns(LinksLayout& layout, Widths widths, const Box& area) {
  make_fit(widths, area.width);
  const float gap = std::clamp(area.width - widths.fixed(), kLeastGap, kMostGap);
  const float left = std::round(area.x + std::max(0.0F, (area.width - widths.fixed() - gap) / 2));
  layout.query_number = left + widths.bracket + widths.number / 2;
  layout.query_left = left + widths.bracket + widths.number;
  layout.query_right = layout.query_left + widths.query;
  layout.key_left = layout.query_right + 2 * kLinkLabelGap + gap;
  layout.key_right = layout.key_left + widths.key;
  layout.squares_left = layout.key_right + kLinkLabelGap;
  layout.squares = widths.squares_count;
  layout.key_number = layout.key_right + widths.squares + widths.number / 2;
}

void place_arcs(LinksLayout& layout, Widths widths, const LinksFigureRequest& request) {
  const Box& area = request.area;
  const float fixed = widths.bracket + widths.number + widths.query + 2 * kLinkLabelGap;
  const float sides = request.lines->looks_ahead ? 2 : 1;
  const float room = std::clamp((area.width - fixed) / sides, kLeastArcs, kMostArcs);
  const float left = std::round(area.x + std::max(0.0F, (area.width - fixed - sides * room) / 2) + (sides - 1) * room);
  layout.query_number = left + widths.bracket + widths.number / 2;
  layout.query_left = layout.key_left = left + widths.bracket + widths.number;
  layout.query_right = layout.key_right = layout.query_left + widths.query;
  layout.key_number = layout.query_number;
  layout.arcs_left = left;
  layout.squares_left = layout.query_right;
}

float offset(float top, float pitch, Index second, Index token) {
  return top + pitch * static_cast<float>(token) + (second >= 0 && token >= second ? kPairGap : 0);
}

}  // namespace

LinksLayout links_layout(const LinksFigureRequest& request, const MeasureText& measure) {
  const LinkLines& lines = *request.lines;
  LinksLayout layout;
  layout.has_arcs = request.has_arcs && lines.texts.is_one_text;
  layout.queries = lines.maps->queries;
  layout.keys = lines.maps->keys;
  if (lines.texts.is_pair()) {
    layout.second_query = first_of_second(lines.texts.queries);
    layout.second_key = first_of_second(lines.texts.keys);
  }
  const float room = request.area.height - height_without_rows(request);
  layout.pitch = std::clamp(std::floor(room / rows_of(request)), request.has_low_rows ? kCaptionPitch : kLowRow, kMostRow);
  layout.type = layout.pitch < kLowRow ? kCaptionSize : kTextSize;
  layout.top = request.area.y + kHeading - request.scroll;
  layout.content_height = height_without_rows(request) + layout.pitch * rows_of(request);
  const Widths widths = widths_of(request, measure);
  if (layout.has_arcs) {
    place_arcs(layout, widths, request);
  } else {
    place_columns(layout, widths, request.area);
  }
  return layout;
}

Point links_size(const LinksFigureRequest& request, const MeasureText& measure) {
  constexpr float kFewRows = 24;
  const Widths widths = widths_of(request, measure);
  const float rows = rows_of(request);
  const float pitch = rows <= kFewRows ? kTallRow : kLowRow;
  const float sides = request.lines->looks_ahead ? 2 : 1;
  const float width =
      request.has_arcs ? widths.bracket + widths.number + widths.query + 2 * kLinkLabelGap + sides * kPageGap : widths.fixed() + kPageGap;
  return {width, height_without_rows(request) + pitch * rows};
}

float LinksLayout::query_middle(Index query) const {
  return offset(top, pitch, second_query, query) + pitch / 2;
}
float LinksLayout::key_middle(Index key) const {
  return offset(top, pitch, second_key, key) + pitch / 2;
}
Box LinksLayout::query_box(Index query) const {
  const float left = query_number - kNumberRoom / 2;
  return {left, query_middle(query) - pitch / 2, query_right + kLinkLabelGap - left, pitch};
}
Box LinksLayout::key_box(Index key) const {
  const float left = key_left - kLinkLabelGap;
  return {left, key_middle(key) - pitch / 2, key_number + kNumberRoom / 2 - left, pitch};
}

std::optional<LinkFocus> token_at(const LinksLayout& layout, const Box& area, Point point) {
  if (!area.contains(point)) return std::nullopt;
  const auto row_at = [&](Index second) {
    const float from_top = point.y - layout.top;
    const auto row = static_cast<Index>(std::floor(from_top / layout.pitch));
    if (second < 0 || row < second) return row;
    const auto below = static_cast<Index>(std::floor((from_top - kPairGap) / layout.pitch));
    return below < second ? Index{-1} : below;
  };
  const Index query = row_at(layout.second_query), key = row_at(layout.second_key);
  if (query >= 0 && query < layout.queries && layout.query_box(query).contains(point)) return LinkFocus{query, false};
  if (!layout.has_arcs && key >= 0 && key < layout.keys && layout.key_box(key).contains(point)) return LinkFocus{key, true};
  return std::nullopt;
}

}  // namespace headlight
