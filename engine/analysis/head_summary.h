// What is kept of every head's map as its rows are computed: a small max-pooled picture, its sizes, and its measures (measures.h).
#pragma once

#include "engine/analysis/measures.h"
#include "engine/attention/multi_head.h"

namespace headlight {

inline constexpr Index kPooledSide = 256;  ///< longest side of a pooled map

struct HeadSummary {
  Matrix pooled;  ///< maxima of pool × pool cells; the weights themselves where pool is 1
  Index pool = 1;
  Index queries = 0, keys = 0;
  float largest = 0;         ///< largest weight of the map
  int masked_rows = 0;       ///< rows without an allowed key
  int informative_rows = 0;  ///< |R|, the rows that measures count
  MeasuredHead measured;
  double value(std::string_view id) const { return measured.value(id); }
};

/// Every measure of `table` in one pass over the rows.
HeadSummary summarise_head(const Matrix& weights, const Mask& mask, const Watch& watch = {}, Measures table = head_measures());
/// For a map whose rows are not all weights (GivenSums::are_weights): the picture and its sizes; every measure is undefined.
HeadSummary summarise_numbers(const Matrix& numbers, const Watch& watch = {}, Measures table = head_measures());
/// For cross-attention: its queries and keys count different texts, so measures that need one text are undefined.
HeadSummary summarise_cross_head(const Matrix& weights, const Mask& mask, const Watch& watch = {}, Measures table = head_measures());

}  // namespace headlight
