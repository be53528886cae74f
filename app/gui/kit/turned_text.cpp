#include "app/gui/kit/turned_text.h"

#include <cmath>

#include "app/gui/kit/items.h"
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

void add_turned_text(ImDrawList& list, ImFont& font, float size, ImVec2 pivot, ImVec2 corner, float degrees, ImU32 colour,
                     std::string_view text) {
  // AddText would drop glyphs that are clipped before they are turned.
  const ImVec4 everywhere(-1e6F, -1e6F, 1e6F, 1e6F);
  const int first = list.VtxBuffer.Size;
  font.RenderText(&list, size, {0, 0}, colour, everywhere, text.data(), text.data() + text.size());
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
  add_turned_text(*ImGui::GetWindowDrawList(), *look.font(type), size, pivot, {0, -std::round(size / 2)}, 90, to_imgui(colour), text);
  note_text(text, {pivot.x + kHalfCapitals * size, pivot.y}, text_width(look, type, text), size, 90);
}

}  // namespace headlight
