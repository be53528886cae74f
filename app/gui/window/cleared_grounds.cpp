#include "app/gui/window/cleared_grounds.h"

#include <algorithm>
#include <optional>

namespace headlight {
namespace {

constexpr unsigned int kTriangleIndices = 3, kQuadIndices = 6;
constexpr float kSmallest = 16384;  // pixels; below it a call costs more than it saves

const ImDrawVert& vertex(const ImDrawList& list, const ImDrawCmd& command, unsigned int index) {
  return list.VtxBuffer[static_cast<int>(list.IdxBuffer[static_cast<int>(command.IdxOffset + index)] + command.VtxOffset)];
}

/// As Dear ImGui makes a filled rectangle without rounding: corners 0 1 2, 0 2 3, one colour, one texel. `at`: an index of the command.
bool is_plain_quad(const ImDrawList& list, const ImDrawCmd& command, unsigned int at) {
  if (at + kQuadIndices > command.ElemCount) return false;
  const ImDrawVert &a = vertex(list, command, at), &b = vertex(list, command, at + 1), &c = vertex(list, command, at + 2);
  const ImDrawVert& d = vertex(list, command, at + 5);
  const auto is_alike = [&a](const ImDrawVert& other) { return other.col == a.col && other.uv.x == a.uv.x && other.uv.y == a.uv.y; };
  const bool is_upright = a.pos.y == b.pos.y && b.pos.x == c.pos.x && c.pos.y == d.pos.y && d.pos.x == a.pos.x;
  return is_upright && is_alike(b) && is_alike(c) && is_alike(d) && (a.col >> IM_COL32_A_SHIFT) == 255;
}

/// What is seen of such a rectangle, as a ClipRect; empty if that is not large.
std::optional<ImVec4> large_ground(const ImDrawList& list, const ImDrawCmd& command, unsigned int at) {
  if (!is_plain_quad(list, command, at)) return {};
  const ImVec2 from = vertex(list, command, at).pos, to = vertex(list, command, at + 2).pos;
  const ImVec4& clip = command.ClipRect;
  const ImVec4 ground(std::max(from.x, clip.x), std::max(from.y, clip.y), std::min(to.x, clip.z), std::min(to.y, clip.w));
  const float width = ground.z - ground.x, height = ground.w - ground.y;
  return width > 0 && height > 0 && width * height >= kSmallest ? std::optional(ground) : std::nullopt;
}

/// A part of a command: `count` of its indices, from `at` on.
ImDrawCmd part_of(const ImDrawCmd& command, unsigned int at, unsigned int count) {
  ImDrawCmd part = command;
  part.IdxOffset += at;
  part.ElemCount = count;
  return part;
}

}  // namespace

ImU32 colour_of(const ImDrawList& list, const ImDrawCmd& command) {
  return vertex(list, command, 0).col;
}

void take_out_grounds(ImDrawData& data, ImDrawCallback clear) {
  for (ImDrawList* list : data.CmdLists) {
    ImVector<ImDrawCmd> commands;
    for (const ImDrawCmd& command : list->CmdBuffer) {
      if (command.UserCallback != nullptr) {
        commands.push_back(command);
        continue;
      }
      unsigned int done = 0;
      const auto draw_until = [&](unsigned int end) {
        if (end > done) commands.push_back(part_of(command, done, end - done));
      };
      for (unsigned int at = 0; at + kQuadIndices <= command.ElemCount; at += kTriangleIndices) {
        const std::optional<ImVec4> ground = large_ground(*list, command, at);
        if (!ground) continue;
        draw_until(at);
        ImDrawCmd call = part_of(command, at, 0);
        call.ClipRect = *ground;
        call.UserCallback = clear;
        commands.push_back(call);
        done = at + kQuadIndices;
        at += kTriangleIndices;
      }
      draw_until(command.ElemCount);
    }
    list->CmdBuffer.swap(commands);
  }
}

}  // namespace headlight
