// Keys that are left out of a shown map, so that one sees past the token that takes most of the weight (metrics: "without the sink").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/attention/mask.h"

namespace headlight {

/// Rows with less weight than this left have nothing to share out.
inline constexpr double kLeastLeft = 1e-6;

/// What was left out of one map.
struct LeftOut {
  std::vector<std::uint8_t> keys = {};  ///< [keys], 1: left out
  bool is_renormalised = false;         ///< the rows share out 1 again
  std::vector<double> mass = {};        ///< [queries] weight of the keys left out; NaN where no key is allowed, or it is not known
  double mean_mass = 0;                 ///< over the rows with at least two allowed keys; NaN without any, or where it is not known
  Index dropped_rows = 0;               ///< rows with so little left that they have nothing to share out: all of their cells are left out
};

struct ShownCells {
  Matrix values;  ///< kHiddenCell (map_picture.h) where a cell is left out
  LeftOut left_out;
};
/// Of weights [queries, keys]. `can_share`: the rows are attention weights, so that they can be renormalised; of other numbers only columns
/// are left out.
ShownCells leave_out(const Matrix& weights, const Mask& mask, std::span<const std::uint8_t> keys, bool renormalises, bool can_share = true);

/// The same of a pooled map (HeadSummary::pooled) of pool × pool cells: blocks with a key that is left out go as a whole, and nothing is
/// renormalised, since the weights inside a block are not known.
ShownCells leave_out_blocks(const Matrix& pooled, Index pool, std::span<const std::uint8_t> keys);

}  // namespace headlight
