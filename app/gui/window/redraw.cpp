#include "app/gui/window/redraw.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

namespace headlight {
namespace {

constexpr float kLargestShare = 0.25F;  // of the window; more than that is drawn with the rest

/// The triangles of one command, however their vertices are numbered.
class Corners {
 public:
  Corners(std::span<const ImDrawVert> vertices, std::span<const ImDrawIdx> indices, const ImDrawCmd& command)
      : vertices_(vertices.subspan(command.VtxOffset)), indices_(indices.subspan(command.IdxOffset, command.ElemCount)) {}
  std::size_t size() const { return indices_.size(); }
  const ImDrawVert& operator[](std::size_t at) const { return vertices_[indices_[at]]; }

 private:
  std::span<const ImDrawVert> vertices_;
  std::span<const ImDrawIdx> indices_;
};

bool is_equal(const ImDrawVert& a, const ImDrawVert& b) {
  return a.pos.x == b.pos.x && a.pos.y == b.pos.y && a.uv.x == b.uv.x && a.uv.y == b.uv.y && a.col == b.col;
}

/// Whether both draw to the same place, with the same texture, in the same way; the number of triangles may differ.
bool is_same_call(const ImDrawCmd& a, const ImDrawCmd& b) {
  const bool is_same_clip =
      a.ClipRect.x == b.ClipRect.x && a.ClipRect.y == b.ClipRect.y && a.ClipRect.z == b.ClipRect.z && a.ClipRect.w == b.ClipRect.w;
  const bool is_same_texture = a.TexRef._TexData == b.TexRef._TexData && a.TexRef._TexID == b.TexRef._TexID;
  return is_same_clip && is_same_texture && a.UserCallback == b.UserCallback && a.UserCallbackData == b.UserCallbackData;
}

Box join(const Box& a, const Box& b) {
  if (a.width <= 0) return b;
  if (b.width <= 0) return a;
  const float left = std::min(a.x, b.x), top = std::min(a.y, b.y);
  return {left, top, std::max(a.right(), b.right()) - left, std::max(a.bottom(), b.bottom()) - top};
}

/// Whole pixels around [begin, end) of the corners, with one to spare for smoothed edges, inside the command's clip rectangle.
Box box_around(const Corners& corners, std::size_t begin, std::size_t end, const ImVec4& clip) {
  if (begin >= end) return {};
  ImVec2 least = corners[begin].pos, most = least;
  for (std::size_t i = begin; i < end; ++i) {
    const ImVec2 at = corners[i].pos;
    least = {std::min(least.x, at.x), std::min(least.y, at.y)};
    most = {std::max(most.x, at.x), std::max(most.y, at.y)};
  }
  const float left = std::max(std::floor(least.x) - 1, clip.x), top = std::max(std::floor(least.y) - 1, clip.y);
  const float right = std::min(std::ceil(most.x) + 1, clip.z), bottom = std::min(std::ceil(most.y) + 1, clip.w);
  return right > left && bottom > top ? Box{left, top, right - left, bottom - top} : Box{};
}

/// Around the triangles that only one of the two has: what is alike at the beginning and at the end is left out.
Box difference(const Corners& before, const Corners& now, const ImVec4& clip) {
  const std::size_t shorter = std::min(before.size(), now.size());
  std::size_t head = 0, tail = 0;
  while (head < shorter && is_equal(before[head], now[head])) ++head;
  head -= head % 3;  // whole triangles
  while (tail < shorter - head && is_equal(before[before.size() - 1 - tail], now[now.size() - 1 - tail])) ++tail;
  tail -= tail % 3;
  return join(box_around(before, head, before.size() - tail, clip), box_around(now, head, now.size() - tail, clip));
}

template <typename Element>
bool is_equal(const std::vector<Element>& kept, const ImVector<Element>& now) {
  const auto bytes = static_cast<std::size_t>(now.Size) * sizeof(Element);
  return kept.size() == static_cast<std::size_t>(now.Size) && (bytes == 0 || std::memcmp(kept.data(), now.Data, bytes) == 0);
}

bool has_unwritten_texture(const ImDrawData& data) {
  if (data.Textures == nullptr) return false;
  return std::any_of(data.Textures->begin(), data.Textures->end(),
                     [](const ImTextureData* texture) { return texture->Status != ImTextureStatus_OK; });
}

}  // namespace

std::optional<Box> LastFrame::difference(const List& before, const ImDrawList& now, bool is_same_mesh) {
  if (before.commands.size() != static_cast<std::size_t>(now.CmdBuffer.Size)) return std::nullopt;
  Box box;
  for (int i = 0; i < now.CmdBuffer.Size; ++i) {
    const ImDrawCmd &old_call = before.commands[static_cast<std::size_t>(i)], &new_call = now.CmdBuffer[i];
    if (!is_same_call(old_call, new_call)) return std::nullopt;
    if (is_same_mesh && old_call.ElemCount == new_call.ElemCount && old_call.IdxOffset == new_call.IdxOffset) continue;
    if (new_call.UserCallback != nullptr) continue;
    const Corners old_corners(before.vertices, before.indices, old_call);
    const Corners new_corners(std::span(now.VtxBuffer.Data, static_cast<std::size_t>(now.VtxBuffer.Size)),
                              std::span(now.IdxBuffer.Data, static_cast<std::size_t>(now.IdxBuffer.Size)), new_call);
    box = join(box, headlight::difference(old_corners, new_corners, new_call.ClipRect));
  }
  return box;
}

void LastFrame::keep(List& list, const ImDrawList& now) {
  list.vertices.assign(now.VtxBuffer.begin(), now.VtxBuffer.end());
  list.indices.assign(now.IdxBuffer.begin(), now.IdxBuffer.end());
  list.commands.assign(now.CmdBuffer.begin(), now.CmdBuffer.end());
}

FrameChange LastFrame::replace(const ImDrawData& data, int textures) {
  FrameChange change;
  // Boxes are in pixels; points are pixels only at this scale.
  const bool is_in_pixels = data.FramebufferScale.x == 1 && data.FramebufferScale.y == 1;
  change.is_all = !is_known_ || !is_in_pixels || size_.x != data.DisplaySize.x || size_.y != data.DisplaySize.y || textures_ != textures ||
                  lists_.size() != static_cast<std::size_t>(data.CmdLists.Size) || has_unwritten_texture(data);
  lists_.resize(static_cast<std::size_t>(data.CmdLists.Size));
  for (int i = 0; i < data.CmdLists.Size; ++i) {
    List& kept = lists_[static_cast<std::size_t>(i)];
    const ImDrawList& now = *data.CmdLists[i];
    const bool is_same = is_equal(kept.vertices, now.VtxBuffer) && is_equal(kept.indices, now.IdxBuffer);
    const std::optional<Box> box = change.is_all ? std::nullopt : difference(kept, now, is_same);
    if (box) change.box = join(change.box, *box);
    change.is_all = !box;
    if (!is_same || !box) keep(kept, now);
  }
  const bool is_small = change.box.width * change.box.height <= kLargestShare * data.DisplaySize.x * data.DisplaySize.y;
  change.is_all = change.is_all || !is_small;
  is_known_ = true;
  size_ = data.DisplaySize;
  textures_ = textures;
  return change;
}

void restrict_to(ImDrawData& data, const Box& box) {
  const auto is_outside = [](const ImDrawCmd& command) {
    return command.ClipRect.x >= command.ClipRect.z || command.ClipRect.y >= command.ClipRect.w;
  };
  ImVector<ImDrawList*> inside;
  for (ImDrawList* list : data.CmdLists) {
    for (ImDrawCmd& command : list->CmdBuffer) {
      ImVec4& clip = command.ClipRect;
      clip = {std::max(clip.x, box.x), std::max(clip.y, box.y), std::min(clip.z, box.right()), std::min(clip.w, box.bottom())};
    }
    if (!std::all_of(list->CmdBuffer.begin(), list->CmdBuffer.end(), is_outside)) inside.push_back(list);
  }
  data.CmdLists = inside;
  data.CmdListsCount = inside.Size;
}

std::optional<double> seconds_to_blink() {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  const ImGuiInputTextState& state = context.InputTextState;
  if (context.ActiveId == 0 || state.ID != context.ActiveId || !context.IO.ConfigInputTextCursorBlink) return std::nullopt;
  // As Dear ImGui draws it (imgui_widgets.cpp, InputTextEx): on for 0.8 s, off for 0.4 s; on from the last key until its clock is at 0.8.
  constexpr double kOn = 0.8, kPeriod = 1.2, kJustAfter = 0.005;
  const double phase =
      state.CursorAnim <= 0 ? static_cast<double>(state.CursorAnim) : std::fmod(static_cast<double>(state.CursorAnim), kPeriod);
  return (phase <= kOn ? kOn : kPeriod) - phase + kJustAfter;
}

}  // namespace headlight
