// Compares what the user's own code computed, the file's tensors attention, output, scores or z, with what `headlight attend` computes.
#pragma once

#include <string>
#include <vector>

#include "engine/attend/tensor_attention.h"
#include "engine/formats/tensors/safetensors.h"

namespace headlight {

struct ComparedTensor {
  std::string name;
  const FloatTensor* ours = nullptr;
};

struct Comparison {
  std::vector<std::string> lines;
  std::vector<std::string> differing;  ///< names of tensors with a difference beyond the tolerance, a NaN, or another shape
};

/// `ours`: the result's tensors that the file may hold as well. One line for each that it holds, and one more for each head if it differs.
/// A tensor agrees where no number differs by more than `tolerance`; equal infinities agree, NaN never does.
Comparison compare_with_file(const SafetensorsFile& file, const std::vector<ComparedTensor>& ours, const TensorAttention& result,
                             TensorLayout layout, float tolerance);

}  // namespace headlight
