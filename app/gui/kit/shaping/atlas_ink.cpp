#include "app/gui/kit/shaping/atlas_ink.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace headlight {
namespace {

constexpr int kWidestPiece = 1024;  // pixels: the atlas is at least as wide as its widest piece

/// Writes the columns from `left` on of coverage (a byte a pixel) or colours (four) into a rectangle of the atlas.
void write_pixels(const ImFontAtlasRect& rect, const TextPixels& from, int left, bool is_tinted) {
  ImTextureData& texture = *ImGui::GetIO().Fonts->TexData;
  for (int y = 0; y < rect.h; ++y) {
    auto* to = static_cast<unsigned char*>(texture.GetPixelsAt(rect.x, rect.y + y));
    for (int x = 0; x < rect.w; ++x, to += texture.BytesPerPixel) {
      const auto at = static_cast<std::size_t>(y) * static_cast<std::size_t>(from.width) + static_cast<std::size_t>(left + x);
      if (texture.BytesPerPixel == 1) {
        *to = is_tinted ? from.coverage[at] : from.colours[at * 4 + 3];
      } else if (is_tinted) {
        to[0] = to[1] = to[2] = 0xFF;
        to[3] = from.coverage[at];
      } else {
        std::memcpy(to, &from.colours[at * 4], 4);
      }
    }
  }
}

ImVec2 turned(ImVec2 point, const LinePlace& place) {
  if (place.degrees == 0) return point;
  const float angle = place.degrees * 3.14159265358979F / 180;
  const bool is_quarter = std::fmod(place.degrees, 90.0F) == 0;  // exact: pixels stay pixels
  const float c = is_quarter ? std::round(std::cos(angle)) : std::cos(angle);
  const float s = is_quarter ? std::round(std::sin(angle)) : std::sin(angle);
  const float x = point.x - place.pivot.x, y = point.y - place.pivot.y;
  return {place.pivot.x + x * c + y * s, place.pivot.y - x * s + y * c};
}

}  // namespace

float pixel_density() {
  return std::max(1.0F, ImGui::GetIO().DisplayFramebufferScale.x);
}

AtlasInk::AtlasInk(const TextPixels& pixels) : left_(pixels.left), top_(pixels.top), height_(pixels.height) {
  for (const bool is_tinted : {true, false}) {
    if (!is_tinted && pixels.colours.empty()) break;
    for (int left = 0; left < pixels.width; left += kWidestPiece) {
      ImFontAtlasRect rect;
      Piece piece{ImFontAtlasRectId_Invalid, left, std::min(kWidestPiece, pixels.width - left), is_tinted};
      piece.rect = ImGui::GetIO().Fonts->AddCustomRect(piece.width, height_, &rect);
      if (piece.rect == ImFontAtlasRectId_Invalid) continue;  // the atlas is as large as it can be
      write_pixels(rect, pixels, left, is_tinted);
      pieces_.push_back(piece);
    }
  }
}

void AtlasInk::draw(ImDrawList& list, const LinePlace& place, ImU32 colour) const {
  const ImU32 untinted = (colour & IM_COL32_A_MASK) | (IM_COL32_WHITE & ~IM_COL32_A_MASK);
  const float density = pixel_density();
  for (const Piece& piece : pieces_) {
    ImFontAtlasRect rect;  // they move when the atlas grows
    if (!ImGui::GetIO().Fonts->GetCustomRect(piece.rect, &rect)) continue;
    const auto at = [&](int x, int y) {
      return turned({place.baseline.x + static_cast<float>(left_ + piece.left + x) / density,
                     place.baseline.y + static_cast<float>(top_ + y) / density},
                    place);
    };
    list.PrimReserve(6, 4);
    list.PrimQuadUV(at(0, 0), at(rect.w, 0), at(rect.w, rect.h), at(0, rect.h), rect.uv0, {rect.uv1.x, rect.uv0.y}, rect.uv1,
                    {rect.uv0.x, rect.uv1.y}, piece.is_tinted ? colour : untinted);
  }
}

void AtlasInk::release() {
  for (const Piece& piece : pieces_) ImGui::GetIO().Fonts->RemoveCustomRect(piece.rect);
  pieces_.clear();
}

std::size_t AtlasInk::pixels() const {
  std::size_t sum = 0;
  for (const Piece& piece : pieces_) sum += static_cast<std::size_t>(piece.width) * static_cast<std::size_t>(height_);
  return sum;
}

}  // namespace headlight
