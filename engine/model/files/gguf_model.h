// What a GGUF file says, in Hugging Face's terms: config.json's fields and tensor names, so that one loader serves both.
#pragma once

#include <string>
#include <vector>

#include "engine/formats/gguf/gguf.h"
#include "engine/formats/json.h"

namespace headlight {

struct GgufTensor {
  std::string name;  ///< "model.layers.0.self_attn.q_proj.weight"; a tensor that no model of the kind has keeps its own name
  TensorInfo info;   ///< as the file has it, under the file's own name
  /// Llama's q and k: of each head, rows 2n and 2n + 1 of the file are rows n and d_head/2 + n of Hugging Face (a rotary pair each).
  bool has_permuted_rows = false;
  /// GPT-2: the file has [out, in], Hugging Face (Conv1D) and its config's shapes [in, out].
  bool is_transposed = false;
};

struct GgufModel {
  Json config;  ///< as config.json: model_type is "llama" (Mistral too), "qwen2", "qwen3", "olmo2" or "gpt2"
  std::vector<GgufTensor> tensors;
  std::vector<std::string> notices;
};

/// Throws Error (input) naming the value: an architecture that is not supported (with those that are), one part of a split model, a file
/// that holds no model, experts, and unknown settings of rotary positions.
GgufModel read_gguf_model(const GgufFile& file);

}  // namespace headlight
