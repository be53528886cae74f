#include "engine/figure/effects/row_pen.h"

#include <algorithm>

namespace headlight {

void RowPen::text(Point at, std::string words, LabelStyle style, Colour colour, AlignX align) {
  if (words.empty()) return;
  scene_.items.emplace_back(SceneText{at, std::move(words), style.face, style.size, colour, align});
}

void RowPen::line(Point from, Point to, Colour colour, float width) {
  scene_.items.emplace_back(SceneLine{from, to, colour, width});
}

void RowPen::fill(const Box& box, Colour colour, float radius) {
  scene_.items.emplace_back(SceneBox{.box = box, .fill = colour, .radius = radius});
}

void RowPen::frame(const Box& box, Colour colour, float width, float radius) {
  scene_.items.emplace_back(SceneBox{.box = box, .stroke = colour, .stroke_width = width, .radius = radius});
}

void RowPen::say(const Box& box, std::string words) {
  scene_.spots.push_back({.box = box, .words = std::move(words)});
}

void RowPen::ramp(const Box& box, const ColourScale& scale) {
  scene_.items.emplace_back(SceneRamp{box, scale});
}

float RowPen::paragraph(const std::string& words, const Box& room, LabelStyle style, Colour colour) {
  constexpr std::size_t kMostLines = 4;
  const float height = style.size + 4;
  float y = room.y;
  for (std::string& each : wrapped(words, room.width, kMostLines, style, measure_)) {
    text({room.x, y + height / 2}, std::move(each), style, colour);
    y += height;
  }
  return y;
}

void RowPen::part(const Box& strip, double share, Colour colour, float radius) {
  constexpr float kLeast = 0.5F;
  if (!(share > 0)) return;
  const float width = std::max(kLeast, strip.width * static_cast<float>(std::min(1.0, share)));
  fill({strip.x, strip.y, width, strip.height}, colour, width >= 2 * radius ? radius : 0);
}

void RowPen::bar(float from, float to, float middle, double value) {
  constexpr float kHeight = 10;
  const float left = std::min(from, to), right = std::max(std::max(from, to), left + 1);
  fill({left, middle - kHeight / 2, right - left, kHeight}, effect_colour(value, theme_), 1);
}

ColourScale effect_scale(double reach, Theme theme) {
  const auto high = static_cast<float>(reach);
  return {.map = ColourMap::coolwarm, .is_dark = theme == Theme::dark, .low = -high, .high = high};
}

Colour effect_colour(double value, Theme theme) {
  constexpr std::size_t kLess = 40, kMore = 215;
  return ramp(ColourMap::coolwarm, theme == Theme::dark)[value < 0 ? kLess : kMore];
}

}  // namespace headlight
