// How what is hovered and what is pinned are marked, the same in every figure, view and panel. Hovered: a thin dashed line, nothing filled.
// Pinned: a solid, thicker line around a light fill. The colour says what is marked (amber a query, teal a key, blue a head), the line how.
// On a pinned fill text has the palette's `text` colour: an amber or teal one would be too faint there.
#pragma once

#include <algorithm>
#include <cmath>

#include "engine/figure/scene.h"

namespace headlight {

enum class Mark : std::uint8_t { none, hovered, pinned };

inline constexpr float kDash = 5, kDashGap = 4;  ///< of a hovered line, in points
inline constexpr float kPinnedFill = 0.2F;       ///< opacity of a pinned fill

/// The line's width in points; `is_fine` where what it runs around is hardly larger than the line.
constexpr float mark_width(Mark mark, bool is_fine = false) {
  if (mark == Mark::none) return 0;
  return (is_fine ? 1.0F : 1.5F) + (mark == Mark::pinned ? 1.0F : 0.0F);
}
/// What fills the marked box, over whatever is there; alpha 0: nothing.
constexpr Colour mark_fill(Colour colour, Mark mark) {
  colour.alpha = mark == Mark::pinned ? static_cast<std::uint8_t>(255 * kPinnedFill) : 0;
  return colour;
}

/// The ground of a token's chip or of a word, tinted by a weight of 0…1: text in the palette's `text` stays readable on it.
inline constexpr float kMostTint = 0.44F;
inline Colour tinted(Colour ground, Colour colour, float weight) {
  return mix(ground, colour, kMostTint * (weight > 0 ? (weight < 1 ? weight : 1.0F) : 0.0F));
}

/// The dashes of a straight line, from its beginning on: draw(from, to) for each. `dash` and `gap` in the units of the ends.
template <typename Draw>
void for_each_dash(Point from, Point to, float dash, float gap, Draw draw) {
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  const Point step{(to.x - from.x) / length, (to.y - from.y) / length};
  const auto point = [&](float along) { return Point{from.x + step.x * along, from.y + step.y * along}; };
  for (float at = 0; at < length; at += dash + gap) draw(point(at), point(std::min(length, at + dash)));
}

/// One straight line of a mark: dashed for what is hovered.
inline void add_dashes(Scene& scene, Point from, Point to, Colour colour, Mark mark, float width) {
  const auto draw = [&](Point begin, Point end) { scene.items.emplace_back(SceneLine{begin, end, colour, width}); };
  if (mark == Mark::pinned || from == to) return draw(from, to);
  for_each_dash(from, to, kDash, kDashGap, draw);
}

/// The line of a mark alone, where a fill would change what the colours inside say: around the cells of a map.
inline void add_mark_line(Scene& scene, const Box& box, Colour colour, Mark mark, float width) {
  if (mark == Mark::none || box.width <= 0) return;
  if (mark == Mark::pinned) {
    scene.items.emplace_back(SceneBox{.box = box, .stroke = colour, .stroke_width = width});
    return;
  }
  const float out = width / 2;  // along the lower and right edges, as a box would draw them
  for (const float y : {box.y + out, box.bottom() - out}) add_dashes(scene, {box.x, y}, {box.right(), y}, colour, mark, width);
  for (const float x : {box.x + out, box.right() - out}) add_dashes(scene, {x, box.y}, {x, box.bottom()}, colour, mark, width);
}

/// Line and fill of a mark: around a label, a row of a list, a tile's frame. Put it under the text.
inline void add_mark(Scene& scene, const Box& box, Colour colour, Mark mark, float radius = 4) {
  if (mark == Mark::none || box.width <= 0) return;
  if (mark == Mark::hovered) return add_mark_line(scene, box, colour, mark, mark_width(mark));
  scene.items.emplace_back(
      SceneBox{.box = box, .fill = mark_fill(colour, mark), .stroke = colour, .stroke_width = mark_width(mark), .radius = radius});
}

}  // namespace headlight
