#include "app/gui/kit/shapes.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

namespace headlight {

ImDrawList& canvas() {
  return *ImGui::GetWindowDrawList();
}

void fill_rounded(const Fonts& fonts, ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float radius) {
  if (radius > 0 && fonts.corners->fill(list, from, to, colour, radius)) return;
  list.AddRectFilled(from, to, colour, radius);
}

void stroke_rounded(const Fonts& fonts, ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float radius, float width) {
  if (radius > 0 && fonts.corners->stroke(list, from, to, colour, radius, width)) return;
  const auto is_whole = [](float number) { return number == std::floor(number); };
  const bool has_inside = to.x - from.x > 2 * width && to.y - from.y > 2 * width;
  if (radius <= 0 && has_inside && is_whole(from.x) && is_whole(from.y) && is_whole(to.x) && is_whole(to.y) && is_whole(width)) {
    for (const float y : {from.y, to.y - width}) list.AddRectFilled({from.x, y}, {to.x, y + width}, colour);
    for (const float x : {from.x, to.x - width}) list.AddRectFilled({x, from.y + width}, {x + width, to.y - width}, colour);
    return;
  }
  const float in = width / 2 - 0.5F;  // Dear ImGui's lines have their middle half a pixel from the edge
  list.AddRect({from.x + in, from.y + in}, {to.x - in, to.y - in}, colour, radius, 0, width);
}

namespace {

/// The corners of a box on whole pixels, so that its edges are sharp. One that is thinner stays a pixel wide.
struct WholeBox {
  WholeBox(ImVec2 corner, ImVec2 opposite) : from(std::round(corner.x), std::round(corner.y)) {
    to = {std::max(std::round(opposite.x), from.x + (opposite.x > corner.x ? 1 : 0)),
          std::max(std::round(opposite.y), from.y + (opposite.y > corner.y ? 1 : 0))};
  }
  ImVec2 from, to;
};

}  // namespace

void stroke_path(ImDrawList& list, ImU32 colour, float width) {
  constexpr int kSmooth = ImDrawListFlags_AntiAliasedLines | ImDrawListFlags_AntiAliasedLinesUseTex;
  const float whole = std::max(1.0F, std::round(width));
  const bool has_texture = (list.Flags & kSmooth) == kSmooth && whole < IM_DRAWLIST_TEX_LINES_WIDTH_MAX && list._FringeScale == 1;
  const int begin = list.VtxBuffer.Size;
  list.PathStroke(colour, ImDrawFlags_None, has_texture ? whole : width);
  if (!has_texture) return;
  // Its vertices are pairs, one on each side of a point.
  const float stretch = width / whole;
  for (int i = begin; i + 1 < list.VtxBuffer.Size; i += 2) {
    ImVec2 &left = list.VtxBuffer[i].pos, &right = list.VtxBuffer[i + 1].pos;
    const ImVec2 middle{(left.x + right.x) / 2, (left.y + right.y) / 2};
    const ImVec2 out{(left.x - middle.x) * stretch, (left.y - middle.y) * stretch};
    left = {middle.x + out.x, middle.y + out.y};
    right = {middle.x - out.x, middle.y - out.y};
  }
}

void fill(const Look& look, ImVec2 from, ImVec2 to, Colour colour, float corner) {
  const WholeBox box(from, to);
  fill_rounded(look.fonts, canvas(), box.from, box.to, to_imgui(colour), look.px(corner));
}

void outline(const Look& look, ImVec2 from, ImVec2 to, Colour colour, float corner) {
  const WholeBox box(from, to);
  stroke_rounded(look.fonts, canvas(), box.from, box.to, to_imgui(colour), look.px(corner), std::max(1.0F, std::floor(look.scale)));
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
    const WholeBox around({box.x, box.y}, {box.right(), box.bottom()});
    stroke_rounded(look.fonts, canvas(), around.from, around.to, to_imgui(colour), look.px(corner), std::round(width));
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
