// How a column's values are spread over the heads: a small histogram, and where a value lies in it.
#pragma once

#include <vector>

#include "engine/measures/columns/head_column.h"

namespace headlight {

struct ColumnSpread {
  static constexpr int kBins = 14;
  double low = 0, high = 1;          ///< ends of the axis: the stated range where values fill a good part of it, else those of the values
  std::vector<int> bins;             ///< heads in each of kBins
  int undefined = 0;                 ///< heads without a value
  double largest = 0, smallest = 0;  ///< of the defined values; NaN: there are none
  double mean = 0;                   ///< likewise

  /// 0 … 1 on the axis, clamped; NaN of NaN.
  double place(double value) const;
  int bin_of(double value) const;
};

/// Whether no head ranks before one with this value, and some after it.
bool is_best(const HeadColumn& column, const ColumnSpread& spread, double value);
/// The length of a bar for the value, 0 … 1: its place on the axis, of a change its size; NaN of NaN.
double bar_of(const HeadColumn& column, const ColumnSpread& spread, double value);

/// Of these heads alone.
ColumnSpread spread_of(const HeadColumn& column, const std::vector<HeadId>& heads);

}  // namespace headlight
