#include "engine/figure/map/max_pyramid.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight {
namespace {

Matrix halve(const Matrix& fine) {
  const Index rows = (fine.rows() + 1) / 2, columns = (fine.cols() + 1) / 2;
  Matrix coarse(rows, columns);
  RowVector taller(fine.cols());
  for (Index row = 0; row < rows; ++row) {
    taller = fine.row(2 * row).cwiseMax(fine.row(std::min(2 * row + 1, fine.rows() - 1)));
    const float* const from = taller.data();
    float* const into = coarse.row(row).data();
    for (Index column = 0; column < fine.cols() / 2; ++column) {
      into[column] = from[2 * column] < from[2 * column + 1] ? from[2 * column + 1] : from[2 * column];
    }
    if (fine.cols() % 2 == 1) into[columns - 1] = from[fine.cols() - 1];
  }
  return coarse;
}

}  // namespace

MaxPyramid::MaxPyramid(Matrix map) {
  if (map.size() == 0) return;
  levels_.push_back(std::move(map));
  while (levels_.back().size() > 1) levels_.push_back(halve(levels_.back()));
}

bool MaxPyramid::operator==(const MaxPyramid& other) const {
  if (rows() != other.rows() || columns() != other.columns()) return false;
  return levels_.empty() || levels_.front() == other.levels_.front();
}

int MaxPyramid::level_for(double rows, double columns) const {
  int level = 0;
  double side = std::min(rows, columns);
  while (side >= 4 && level + 1 < static_cast<int>(levels_.size())) {
    side /= 2;
    ++level;
  }
  return level;
}

float MaxPyramid::maximum(float row_begin, float row_end, float column_begin, float column_end) const {
  const int chosen = level_for(row_end - row_begin, column_end - column_begin);
  const Matrix& blocks = level(chosen);
  const auto side = static_cast<float>(Index{1} << chosen);
  const auto first = [&](float begin, Index count) {
    return std::clamp(static_cast<Index>(std::floor(begin / side)), Index{0}, count - 1);
  };
  const auto length = [&](float end, Index start, Index count) {
    return std::clamp(static_cast<Index>(std::ceil(end / side)), start + 1, count) - start;
  };
  const Index row = first(row_begin, blocks.rows()), column = first(column_begin, blocks.cols());
  return blocks.block(row, column, length(row_end, row, blocks.rows()), length(column_end, column, blocks.cols())).maxCoeff();
}

}  // namespace headlight
