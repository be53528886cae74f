#include "engine/figure/inside/ledger_pen.h"

#include <algorithm>
#include <cmath>

#include "engine/figure/figure_parts.h"
#include "engine/figure/marks.h"

namespace headlight {
float farthest_of(const InsidePictures::Picture& picture) {
  if (!picture) return 1;
  const float value = std::abs(picture->value(0, static_cast<float>(picture->rows()), 0, static_cast<float>(picture->columns())));
  return std::isfinite(value) && value > 0 ? value : 1;
}

LedgerPen::LedgerPen(Theme theme, const MeasureText& measure, InsidePictures::Picture masked, InsideFigure& figure)
    : colours_(palette(theme)), theme_(theme), measure_(measure), figure_(figure), masked_(std::move(masked)) {}

void LedgerPen::fill(LedgerLayer layer, const Box& box, Colour colour, float radius) {
  add(layer, SceneBox{.box = box, .fill = colour, .radius = radius});
}

void LedgerPen::frame(const Box& box, Colour colour, float width, float radius) {
  add(LedgerLayer::ink, SceneBox{.box = box, .stroke = colour, .stroke_width = width, .radius = radius});
}

void LedgerPen::dashed_line(Point from, Point to) {
  constexpr float kShort = 3, kBetween = 4;
  for_each_dash(from, to, kShort, kBetween, [&](Point begin, Point end) { line(begin, end, colours_.line); });
}

void LedgerPen::dashes(const Box& box) {
  dashed_line({box.x, box.y}, {box.right(), box.y});
  dashed_line({box.x, box.bottom()}, {box.right(), box.bottom()});
  dashed_line({box.x, box.y}, {box.x, box.bottom()});
  dashed_line({box.right(), box.y}, {box.right(), box.bottom()});
}

void LedgerPen::line(Point from, Point to, Colour colour, float width) {
  add(LedgerLayer::ink, SceneLine{from, to, colour, width});
}

void LedgerPen::hatch(LedgerLayer layer, const Box& box, float strength) {
  const Colour line = mix(colours_.hatch_ground, colours_.hatch, strength);
  add(layer, SceneMap{box, masked_, {0, 1, 0, 1}, scale(1), {colours_.hatch_ground, line, 7}});
}

void LedgerPen::text(Point at, const std::string& text, Colour colour, Words words, float room) {
  const LabelStyle style{words.face, words.size};
  const std::string shown = room > 0 ? shortened(text, room, style, measure_) : text;
  if (!shown.empty()) add(LedgerLayer::ink, SceneText{at, shown, words.face, words.size, colour, words.align});
}

std::vector<std::string> LedgerPen::lines(const std::string& text, float room) const {
  constexpr std::size_t kMostLines = 8;
  return wrapped(text, room, kMostLines, {FontFace::ui, kCaptionSize}, measure_);
}

ColourScale LedgerPen::scale(float high) const {
  return {ColourMap::coolwarm, theme_ == Theme::dark, ScaleKind::gamma, 0.75F, -high, high};
}

void LedgerPen::cells(LedgerLayer layer, const InsidePictures::Picture& picture, const CellWindow& window, const Box& box,
                      const ColourScale& scale) {
  if (!picture || box.width <= 0 || box.height <= 0) return;
  add(layer, SceneMap{box, picture, window, scale, {colours_.hatch_ground, colours_.hatch, 7}});
}

void LedgerPen::digits(const Box& cell, float value, const ColourScale& scale) {
  const std::string digits = cell_text(value);
  Colour colour = ink_on(scale.colour(value));
  if (digits == "0") colour = colours_.text_third;
  text({cell.x + cell.width / 2, cell.y + cell.height / 2}, digits, colour, {kCellText, FontFace::mono, AlignX::centre});
}

void LedgerPen::bar(const Box& box, float share, Colour colour) {
  const float width = std::clamp(share, 0.0F, 1.0F) * box.width;
  fill(LedgerLayer::front, box, mix(colours_.ground, colours_.line, 0.7F), box.height / 2);
  if (width > 0) fill(LedgerLayer::front, {box.x, box.y, std::max(width, 2.0F), box.height}, colour, std::min(width, box.height) / 2);
}

void LedgerPen::spot(const Box& box, const InsideNumber& number, Index count, bool is_column) {
  figure_.spots.push_back({.box = box, .number = number, .count = count, .is_column = is_column});
}
void LedgerPen::spot(const Box& box, InsideStep step) {
  figure_.spots.push_back({.box = box, .count = 0, .step = step});
}
void LedgerPen::spot(const Box& box, const LedgerRow& row) {
  figure_.spots.push_back({.box = box, .count = 0, .row = row});
}

void LedgerPen::finish() {
  for (std::vector<SceneItem>& layer : layers_) {
    figure_.scene.items.insert(figure_.scene.items.end(), std::make_move_iterator(layer.begin()), std::make_move_iterator(layer.end()));
    layer.clear();
  }
}

}  // namespace headlight
