// How one cell's score becomes its weight, step by step, for those who show it in numbers.
#pragma once

#include <optional>

#include "engine/attention/head.h"
#include "engine/explain/reading.h"
#include "engine/figure/figures.h"

namespace headlight {

/// Steps that the head's rule does not have are empty.
struct CellSteps {
  float score = 0;              ///< by the score function
  std::optional<float> scaled;  ///< where the factor is not 1
  std::optional<float> capped;
  std::optional<float> bias;  ///< what the position adds
  float final_score = 0;      ///< what goes into the softmax
  bool is_allowed = false;
  float weight = 0;
};
CellSteps steps_of(const HeadMaps& maps, const HeadRule& rule, Cell cell);

/// The softmax of a row, as its numbers are shown.
struct RowSums {
  float largest = 0;         ///< of the allowed scores, and the sink's
  double sum = 0;            ///< of e^(score − largest), the sink's included
  double sink_share = 0;     ///< the share of the row that goes to no key
  double weights_total = 0;  ///< of the keys' weights
};
RowSums sums_of_row(const HeadMaps& maps, const HeadRule& rule, Index query);

}  // namespace headlight
