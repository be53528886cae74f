#include "app/gui/window/redraw.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <numeric>
#include <span>

namespace headlight {
namespace {

constexpr float kLargestShare = 0.7F;  // of the window; more than that is drawn with the rest
constexpr std::size_t kMostBoxes = 8;  // each is drawn and brought to the screen by itself

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

bool has_same_callback(const ImDrawCmd& a, const ImDrawCmd& b) {
  return a.UserCallback == b.UserCallback && a.UserCallbackData == b.UserCallbackData;
}

/// Whether both draw to the same place and with the same texture; the number of triangles may differ.
bool has_same_target(const ImDrawCmd& a, const ImDrawCmd& b) {
  const bool is_same_clip =
      a.ClipRect.x == b.ClipRect.x && a.ClipRect.y == b.ClipRect.y && a.ClipRect.z == b.ClipRect.z && a.ClipRect.w == b.ClipRect.w;
  return is_same_clip && a.TexRef._TexData == b.TexRef._TexData && a.TexRef._TexID == b.TexRef._TexID;
}

/// Not of the fonts, which are textures of Dear ImGui (has_unwritten_texture).
ImTextureID texture_of(const ImDrawCmd& command) {
  return command.TexRef._TexID;
}

Box join(const Box& a, const Box& b) {
  if (a.width <= 0) return b;
  if (b.width <= 0) return a;
  const float left = std::min(a.x, b.x), top = std::min(a.y, b.y);
  return {left, top, std::max(a.right(), b.right()) - left, std::max(a.bottom(), b.bottom()) - top};
}

/// Whole pixels around [begin, end) of the corners, with one to spare for smoothed edges, inside the command's clip rectangle.
Box box_around(const Corners& corners, std::size_t begin, std::size_t end, const ImVec4& clip) {
  ImVec2 least{FLT_MAX, FLT_MAX}, most{-FLT_MAX, -FLT_MAX};
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

Box box_around(const Corners& corners, const ImVec4& clip) {
  return box_around(corners, 0, corners.size(), clip);
}

/// Around all that a list draws.
Box extent_of(std::span<const ImDrawVert> vertices, std::span<const ImDrawIdx> indices, std::span<const ImDrawCmd> commands) {
  Box box;
  for (const ImDrawCmd& command : commands) {
    if (command.UserCallback == nullptr) box = join(box, box_around(Corners(vertices, indices, command), command.ClipRect));
  }
  return box;
}

template <typename Element>
std::span<const Element> all_of(const ImVector<Element>& elements) {
  return {elements.Data, static_cast<std::size_t>(elements.Size)};
}

Box extent_of(const ImDrawList& list) {
  return extent_of(all_of(list.VtxBuffer), all_of(list.IdxBuffer), all_of(list.CmdBuffer));
}

float area(const Box& box) {
  return box.width * box.height;
}

/// In whole pixels of the window.
Box whole_pixels(const Box& box, ImVec2 window) {
  const float left = std::max(std::floor(box.x), 0.0F), top = std::max(std::floor(box.y), 0.0F);
  const float right = std::min(std::ceil(box.right()), window.x), bottom = std::min(std::ceil(box.bottom()), window.y);
  return right > left && bottom > top ? Box{left, top, right - left, bottom - top} : Box{};
}

/// Boxes that overlap, or that are hardly smaller than the one around both, become that one.
std::vector<Box> merged(const std::vector<Box>& boxes) {
  const auto belong_together = [](const Box& a, const Box& b) {
    constexpr float kSpare = 1.1F;
    return overlap(a, b) || area(join(a, b)) <= kSpare * (area(a) + area(b));
  };
  std::vector<Box> apart;
  for (Box box : boxes) {
    const auto other = [&] {
      return std::find_if(apart.begin(), apart.end(), [&](const Box& each) { return belong_together(each, box); });
    };
    for (auto found = other(); found != apart.end(); found = other()) {
      box = join(box, *found);
      apart.erase(found);
    }
    apart.push_back(box);
  }
  return apart;
}

bool has_unwritten_texture(const ImDrawData& data) {
  if (data.Textures == nullptr) return false;
  return std::any_of(data.Textures->begin(), data.Textures->end(),
                     [](const ImTextureData* texture) { return texture->Status != ImTextureStatus_OK; });
}

/// The pixels that the renderer lets a command draw, which cuts off fractions of a corner and of a size (imgui_impl_opengl3.cpp, from the
/// window's lower edge up): a part of a frame is the same pixels.
ImVec4 drawn_pixels(const ImVec4& clip, float height) {
  const float left = std::trunc(clip.x), bottom = height - std::trunc(height - clip.w);
  return {left, bottom - std::trunc(clip.w - clip.y), left + std::trunc(clip.z - clip.x), bottom};
}

}  // namespace

Box LastFrame::extent(const List& list) {
  return extent_of(list.vertices, list.indices, list.commands);
}

Box LastFrame::difference(const List& before, const ImDrawList& now, const std::vector<ImTextureID>& written) {
  const bool is_same_mesh = is_equal(before.vertices, now.VtxBuffer) && is_equal(before.indices, now.IdxBuffer);
  const auto all = [&] { return join(extent(before), extent_of(now)); };
  if (before.commands.size() != static_cast<std::size_t>(now.CmdBuffer.Size)) return all();
  Box box;
  for (int i = 0; i < now.CmdBuffer.Size; ++i) {
    const ImDrawCmd &old_call = before.commands[static_cast<std::size_t>(i)], &new_call = now.CmdBuffer[i];
    if (!has_same_callback(old_call, new_call)) return all();  // it changes how what follows is drawn
    if (new_call.UserCallback != nullptr) continue;
    const Corners old_corners(before.vertices, before.indices, old_call);
    const Corners new_corners(all_of(now.VtxBuffer), all_of(now.IdxBuffer), new_call);
    const bool is_written = std::find(written.begin(), written.end(), texture_of(new_call)) != written.end();
    if (is_written || !has_same_target(old_call, new_call)) {
      box = join(box, join(box_around(old_corners, old_call.ClipRect), box_around(new_corners, new_call.ClipRect)));
      continue;
    }
    const bool is_same_part =
        old_call.ElemCount == new_call.ElemCount && old_call.IdxOffset == new_call.IdxOffset && old_call.VtxOffset == new_call.VtxOffset;
    if (is_same_mesh && is_same_part) continue;
    box = join(box, headlight::difference(old_corners, new_corners, new_call.ClipRect));
  }
  return box;
}

std::vector<Box> LastFrame::differences(const ImDrawData& data, const std::vector<ImTextureID>& written) const {
  std::vector<Box> boxes;
  auto next = lists_.begin();  // those before it have been compared
  for (const ImDrawList* now : data.CmdLists) {
    const auto before = std::find_if(next, lists_.end(), [&](const List& list) { return list.owner == now->_OwnerName; });
    if (before == lists_.end()) {
      boxes.push_back(extent_of(*now));
      continue;
    }
    for (; next != before; ++next) boxes.push_back(extent(*next));
    boxes.push_back(difference(*before, *now, written));
    ++next;
  }
  for (; next != lists_.end(); ++next) boxes.push_back(extent(*next));
  return boxes;
}

void LastFrame::keep(const ImDrawData& data) {
  lists_.resize(static_cast<std::size_t>(data.CmdLists.Size));
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    const ImDrawList& now = *data.CmdLists[static_cast<int>(i)];
    List& list = lists_[i];
    list.owner = now._OwnerName;
    list.vertices.assign(now.VtxBuffer.begin(), now.VtxBuffer.end());
    list.indices.assign(now.IdxBuffer.begin(), now.IdxBuffer.end());
    list.commands.assign(now.CmdBuffer.begin(), now.CmdBuffer.end());
  }
}

FrameChange LastFrame::replace(const ImDrawData& data, Colour ground, const std::vector<ImTextureID>& written) {
  // Boxes are in pixels; points are pixels only at this scale.
  const bool is_in_pixels = data.FramebufferScale.x == 1 && data.FramebufferScale.y == 1;
  const bool is_same_screen = size_.x == data.DisplaySize.x && size_.y == data.DisplaySize.y && ground_ == ground;
  FrameChange change;
  if (is_known_ && is_in_pixels && is_same_screen && !has_unwritten_texture(data)) {
    for (const Box& box : differences(data, written)) {
      if (const Box whole = whole_pixels(box, data.DisplaySize); whole.width > 0) change.boxes.push_back(whole);
    }
    change.boxes = merged(change.boxes);
    const float drawn =
        std::accumulate(change.boxes.begin(), change.boxes.end(), 0.0F, [](float sum, const Box& box) { return sum + area(box); });
    change.is_all = change.boxes.size() > kMostBoxes || drawn > kLargestShare * data.DisplaySize.x * data.DisplaySize.y;
  }
  if (!change.is_nothing()) keep(data);
  is_known_ = true;
  size_ = data.DisplaySize;
  ground_ = ground;
  return change;
}

void restrict_to(ImDrawData& data, const Box& box) {
  const auto is_outside = [](const ImDrawCmd& command) {
    return command.ClipRect.x >= command.ClipRect.z || command.ClipRect.y >= command.ClipRect.w;
  };
  ImVector<ImDrawList*> inside;
  for (ImDrawList* list : data.CmdLists) {
    for (ImDrawCmd& command : list->CmdBuffer) {
      const bool is_own = command.UserCallback != nullptr;  // a callback cuts as it wants to
      const ImVec4 clip = is_own ? command.ClipRect : drawn_pixels(command.ClipRect, data.DisplaySize.y);
      command.ClipRect = {std::max(clip.x, box.x), std::max(clip.y, box.y), std::min(clip.z, box.right()), std::min(clip.w, box.bottom())};
    }
    if (!std::all_of(list->CmdBuffer.begin(), list->CmdBuffer.end(), is_outside)) inside.push_back(list);
  }
  data.CmdLists = inside;
  data.CmdListsCount = inside.Size;
}

void for_each_part(ImDrawData& data, const std::vector<Box>& boxes, const std::function<void(const Box&)>& draw) {
  const ImVector<ImDrawList*> lists = data.CmdLists;
  std::vector<ImVec4> clips;
  for (const ImDrawList* list : lists) {
    for (const ImDrawCmd& command : list->CmdBuffer) clips.push_back(command.ClipRect);
  }
  for (const Box& box : boxes) {
    restrict_to(data, box);
    draw(box);
    data.CmdLists = lists;
    data.CmdListsCount = lists.Size;
    auto clip = clips.begin();
    for (ImDrawList* list : lists) {
      for (ImDrawCmd& command : list->CmdBuffer) command.ClipRect = *clip++;
    }
  }
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
