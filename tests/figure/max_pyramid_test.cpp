#include "engine/figure/map/max_pyramid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/core/random.h"

namespace headlight::testing {
namespace {

Matrix random_map(Index rows, Index columns) {
  RandomStream stream(7, "max pyramid");
  Matrix map(rows, columns);
  for (Index i = 0; i < map.size(); ++i) map.data()[i] = stream.next_normal();
  return map;
}

/// The maximum of all cells that the rectangle, widened by `more` cells each way, touches.
float slow_maximum(const Matrix& map, float row_begin, float row_end, float column_begin, float column_end, float more) {
  float largest = -1e30F;
  for (Index row = 0; row < map.rows(); ++row) {
    for (Index column = 0; column < map.cols(); ++column) {
      const auto r = static_cast<float>(row), c = static_cast<float>(column);
      const bool is_touched = r + 1 > row_begin - more && r < row_end + more && c + 1 > column_begin - more && c < column_end + more;
      if (is_touched) largest = std::max(largest, map(row, column));
    }
  }
  return largest;
}

struct Size {
  Index rows, columns;
};

TEST(MaxPyramid, FindsEveryCellOfARectangleAndNoneFarOutside) {
  for (const Size size : {Size{1, 1}, Size{7, 7}, Size{64, 64}, Size{33, 90}, Size{101, 3}}) {
    const Matrix map = random_map(size.rows, size.columns);
    const MaxPyramid pyramid(map);
    RandomStream stream(1, "rectangles");
    const auto part = [&](Index of) { return static_cast<float>(stream.next() % 1000) / 1000 * static_cast<float>(of); };
    for (int trial = 0; trial < 200; ++trial) {
      const float r0 = part(size.rows), c0 = part(size.columns);
      const float r1 = std::min(r0 + 0.01F + part(size.rows), static_cast<float>(size.rows));
      const float c1 = std::min(c0 + 0.01F + part(size.columns), static_cast<float>(size.columns));
      const float found = pyramid.maximum(r0, r1, c0, c1);
      const float shorter = std::min(r1 - r0, c1 - c0);
      // A block is at most half as long as the shorter side; below 4 cells it is one cell.
      const float slack = shorter < 4 ? 0 : shorter / 2;
      ASSERT_GE(found, slow_maximum(map, r0, r1, c0, c1, 0));
      ASSERT_LE(found, slow_maximum(map, r0, r1, c0, c1, slack));
    }
  }
}

TEST(MaxPyramid, TheLastOddRowAndColumnAreKeptOnEveryLevel) {
  Matrix map = Matrix::Zero(37, 53);
  map(36, 52) = 5;
  const MaxPyramid pyramid(map);
  EXPECT_EQ(pyramid.maximum(0, 37, 0, 53), 5);
  EXPECT_EQ(pyramid.maximum(30, 37, 44, 53), 5);
  EXPECT_EQ(pyramid.maximum(0, 30, 0, 40), 0);
}

}  // namespace
}  // namespace headlight::testing
