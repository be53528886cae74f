// Levels of 2 × 2 maxima over a map, so that a one-cell spike never vanishes when the map is drawn small.
#pragma once

#include <vector>

#include "engine/core/matrix.h"

namespace headlight {

/// Level 0 is the map itself; each next level holds maxima of 2 × 2 cells of the one before (edges included). Values are numbers, never
/// NaN.
class MaxPyramid {
 public:
  MaxPyramid() = default;
  explicit MaxPyramid(Matrix map);

  Index rows() const { return levels_.empty() ? 0 : levels_.front().rows(); }
  Index columns() const { return levels_.empty() ? 0 : levels_.front().cols(); }
  /// Level `level` holds blocks of 2^level × 2^level cells.
  const Matrix& level(int level) const { return levels_[static_cast<std::size_t>(level)]; }
  /// The coarsest level of which a rectangle of rows × columns cells still spans two blocks each way.
  int level_for(double rows, double columns) const;
  /// The maximum over all blocks that the rectangle [row_begin, row_end) × [column_begin, column_end) touches, clamped to the map, on
  /// the level that fits it: exact up to 4 cells each way, rounded outwards by less than a block beyond.
  float maximum(float row_begin, float row_end, float column_begin, float column_end) const;
  /// Whether both are of the same map.
  bool operator==(const MaxPyramid& other) const;

 private:
  std::vector<Matrix> levels_;
};

}  // namespace headlight
