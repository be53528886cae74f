#include "app/cli/bench/model_shapes.h"

#include <fmt/core.h>

#include <array>
#include <cstring>

#include "engine/core/memory_limit.h"

namespace headlight {
namespace {

constexpr std::array<ModelShape, 4> kShapes = {{
    {"BERT-base", 12, 768, 12, 12, 64, 3072, false, false, DType::f32},
    {"GPT-2", 12, 768, 12, 12, 64, 3072, true, false, DType::f32},
    {"SmolLM-135M", 30, 576, 9, 3, 64, 1536, true, true, DType::f32},
    {"Llama 1B, BF16", 16, 2048, 32, 8, 64, 8192, true, true, DType::bf16},
}};

/// Small random numbers, fast: nothing is learned from them but how long they take.
class Drawing {
 public:
  Weights weights(Index out, Index in, DType type) {
    const auto size = static_cast<std::size_t>(out * in), width = std::size_t{type == DType::f32 ? 4U : 2U};
    auto bytes = std::make_shared_for_overwrite<std::byte[]>(size * width);
    for (std::size_t at = 0; at < size; ++at) {
      const float number = next();  // the upper half of a float is a bfloat16
      std::memcpy(bytes.get() + at * width, reinterpret_cast<const std::byte*>(&number) + sizeof(number) - width, width);
    }
    return {StoredMatrix(type, out, in, std::move(bytes)), Weights::Layout::out_in};
  }

 private:
  float next() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return (static_cast<float>(state_ >> 40U) * 0x1p-24F - 0.5F) * 0.05F;
  }
  std::uint64_t state_ = 1;
};

LayerParameters make_layer(const ModelShape& shape, Drawing& drawing) {
  const auto linear = [&](int out, int in) {
    return Linear{drawing.weights(out, in, shape.type), shape.is_gated ? RowVector() : RowVector::Zero(out)};
  };
  const NormKind kind = shape.is_gated ? NormKind::rms_norm : NormKind::layer_norm;
  const Norm norm{RowVector::Ones(shape.d_model), shape.is_gated ? RowVector() : RowVector::Zero(shape.d_model), kind};
  const int width = shape.heads * shape.d_head, kv_width = shape.kv_heads * shape.d_head;
  LayerParameters layer;
  layer.norm_1 = layer.norm_2 = norm;
  layer.q = linear(width, shape.d_model);
  layer.k = linear(kv_width, shape.d_model);
  layer.v = linear(kv_width, shape.d_model);
  layer.o = linear(shape.d_model, width);
  layer.ff_in = linear(shape.d_ff, shape.d_model);
  if (shape.is_gated) layer.ff_gate = linear(shape.d_ff, shape.d_model);
  layer.ff_out = linear(shape.d_model, shape.d_ff);
  return layer;
}

}  // namespace

double ModelShape::weights() const {
  const double width = double{1} * heads * d_head, kv_width = double{1} * kv_heads * d_head;
  return layers * d_model * (2 * width + 2 * kv_width + (is_gated ? 3.0 : 2.0) * d_ff);
}

double ModelShape::weight_bytes() const {
  return weights() * (type == DType::f32 ? 4 : 2);
}

double ModelShape::operations(int tokens) const {
  const double of_maps = 4.0 * layers * heads * d_head * tokens;  // q·k and weights·v, two operations each, for every pair of tokens
  return tokens * (2 * weights() + of_maps);
}

std::span<const ModelShape> model_shapes() {
  return kShapes;
}

std::shared_ptr<const Model> make_shape(const ModelShape& shape) {
  require_memory(1.2 * shape.weight_bytes(), allowed_memory(),
                 {.field = "bench", .problem = fmt::format("the weights of {} need more memory than allowed", shape.name)});
  auto model = std::make_shared<Model>();
  model->name = shape.name;
  model->is_random = true;
  ModelConfig& config = model->config;
  config.layers = shape.layers;
  config.d_model = shape.d_model;
  config.heads.count = shape.heads;
  config.heads.kv_count = shape.kv_heads;
  config.heads.d_head = shape.d_head;
  config.feed_forward.d_ff = shape.d_ff;
  config.mask.is_causal = shape.is_causal;
  config.positions.kind = shape.is_gated ? PositionKind::rotary : PositionKind::learned;
  config.norm = {.kind = shape.is_gated ? NormKind::rms_norm : NormKind::layer_norm};
  config.feed_forward.activation = shape.is_gated ? Activation::silu : Activation::gelu_tanh;
  Drawing drawing;
  for (int layer = 0; layer < shape.layers; ++layer) model->parameters.layers.push_back(make_layer(shape, drawing));
  return model;
}

}  // namespace headlight
