// The tensors of a file as `headlight attend` takes them: by its own names, or as PyTorch's and Hugging Face's layers save theirs.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "engine/attend/attention_tensors.h"
#include "engine/formats/tensors/safetensors.h"

namespace headlight {

/// Tensors that a file may hold to be compared with ours.
inline constexpr std::array<std::string_view, 4> kComparedTensors = {"attention", "output", "scores", "z"};

/// What was read, and a line for the summary about each tensor.
struct LoadedTensors {
  AttentionTensors tensors;
  std::vector<std::string> lines, unused;
};

/// Throws Error: input for names, types and shapes that do not fit, limit for tensors that as float32 need more than allowed_memory (core).
LoadedTensors load_attention_tensors(const SafetensorsFile& file);

}  // namespace headlight
