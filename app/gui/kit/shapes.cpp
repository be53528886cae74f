#include "app/gui/kit/shapes.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

namespace headlight {

ImDrawList& canvas() {
  return *ImGui::GetWindowDrawList();
}

void fill_rounded(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float radius) {
  constexpr float kLarge = 16384;            // pixels
  const float band = std::ceil(radius) + 1;  // Dear ImGui leaves a pixel below an arc
  const auto is_whole = [](ImVec2 at) { return at.x == std::floor(at.x) && at.y == std::floor(at.y); };
  if (radius <= 0 || !is_whole(from) || !is_whole(to) || (to.x - from.x) * (to.y - from.y - 2 * band) < kLarge) {
    return list.AddRectFilled(from, to, colour, radius);
  }
  list.AddRectFilled(from, {to.x, from.y + band}, colour, radius, ImDrawFlags_RoundCornersTop);
  list.AddRectFilled({from.x, from.y + band}, {to.x, to.y - band}, colour);
  list.AddRectFilled({from.x, to.y - band}, to, colour, radius, ImDrawFlags_RoundCornersBottom);
}

void fill(const Look& look, ImVec2 from, ImVec2 to, Colour colour, float corner) {
  fill_rounded(canvas(), from, to, to_imgui(colour), look.px(corner));
}

void outline(const Look& look, ImVec2 from, ImVec2 to, Colour colour, float corner) {
  canvas().AddRect(from, to, to_imgui(colour), look.px(corner), 0, std::max(1.0F, std::floor(look.scale)));
}

void dashed_line(const Look& look, ImVec2 from, ImVec2 to, Colour colour, float width) {
  for_each_dash({from.x, from.y}, {to.x, to.y}, kDash * look.scale, kDashGap * look.scale, [&](Point begin, Point end) {
    canvas().AddLine({begin.x, begin.y}, {end.x, end.y}, to_imgui(colour), width);
  });
}

void draw_mark(const Look& look, const Box& box, Colour colour, Mark mark, float corner) {
  if (mark == Mark::none) return;
  const float width = std::max(1.0F, mark_width(mark) * look.scale);
  if (mark == Mark::pinned) {
    fill(look, {box.x, box.y}, {box.right(), box.bottom()}, mark_fill(colour, mark), corner);
    const float half = width / 2;
    canvas().AddRect({box.x + half, box.y + half}, {box.right() - half, box.bottom() - half}, to_imgui(colour), look.px(corner), 0, width);
    return;
  }
  const float in = width / 2, turn = look.px(corner) / 2;  // dashes do not run around the corners
  for (const float y : {box.y + in, box.bottom() - in}) dashed_line(look, {box.x + turn, y}, {box.right() - turn, y}, colour, width);
  for (const float x : {box.x + in, box.right() - in}) dashed_line(look, {x, box.y + turn}, {x, box.bottom() - turn}, colour, width);
}

bool is_in_popup() {
  return (ImGui::GetCurrentWindow()->RootWindow->Flags & ImGuiWindowFlags_Popup) != 0;
}

}  // namespace headlight
