// Levels of 2 × 2 maxima over a map, so that a one-cell spike never vanishes when the map is drawn small.
#pragma once

#include <vector>

#include "engine/core/matrix.h"

namespace headlight {

/// Level 0 is the map itself; each next level holds maxima of 2 × 2 cells of the one before (edges included, NaN ignored unless alone).
class MaxPyramid {
 public:
  MaxPyramid() = default;
  explicit MaxPyramid(Matrix map);

  Index rows() const { return levels_.empty() ? 0 : levels_.front().rows(); }
  Index columns() const { return levels_.empty() ? 0 : levels_.front().cols(); }
  const Matrix& base() const { return levels_.front(); }
  /// The maximum over all cells that the rectangle [row_begin, row_end) × [column_begin, column_end) touches, clamped to the map; at most
  /// a few cells of one level are read.
  float maximum(float row_begin, float row_end, float column_begin, float column_end) const;

 private:
  std::vector<Matrix> levels_;
};

}  // namespace headlight
