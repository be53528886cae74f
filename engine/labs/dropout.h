// Attention dropout sampled on purpose, for training (Srivastava et al. 2014, JMLR 15; seeds S3-10 and D5): after the softmax and before
// the value sum, every weight is set to zero with probability p and the kept ones are divided by 1 − p, so that their mean stays what it
// was.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/core/matrix.h"
#include "engine/core/progress.h"

namespace headlight {

struct DropoutSettings {
  float probability = 0.1F;  ///< p, at least 0 and below 1
  bool is_training = false;  ///< off: nothing is dropped, whatever p says
  std::uint64_t seed = 1;
};

/// "Attention" means `before`: the weights after the softmax and before dropout (seeds D8).
struct DroppedWeights {
  Matrix before, after;                                 ///< [queries, keys]
  std::vector<double> row_sums_before, row_sums_after;  ///< one per query
};

/// Equal seeds and names draw equal cells, whatever the weights: one draw per cell, forbidden ones too. Throws Error (usage) for p outside
/// [0, 1), Cancelled by `watch`. name: of the stream, such as "dropout.0.3" for layer 0, head 3.
DroppedWeights drop_weights(const Matrix& weights, const DropoutSettings& settings, std::string_view name, const Watch& watch = {});

}  // namespace headlight
