#include "app/gui/window/cleared_grounds.h"

#include <algorithm>

namespace headlight {
namespace {

constexpr unsigned int kQuadIndices = 6;
constexpr float kSmallest = 16384;  // pixels; below it a call costs more than it saves

const ImDrawVert& vertex(const ImDrawList& list, const ImDrawCmd& command, unsigned int index) {
  return list.VtxBuffer[static_cast<int>(list.IdxBuffer[static_cast<int>(command.IdxOffset + index)] + command.VtxOffset)];
}

/// As Dear ImGui makes a filled rectangle without rounding: corners 0 1 2, 0 2 3, one colour, one texel.
bool is_plain_quad(const ImDrawList& list, const ImDrawCmd& command) {
  if (command.UserCallback != nullptr || command.ElemCount < kQuadIndices) return false;
  const ImDrawVert &a = vertex(list, command, 0), &b = vertex(list, command, 1), &c = vertex(list, command, 2);
  const ImDrawVert& d = vertex(list, command, 5);
  const auto is_alike = [&a](const ImDrawVert& other) { return other.col == a.col && other.uv.x == a.uv.x && other.uv.y == a.uv.y; };
  const bool is_upright = a.pos.y == b.pos.y && b.pos.x == c.pos.x && c.pos.y == d.pos.y && d.pos.x == a.pos.x;
  return is_upright && is_alike(b) && is_alike(c) && is_alike(d) && (a.col >> IM_COL32_A_SHIFT) == 255;
}

}  // namespace

ImU32 colour_of(const ImDrawList& list, const ImDrawCmd& command) {
  return vertex(list, command, 0).col;
}

void take_out_grounds(ImDrawData& data, ImDrawCallback clear) {
  for (ImDrawList* list : data.CmdLists) {
    if (list->CmdBuffer.empty() || !is_plain_quad(*list, list->CmdBuffer.front())) continue;
    ImDrawCmd& first = list->CmdBuffer.front();
    const ImVec2 from = vertex(*list, first, 0).pos, to = vertex(*list, first, 2).pos;
    const ImVec4& clip = first.ClipRect;
    const ImVec4 ground(std::max(from.x, clip.x), std::max(from.y, clip.y), std::min(to.x, clip.z), std::min(to.y, clip.w));
    const float width = ground.z - ground.x, height = ground.w - ground.y;
    if (width <= 0 || height <= 0 || width * height < kSmallest) continue;
    ImDrawCmd call = first;
    call.ClipRect = ground;
    call.ElemCount = 0;
    call.UserCallback = clear;
    first.IdxOffset += kQuadIndices;
    first.ElemCount -= kQuadIndices;
    list->CmdBuffer.insert(list->CmdBuffer.begin(), call);
  }
}

}  // namespace headlight
