// Models of well-known sizes with random weights, to be timed: what a forward pass costs depends on sizes and types alone.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "engine/model/model.h"

namespace headlight {

struct ModelShape {
  std::string_view name;
  int layers = 0, d_model = 0, heads = 0, kv_heads = 0, d_head = 0, d_ff = 0;
  bool is_causal = true;
  bool is_gated = false;  ///< SwiGLU, RMSNorm and rotary positions, no biases; else GELU, LayerNorm and biases
  DType type = DType::f32;

  double weights() const;               ///< numbers that every token is multiplied with
  double weight_bytes() const;          ///< that are read once in a pass
  double operations(int tokens) const;  ///< of one pass, without regard to the mask and without the output head
};

/// BERT-base, GPT-2, SmolLM-135M and a Llama of 1 billion parameters.
std::span<const ModelShape> model_shapes();

/// All layers of it; no tokenizer, no table. Throws Error (limit) where they need more memory than allowed.
std::shared_ptr<const Model> make_shape(const ModelShape& shape);

}  // namespace headlight
