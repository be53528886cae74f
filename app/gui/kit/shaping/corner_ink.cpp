#include "app/gui/kit/shaping/corner_ink.h"

#include <algorithm>
#include <cmath>

#include "app/gui/kit/shaping/atlas_ink.h"

namespace headlight {
namespace {

/// Whether a point, counted from the outer corner, is inside the arc of `radius` around (centre, centre), or beyond where the arc ends.
bool is_inside(float x, float y, float centre, float radius) {
  const float edge = centre - radius;
  if (x < edge || y < edge) return false;
  return x >= centre || y >= centre || std::hypot(centre - x, centre - y) <= radius;
}

/// The share of a pixel that the corner covers, from 8 × 8 points of it. `width` 0: filled.
float coverage(int x, int y, float density, float radius, float width) {
  constexpr int kPoints = 8;
  int covered = 0;
  for (int row = 0; row < kPoints; ++row) {
    for (int column = 0; column < kPoints; ++column) {
      const auto at = [&](int pixel, int part) {
        return (static_cast<float>(pixel) + (static_cast<float>(part) + 0.5F) / kPoints) / density;
      };
      const float across = at(x, column), down = at(y, row);
      const bool is_hollow =
          width > 0 && is_inside(across, down, radius, std::max(0.0F, radius - width)) && across >= width && down >= width;
      covered += is_inside(across, down, radius, radius) && !is_hollow ? 1 : 0;
    }
  }
  return static_cast<float>(covered) / (kPoints * kPoints);
}

/// Paints the upper left corner into the atlas.
ImFontAtlasRectId paint(float radius, float width) {
  const float density = pixel_density();
  const int side = static_cast<int>(std::ceil(std::ceil(radius) * density));
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  ImFontAtlasRect rect;
  const ImFontAtlasRectId id = atlas.AddCustomRect(side, side, &rect);
  if (id == ImFontAtlasRectId_Invalid) return id;
  ImTextureData& texture = *atlas.TexData;
  for (int y = 0; y < side; ++y) {
    auto* to = static_cast<unsigned char*>(texture.GetPixelsAt(rect.x, rect.y + y));
    for (int x = 0; x < side; ++x, to += texture.BytesPerPixel) {
      std::fill(to, to + texture.BytesPerPixel, static_cast<unsigned char>(0xFF));
      to[texture.BytesPerPixel - 1] = static_cast<unsigned char>(std::lround(255 * coverage(x, y, density, radius, width)));
    }
  }
  return id;
}

}  // namespace

bool CornerInk::fill(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float radius) {
  if (!draw(list, from, to, colour, radius, 0)) return false;
  const float side = std::ceil(radius);
  const auto box = [&](float left, float top, float right, float bottom) {
    if (left < right && top < bottom) list.AddRectFilled({left, top}, {right, bottom}, colour);
  };
  box(from.x + side, from.y, to.x - side, from.y + side);
  box(from.x, from.y + side, to.x, to.y - side);
  box(from.x + side, to.y - side, to.x - side, to.y);
  return true;
}

bool CornerInk::stroke(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float radius, float width) {
  if (width > std::ceil(radius) || width != std::floor(width) || !draw(list, from, to, colour, radius, width)) return false;
  const float side = std::ceil(radius);
  for (const float y : {from.y, to.y - width}) {
    if (from.x + side < to.x - side) list.AddRectFilled({from.x + side, y}, {to.x - side, y + width}, colour);
  }
  for (const float x : {from.x, to.x - width}) {
    if (from.y + side < to.y - side) list.AddRectFilled({x, from.y + side}, {x + width, to.y - side}, colour);
  }
  return true;
}

bool CornerInk::draw(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float radius, float width) {
  const float side = std::ceil(radius);
  const auto is_whole = [](ImVec2 at) { return at.x == std::floor(at.x) && at.y == std::floor(at.y); };
  if ((list.Flags & ImDrawListFlags_AntiAliasedFill) == 0 || !is_whole(from) || !is_whole(to) || to.x - from.x < 2 * side ||
      to.y - from.y < 2 * side)
    return false;
  const auto parts = [](float pixels) { return static_cast<int>(std::lround(pixels * 64)); };
  const auto [entry, is_new] = corners_.try_emplace({parts(radius), parts(width)}, ImFontAtlasRectId_Invalid);
  if (is_new) entry->second = paint(radius, width);
  ImFontAtlasRect rect;  // it moves when the atlas grows
  if (entry->second == ImFontAtlasRectId_Invalid || !ImGui::GetIO().Fonts->GetCustomRect(entry->second, &rect)) return false;
  if ((colour & IM_COL32_A_MASK) == 0) return true;
  list.PrimReserve(24, 16);
  for (const bool is_right : {false, true}) {
    for (const bool is_low : {false, true}) {
      const ImVec2 corner{is_right ? to.x - side : from.x, is_low ? to.y - side : from.y};
      const ImVec2 uv{is_right ? rect.uv1.x : rect.uv0.x, is_low ? rect.uv1.y : rect.uv0.y};
      const ImVec2 other{is_right ? rect.uv0.x : rect.uv1.x, is_low ? rect.uv0.y : rect.uv1.y};
      list.PrimRectUV(corner, {corner.x + side, corner.y + side}, uv, other, colour);
    }
  }
  return true;
}

}  // namespace headlight
