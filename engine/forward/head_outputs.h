// z of every head of whole texts, and its mean over many.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/attention/mask.h"
#include "engine/attention/shared_rows.h"

namespace headlight {

/// z of every head of a text: by layer [tokens, heads · d_value].
using HeadOutputs = std::vector<SharedRows>;

/// The mean of z over texts, at each position, of every head. Positions that no text reaches have none.
class MeanOutputs {
 public:
  void add(const HeadOutputs& outputs);
  /// The rows of a head [positions, d_value]: as many as the longest text has. `heads`: of the layer.
  Matrix of(HeadId head, int heads) const;

 private:
  std::vector<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> sums_;  // by layer
  std::vector<std::vector<std::int64_t>> counts_;                                             // by layer and position
};

}  // namespace headlight
