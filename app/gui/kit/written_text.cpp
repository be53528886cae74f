#include "app/gui/kit/written_text.h"

#include <cfloat>
#include <cmath>

#include "app/gui/kit/items.h"
#include "app/gui/kit/shaping/scripts.h"
#include "app/gui/kit/widgets.h"

namespace headlight {
namespace {

void turn(ImDrawVert* vertices, int count, ImVec2 pivot, float degrees) {
  const float angle = degrees * 3.14159265358979F / 180;
  // Quarter turns are exact, so that glyphs stay on whole pixels.
  const bool is_quarter = std::fmod(degrees, 90.0F) == 0;
  const float c = is_quarter ? std::round(std::cos(angle)) : std::cos(angle);
  const float s = is_quarter ? std::round(std::sin(angle)) : std::sin(angle);
  for (int i = 0; i < count; ++i) {
    const ImVec2 p = vertices[i].pos;
    vertices[i].pos = {pivot.x + p.x * c + p.y * s, pivot.y - p.x * s + p.y * c};
  }
}

}  // namespace

float written_width(const Fonts& fonts, FontFace face, float size, std::string_view text) {
  if (needs_shaping(text)) {
    const float width = fonts.shaped->width(text, face, size);
    if (width >= 0) return width;
  }
  return fonts.of(face)->CalcTextSizeA(size, FLT_MAX, 0, text.data(), text.data() + text.size()).x;
}

std::size_t fitting_bytes(const Fonts& fonts, FontFace face, float size, std::string_view text, float width) {
  if (needs_shaping(text)) return fonts.shaped->fitting_bytes(text, face, size, width);
  const char* rest = nullptr;
  fonts.of(face)->CalcTextSizeA(size, width, 0, text.data(), text.data() + text.size(), &rest);
  return static_cast<std::size_t>(rest - text.data());
}

float baseline_of(const Fonts& fonts, FontFace face, float size) {
  ImFont& font = *fonts.of(face);
  const ImFontConfig& source = *font.Sources[0];
  const float offset = source.SizePixels > 0 ? source.GlyphOffset.y * size / source.SizePixels : 0;
  return std::round(font.GetFontBaked(size)->Ascent + offset);
}

void add_text(ImDrawList& list, const Fonts& fonts, FontFace face, float size, ImVec2 at, ImU32 colour, std::string_view text) {
  if (needs_shaping(text)) {
    const LinePlace place{{std::round(at.x), std::round(at.y) + baseline_of(fonts, face, size)}};
    if (fonts.shaped->draw(list, text, face, size, place, colour)) return;
  }
  list.AddText(fonts.of(face), size, at, colour, text.data(), text.data() + text.size());
}

void add_turned_text(ImDrawList& list, const Fonts& fonts, FontFace face, float size, ImVec2 pivot, ImVec2 corner, float degrees,
                     ImU32 colour, std::string_view text) {
  if (needs_shaping(text)) {
    const LinePlace place{{pivot.x + corner.x, pivot.y + corner.y + baseline_of(fonts, face, size)}, pivot, degrees};
    if (fonts.shaped->draw(list, text, face, size, place, colour)) return;
  }
  // AddText would drop glyphs that are clipped before they are turned.
  const ImVec4 everywhere(-1e6F, -1e6F, 1e6F, 1e6F);
  const int first = list.VtxBuffer.Size;
  fonts.of(face)->RenderText(&list, size, {0, 0}, colour, everywhere, text.data(), text.data() + text.size());
  for (int i = first; i < list.VtxBuffer.Size; ++i) {
    list.VtxBuffer[i].pos.x += corner.x;
    list.VtxBuffer[i].pos.y += corner.y;
  }
  turn(list.VtxBuffer.Data + first, list.VtxBuffer.Size - first, pivot, degrees);
}

void draw_upward_text(const Look& look, float x, float bottom, Type type, Colour colour, std::string_view text) {
  constexpr float kHalfCapitals = 0.365F;  // ems; capitals are centred (fonts.h)
  const float size = look.points(type) * look.scale;
  const ImVec2 pivot{std::round(x), std::round(bottom)};
  add_turned_text(*ImGui::GetWindowDrawList(), look.fonts, look.face(type), size, pivot, {0, -std::round(size / 2)}, 90, to_imgui(colour),
                  text);
  note_text(text, {pivot.x + kHalfCapitals * size, pivot.y}, text_width(look, type, text), size, 90);
}

}  // namespace headlight
