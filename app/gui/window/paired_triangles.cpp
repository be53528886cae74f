#include "app/gui/window/paired_triangles.h"

#include <array>
#include <cmath>
#include <optional>

namespace headlight {
namespace {

constexpr unsigned int kCorners = 3, kPair = 2 * kCorners;
constexpr unsigned int kLongestCall = 1020;  // the largest multiple of six that is not cut
constexpr float kSubpixel = 1.0F / 256;      // what the renderer rounds to

/// The draw calls of one list, written anew.
class Calls {
 public:
  explicit Calls(ImDrawList& list) : list_(list) { indices_.reserve(list.IdxBuffer.Size + list.IdxBuffer.Size / 8); }

  void add(const ImDrawCmd& command) {
    begin(command);
    for (unsigned int at = 0; at + kCorners <= command.ElemCount;) {
      const ImDrawIdx* const triangle = list_.IdxBuffer.Data + command.IdxOffset + at;
      const bool is_rectangle = at + kPair <= command.ElemCount && make_rectangle(triangle, command.VtxOffset);
      if (is_rectangle) fill_pair();
      const unsigned int count = is_rectangle ? kPair : kCorners;
      if (length() + count > kLongestCall) {
        end();
        begin(command);
      }
      for (unsigned int corner = 0; corner < count; ++corner) indices_.push_back(triangle[corner]);
      at += count;
    }
    end();
  }

  void add_as_it_is(const ImDrawCmd& command) { commands_.push_back(command); }

  void take_over() {
    list_.IdxBuffer.swap(indices_);
    list_.CmdBuffer.swap(commands_);
  }

 private:
  void begin(const ImDrawCmd& command) {
    commands_.push_back(command);
    commands_.back().IdxOffset = static_cast<unsigned int>(indices_.Size);
  }
  unsigned int length() const { return static_cast<unsigned int>(indices_.Size) - commands_.back().IdxOffset; }
  void end() {
    fill_pair();
    commands_.back().ElemCount = length();
    if (length() == 0) commands_.pop_back();
  }
  /// A triangle without area after an odd number of them.
  void fill_pair() {
    if (length() % kPair == 0) return;
    const ImDrawIdx last = indices_.back();
    for (unsigned int corner = 0; corner < kCorners; ++corner) indices_.push_back(last);
  }

  /// Whether six indices are two triangles that share a side, with four corners at two places across and two down. Makes them so exactly
  /// where the renderer would see no difference: straight lines of Dear ImGui are as far from level as its approximate roots are from exact.
  bool make_rectangle(const ImDrawIdx* pair, unsigned int offset) {
    const auto place = [&](unsigned int corner) -> ImVec2& { return list_.VtxBuffer[static_cast<int>(pair[corner] + offset)].pos; };
    const ImVec2 first = place(0);
    ImVec2 other = first;
    std::array<int, 4> seen{};        // how many of the six are at each corner
    std::array<ImVec2, kPair> exact;  // where they are
    for (unsigned int corner = 0; corner < kPair; ++corner) {
      const ImVec2 at = place(corner);
      const auto side = [](float from, float& to, float number) -> std::optional<bool> {
        if (std::abs(number - from) < kSubpixel) return false;
        if (to == from) to = number;
        return std::abs(number - to) < kSubpixel ? std::optional(true) : std::nullopt;
      };
      const std::optional<bool> is_across = side(first.x, other.x, at.x), is_down = side(first.y, other.y, at.y);
      if (!is_across || !is_down) return false;
      exact[corner] = {*is_across ? other.x : first.x, *is_down ? other.y : first.y};
      ++seen[static_cast<std::size_t>(*is_across) + 2 * static_cast<std::size_t>(*is_down)];
    }
    // Two opposite corners belong to both triangles.
    if (seen != std::array{2, 1, 1, 2} && seen != std::array{1, 2, 2, 1}) return false;
    for (unsigned int corner = 0; corner < kPair; ++corner) place(corner) = exact[corner];
    return true;
  }

  ImDrawList& list_;
  ImVector<ImDrawIdx> indices_;
  ImVector<ImDrawCmd> commands_;
};

}  // namespace

void pair_triangles(ImDrawData& data) {
  data.TotalIdxCount = 0;
  for (ImDrawList* list : data.CmdLists) {
    Calls calls(*list);
    for (const ImDrawCmd& command : list->CmdBuffer) {
      if (command.UserCallback != nullptr) {
        calls.add_as_it_is(command);
      } else {
        calls.add(command);
      }
    }
    calls.take_over();
    data.TotalIdxCount += list->IdxBuffer.Size;
  }
}

}  // namespace headlight
