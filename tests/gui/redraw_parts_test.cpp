// What is on the screen after only parts of a frame were drawn, against the whole frame, pixel by pixel. Scripts draw whole frames, so no
// screenshot would show a difference.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "app/gui/window/redraw.h"
#include "tests/gui/null_window.h"

namespace headlight {
namespace {

constexpr int kWidth = 400, kHeight = 300;
constexpr Colour kEmptyColour{20, 21, 25};
constexpr ImU32 kEmpty = IM_COL32(kEmptyColour.red, kEmptyColour.green, kEmptyColour.blue, 255);

/// A screen without a renderer: rectangles of one colour, cut as imgui_impl_opengl3.cpp cuts them.
class Screen {
 public:
  void clear(const Box& box) { fill(box, kEmpty); }
  void draw(const ImDrawData& data) {
    for (const ImDrawList* list : data.CmdLists) {
      for (const ImDrawCmd& command : list->CmdBuffer) draw(*list, command);
    }
  }
  void copy(const Screen& from, const Box& box) {
    for_each_pixel(box, [&](std::size_t at) { pixels_[at] = from.pixels_[at]; });
  }
  bool operator==(const Screen&) const = default;

 private:
  template <typename Do>
  static void for_each_pixel(const Box& box, const Do& act) {
    for (int y = std::max(0, static_cast<int>(box.y)); y < std::min(kHeight, static_cast<int>(box.bottom())); ++y) {
      for (int x = std::max(0, static_cast<int>(box.x)); x < std::min(kWidth, static_cast<int>(box.right())); ++x) {
        act(static_cast<std::size_t>(y) * kWidth + static_cast<std::size_t>(x));
      }
    }
  }
  void fill(const Box& box, ImU32 colour) {
    for_each_pixel(box, [&](std::size_t at) { pixels_[at] = colour; });
  }
  void draw(const ImDrawList& list, const ImDrawCmd& command) {
    const ImVec4& clip = command.ClipRect;
    if (command.UserCallback != nullptr || clip.z <= clip.x || clip.w <= clip.y) return;
    const float left = std::trunc(clip.x), bottom = kHeight - std::trunc(kHeight - clip.w);
    const float right = left + std::trunc(clip.z - clip.x), top = bottom - std::trunc(clip.w - clip.y);
    for (unsigned int at = 0; at + 6 <= command.ElemCount; at += 6) {
      const auto corner = [&](unsigned int index) -> const ImDrawVert& {
        const ImDrawIdx vertex = list.IdxBuffer[static_cast<int>(command.IdxOffset + at + index)];
        return list.VtxBuffer[static_cast<int>(vertex + command.VtxOffset)];
      };
      const ImVec2 from = corner(0).pos, to = corner(2).pos;
      const float x = std::max(std::round(from.x), left), y = std::max(std::round(from.y), top);
      fill({x, y, std::min(std::round(to.x), right) - x, std::min(std::round(to.y), bottom) - y}, corner(0).col);
    }
  }

  std::vector<ImU32> pixels_ = std::vector<ImU32>(std::size_t{kWidth} * kHeight, 0);
};

/// A window of Dear ImGui with a few boxes, one of them under a clip rectangle of its own.
struct Sheet {
  bool is_open = true;
  ImVec2 at, size;
  std::vector<std::pair<Box, ImU32>> boxes;
  ImVec4 clip;
};

class Redrawing {
 public:
  explicit Redrawing(unsigned seed) : random_(seed) {
    for (Sheet& sheet : sheets_) renew(sheet);
    window_.draw = [this] {
      for (std::size_t i = 0; i < sheets_.size(); ++i) draw(sheets_[i], "sheet " + std::to_string(i), i == in_front_);
      in_front_ = sheets_.size();
    };
  }

  /// Several things at once, or none.
  void change() {
    for (std::ptrdiff_t times = below(3); times > 0; --times) {
      Sheet& sheet = sheets_[static_cast<std::size_t>(below(std::ssize(sheets_)))];
      switch (below(6)) {
        case 0:
          sheet.is_open = !sheet.is_open;
          break;
        case 1:
          sheet.at = {number(kWidth), number(kHeight)};
          break;
        case 2:
          sheet.boxes.pop_back();
          sheet.boxes.push_back(box_in(sheet));
          break;
        case 3:
          sheet.boxes.push_back(box_in(sheet));
          break;
        case 4:
          sheet.clip = {number(40), number(40), 40 + number(40), 40 + number(40)};
          break;
        default:
          in_front_ = static_cast<std::size_t>(&sheet - sheets_.data());
      }
    }
  }

  /// Draws the next frame. Whether the screen then shows what a frame drawn whole does, nothing was drawn around its parts, and it can be drawn
  /// whole again.
  bool next_frame_is_right() {
    window_.frame();
    ImDrawData& data = *ImGui::GetDrawData();
    Screen whole;
    whole.clear({0, 0, kWidth, kHeight});
    whole.draw(data);
    const FrameChange change = last_.replace(data, kEmptyColour, {});
    if (change.is_all) {
      shown_ = whole;
      ++alls;
      return true;
    }
    Screen back;  // its pixels around the parts are old
    for_each_part(data, change.boxes, [&](const Box& box) {
      back.clear(box);
      back.draw(data);
    });
    Screen parts_alone;
    for (const Box& box : change.boxes) {
      shown_.copy(back, box);
      parts_alone.copy(whole, box);
    }
    parts += std::ssize(change.boxes);
    Screen again;
    again.clear({0, 0, kWidth, kHeight});
    again.draw(data);
    return shown_ == whole && back == parts_alone && again == whole;
  }

  std::ptrdiff_t parts = 0;
  int alls = 0;

 private:
  std::ptrdiff_t below(std::ptrdiff_t count) { return std::uniform_int_distribution<std::ptrdiff_t>(0, count - 1)(random_); }
  float number(float most) { return std::uniform_real_distribution<float>(0, most)(random_); }
  std::pair<Box, ImU32> box_in(const Sheet& sheet) {
    const auto channel = [this] { return static_cast<int>(below(256)); };
    const int red = channel(), green = channel(), blue = channel();
    return {{std::round(number(sheet.size.x)), std::round(number(sheet.size.y)), std::round(1 + number(30)), std::round(1 + number(30))},
            static_cast<ImU32>(IM_COL32(red, green, blue, 255))};
  }
  void renew(Sheet& sheet) {
    sheet.at = {number(kWidth), number(kHeight)};
    sheet.size = {40 + number(60), 40 + number(60)};
    sheet.clip = {10.4F, 10.6F, 50.3F, 50.7F};
    for (int i = 0; i < 3; ++i) sheet.boxes.push_back(box_in(sheet));
  }
  static void draw(const Sheet& sheet, const std::string& name, bool is_in_front) {
    if (!sheet.is_open) return;
    ImGui::SetNextWindowPos(sheet.at);
    ImGui::SetNextWindowSize(sheet.size);
    if (is_in_front) ImGui::SetNextWindowFocus();
    ImGui::Begin(name.c_str(), nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoSavedSettings);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto add = [&](const std::pair<Box, ImU32>& box) {
      const ImVec2 from{std::round(sheet.at.x + box.first.x), std::round(sheet.at.y + box.first.y)};
      list.AddRectFilled(from, {from.x + box.first.width, from.y + box.first.height}, box.second);
    };
    for (std::size_t i = 1; i < sheet.boxes.size(); ++i) add(sheet.boxes[i]);
    list.PushClipRect({sheet.at.x + sheet.clip.x, sheet.at.y + sheet.clip.y}, {sheet.at.x + sheet.clip.z, sheet.at.y + sheet.clip.w}, true);
    add(sheet.boxes[0]);
    list.PopClipRect();
    ImGui::End();
  }

  std::mt19937 random_;
  testing::NullWindow window_{{kWidth, kHeight}, 1};
  std::array<Sheet, 6> sheets_;
  std::size_t in_front_ = sheets_.size();
  LastFrame last_;
  Screen shown_;
};

TEST(RedrawInParts, ShowsWhatAWholeFrameShows) {
  constexpr int kSeeds = 8, kFrames = 120;
  std::ptrdiff_t parts = 0;
  int alls = 0;
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    Redrawing redrawing(seed);
    for (int frame = 0; frame < kFrames; ++frame) {
      redrawing.change();
      ASSERT_TRUE(redrawing.next_frame_is_right()) << "seed " << seed << ", frame " << frame;
    }
    parts += redrawing.parts;
    alls += redrawing.alls;
  }
  EXPECT_GT(parts, kSeeds * kFrames / 3);  // there was something to compare
  EXPECT_LT(alls, kSeeds * kFrames / 2);
}

}  // namespace
}  // namespace headlight
