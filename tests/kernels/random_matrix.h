// Reproducible random numbers for tests of matrices.
#pragma once

#include <string_view>

#include "engine/core/matrix.h"
#include "engine/core/random.h"

namespace headlight::testing {

inline Matrix random_matrix(std::string_view name, Index rows, Index columns, float deviation = 1.0F) {
  RandomStream stream(2024, name);
  Matrix matrix(rows, columns);
  for (Index at = 0; at < matrix.size(); ++at) matrix.data()[at] = stream.next_normal() * deviation;
  return matrix;
}

}  // namespace headlight::testing
