// What is kept of every head's map while its rows pass by: a small max-pooled picture and a few figures.
// Formulas and test values: R = informative rows, those with at least two allowed keys that are not zeros alone; every figure is the mean
// over R, natural logarithm; NaN where R is empty ("undefined", shown as –).
#pragma once

#include "engine/attention/multi_head.h"

namespace headlight {

inline constexpr Index kPooledSide = 256;  ///< longest side of a pooled map

struct HeadSummary {
  Matrix pooled;  ///< maxima of pool × pool cells; the weights themselves where pool is 1
  Index pool = 1;
  Index queries = 0, keys = 0;
  float largest = 0;              ///< largest weight of the map
  int masked_rows = 0;            ///< rows without an allowed key
  int informative_rows = 0;       ///< |R|
  double normalised_entropy = 0;  ///< −Σ a ln a / ln |allowed keys|, 0 one key … 1 uniform
  double effective_tokens = 0;    ///< exp(entropy), row by row
  double confidence = 0;          ///< largest weight of the row (Voita et al. 2019)
  double previous_token = 0;      ///< weight on key = query − 1, over the rows that may attend there
  double first_token = 0;         ///< weight on key 0
  double mean_distance = 0;       ///< Σ a·|query − key|, in tokens
};

HeadSummary summarise_head(const Matrix& weights, const Mask& mask, const Watch& watch = {});
/// Of a map whose rows are not all weights (GivenSums::are_weights): the picture and its sizes; every figure is undefined.
HeadSummary summarise_numbers(const Matrix& numbers, const Watch& watch = {});
/// Of cross-attention: its queries and keys count different texts, so previous_token and mean_distance are undefined.
HeadSummary summarise_cross_head(const Matrix& weights, const Mask& mask, const Watch& watch = {});

}  // namespace headlight
