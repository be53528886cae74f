#include "app/gui/window/paired_triangles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/gui/kit/shapes.h"
#include "tests/gui/null_window.h"

namespace headlight::testing {
namespace {

using Triangle = std::array<std::array<float, 2>, 3>;

/// Draws into a list of its own, which is paired.
class PairedTriangles : public ::testing::Test {
 protected:
  PairedTriangles() : list(ImGui::GetDrawListSharedData()) {
    window.frame(1);  // how many sides a circle has is known from then on
    list._ResetForNewFrame();
    list.PushClipRect({0, 0}, {2000, 2000});
    list.PushTexture(ImGui::GetIO().Fonts->TexRef);
  }
  /// Triangles that have an area, in their order.
  std::vector<Triangle> triangles() const {
    std::vector<Triangle> found;
    for (const ImDrawCmd& command : list.CmdBuffer) {
      for (unsigned int at = 0; at < command.ElemCount; at += 3) {
        Triangle triangle{};
        for (unsigned int corner = 0; corner < 3; ++corner) {
          const ImVec2 place = position(command, at + corner);
          triangle[corner] = {place.x, place.y};
        }
        if (triangle[0] != triangle[1] && triangle[1] != triangle[2]) found.push_back(triangle);
      }
    }
    return found;
  }
  ImVec2 position(const ImDrawCmd& command, unsigned int at) const {
    const ImDrawIdx index = list.IdxBuffer[static_cast<int>(command.IdxOffset + at)];
    return list.VtxBuffer[static_cast<int>(index + command.VtxOffset)].pos;
  }
  void pair() {
    ImDrawData data;
    data.CmdLists.push_back(&list);
    pair_triangles(data);
    EXPECT_EQ(data.TotalIdxCount, list.IdxBuffer.Size);
  }
  /// Whether two triangles from a multiple of six on are a box.
  bool has_box(ImVec2 from, ImVec2 to) const {
    for (const ImDrawCmd& command : list.CmdBuffer) {
      for (unsigned int at = 0; at + 6 <= command.ElemCount; at += 6) {
        bool is_box = true;
        std::array<bool, 4> seen{};
        for (unsigned int corner = 0; corner < 6; ++corner) {
          const ImVec2 place = position(command, at + corner);
          is_box = is_box && (place.x == from.x || place.x == to.x) && (place.y == from.y || place.y == to.y);
          seen[(place.x == to.x ? 1U : 0U) + (place.y == to.y ? 2U : 0U)] = true;
        }
        if (is_box && std::all_of(seen.begin(), seen.end(), [](bool each) { return each; })) return true;
      }
    }
    return false;
  }

  NullWindow window{{800, 600}};
  ImDrawList list;
};

TEST_F(PairedTriangles, ABoxAfterATriangleBeginsAtAMultipleOfSix) {
  list.Flags &= ~ImDrawListFlags_AntiAliasedFill;
  list.AddTriangleFilled({1, 1}, {9, 1}, {1, 9}, IM_COL32_WHITE);
  list.AddRectFilled({10, 20}, {30, 40}, IM_COL32_WHITE);
  const std::vector<Triangle> before = triangles();
  ASSERT_FALSE(has_box({10, 20}, {30, 40}));
  pair();
  EXPECT_TRUE(has_box({10, 20}, {30, 40}));
  EXPECT_EQ(triangles(), before) << "the same, in the same order";
  for (const ImDrawCmd& command : list.CmdBuffer) EXPECT_EQ(command.ElemCount % 6, 0U);
}

TEST_F(PairedTriangles, ALongCallIsCutBetweenBoxes) {
  for (int box = 0; box < 500; ++box) {
    const auto at = static_cast<float>(box);
    list.AddRectFilled({at, at}, {at + 2, at + 3}, IM_COL32_WHITE);
  }
  const std::vector<Triangle> before = triangles();
  pair();
  EXPECT_EQ(triangles(), before);
  ASSERT_GE(list.CmdBuffer.Size, 3);
  for (const ImDrawCmd& command : list.CmdBuffer) EXPECT_LE(command.ElemCount, 1020U);
  EXPECT_TRUE(has_box({499, 499}, {501, 502}));
}

TEST_F(PairedTriangles, ALevelLineIsARectangleAndASlopingOneIsNot) {
  list.AddLine({10, 50}, {1900, 50}, IM_COL32_WHITE, 1);
  list.AddLine({10, 60}, {1900, 61}, IM_COL32_WHITE, 1);
  pair();
  const auto is_level = [&](float from, float to) {
    const std::vector<Triangle> all = triangles();
    return std::all_of(all.begin(), all.end(), [&](const Triangle& each) {
      const auto ends = std::minmax({each[0][1], each[1][1], each[2][1]});
      const bool is_here = ends.first > from && ends.second < to;
      return !is_here || each[0][1] == each[1][1] || each[1][1] == each[2][1] || each[0][1] == each[2][1];
    });
  };
  EXPECT_TRUE(is_level(45, 55));
  EXPECT_FALSE(is_level(55, 65));
}

TEST_F(PairedTriangles, CallsStayWhereTheyAre) {
  const auto call = [](const ImDrawList*, const ImDrawCmd*) {};
  list.AddRectFilled({0, 0}, {8, 8}, IM_COL32_WHITE);
  list.AddCallback(call, nullptr);
  list.AddRectFilled({10, 0}, {18, 8}, IM_COL32_WHITE);
  pair();
  ASSERT_EQ(list.CmdBuffer.Size, 3);
  EXPECT_EQ(list.CmdBuffer[0].ElemCount, 6U);
  EXPECT_NE(list.CmdBuffer[1].UserCallback, nullptr);
  EXPECT_EQ(list.CmdBuffer[2].ElemCount, 6U);
}

TEST_F(PairedTriangles, ARoundedBoxIsRectanglesAlone) {
  const Fonts fonts = load_fonts(1);
  const auto is_rectangles = [&](int before) {
    pair();
    const auto all = triangles();
    return static_cast<int>(all.size()) > before && list.IdxBuffer.Size == 3 * static_cast<int>(all.size());
  };
  fill_rounded(fonts, list, {100, 100}, {500, 400}, IM_COL32_WHITE, 6);
  stroke_rounded(fonts, list, {100, 100}, {500, 400}, IM_COL32_BLACK, 6);
  stroke_rounded(fonts, list, {20, 20}, {40, 50}, IM_COL32_BLACK, 0);
  EXPECT_EQ(triangles().size(), 2U * (7 + 8 + 4)) << "two to a rectangle: four corners, and what is between them";
  EXPECT_TRUE(is_rectangles(0)) << "none was filled up";
  EXPECT_TRUE(has_box({100, 106}, {500, 394}));
  EXPECT_TRUE(has_box({106, 100}, {494, 101}));
  EXPECT_TRUE(has_box({20, 20}, {40, 21}));
}

TEST_F(PairedTriangles, ABoxBesideWholePixelsOrSmallerThanItsCornersIsDrawnByDearImGui) {
  const Fonts fonts = load_fonts(1);
  CornerInk corners;
  EXPECT_FALSE(corners.fill(list, {100.5F, 100}, {500, 400}, IM_COL32_WHITE, 6));
  EXPECT_FALSE(corners.fill(list, {100, 100}, {111, 400}, IM_COL32_WHITE, 6));
  EXPECT_FALSE(corners.stroke(list, {100, 100}, {500, 400}, IM_COL32_WHITE, 6, 1.5F));
  EXPECT_EQ(list.IdxBuffer.Size, 0);
  fill_rounded(fonts, list, {100.5F, 100}, {500, 400}, IM_COL32_WHITE, 6);
  EXPECT_GT(list.IdxBuffer.Size, 0);
}

TEST_F(PairedTriangles, ACornerCoversWhatItsArcDoes) {
  const Fonts fonts = load_fonts(1);
  CornerInk corners;
  ASSERT_TRUE(corners.fill(list, {0, 0}, {40, 40}, IM_COL32_WHITE, 8));
  ASSERT_TRUE(corners.stroke(list, {0, 0}, {40, 40}, IM_COL32_WHITE, 8, 1));
  const auto sum_of = [&](int quad) {  // of the coverage in the first corner from a vertex on
    const ImTextureData& texture = *ImGui::GetIO().Fonts->TexData;
    const ImVec2 uv = list.VtxBuffer[quad].uv;
    const int left = static_cast<int>(std::lround(uv.x * static_cast<float>(texture.Width)));
    const int top = static_cast<int>(std::lround(uv.y * static_cast<float>(texture.Height)));
    double sum = 0;
    for (int y = 0; y < 8; ++y) {
      for (int x = 0; x < 8; ++x) {
        const auto* pixel = texture.Pixels + ((top + y) * texture.Width + left + x) * texture.BytesPerPixel;
        sum += pixel[texture.BytesPerPixel - 1] / 255.0;
      }
    }
    return sum;
  };
  constexpr double kQuarter = 3.14159265358979 / 4;
  EXPECT_NEAR(sum_of(0), kQuarter * 64, 0.3);
  EXPECT_NEAR(sum_of(16 + 12), kQuarter * (64 - 49), 0.3) << "after four corners and three boxes of the fill";
}

}  // namespace
}  // namespace headlight::testing
