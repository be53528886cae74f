// Tensors for tests of attention on raw tensors.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "engine/attend/tensor_attention.h"
#include "engine/core/random.h"
#include "tests/testing.h"

namespace headlight::testing {

inline constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

using Shape = std::vector<std::int64_t>;

inline FloatTensor filled_tensor(Shape shape, float value) {
  FloatTensor tensor = make_tensor(std::move(shape));
  std::fill(tensor.values.begin(), tensor.values.end(), value);
  return tensor;
}

inline FloatTensor random_tensor(const std::string& name, Shape shape, float deviation = 1.0F) {
  FloatTensor tensor = make_tensor(std::move(shape));
  RandomStream stream(2024, name);
  for (float& value : tensor.values) value = stream.next_normal() * deviation;
  return tensor;
}

/// 0 and 1, the first key of every row allowed: no row is fully masked.
inline FloatTensor random_mask(const std::string& name, Shape shape) {
  FloatTensor mask = random_tensor(name, std::move(shape));
  const auto keys = static_cast<std::size_t>(mask.shape.back());
  for (std::size_t at = 0; at < mask.values.size(); ++at) mask.values[at] = at % keys == 0 || mask.values[at] > 0 ? 1.0F : 0.0F;
  return mask;
}

/// The element at a place, such as {batch, head, query, key}.
inline float at(const FloatTensor& tensor, const Shape& place) {
  std::int64_t index = 0;
  for (std::size_t axis = 0; axis < place.size(); ++axis) index = index * tensor.shape.at(axis) + place[axis];
  return tensor.values.at(static_cast<std::size_t>(index));
}

/// [a, b, …] → [b, a, …]: batch first and sequence first in turn.
inline FloatTensor swap_first_axes(const FloatTensor& tensor) {
  Shape shape = tensor.shape;
  std::swap(shape.at(0), shape.at(1));
  FloatTensor swapped = make_tensor(shape);
  const std::int64_t rest = std::ssize(tensor.values) / (shape[0] * shape[1]);
  for (std::int64_t a = 0; a < shape[1]; ++a) {
    for (std::int64_t b = 0; b < shape[0]; ++b) {
      std::copy_n(tensor.values.begin() + (a * shape[0] + b) * rest, rest, swapped.values.begin() + (b * shape[1] + a) * rest);
    }
  }
  return swapped;
}

/// A layer of width `width` with four projections, on `batch` items of `queries` and `keys` random tokens.
inline AttentionTensors random_layer(std::int64_t batch, std::int64_t queries, std::int64_t keys, std::int64_t width,
                                     bool has_bias = true) {
  AttentionTensors tensors;
  tensors.query = random_tensor("query", {batch, queries, width});
  tensors.key = random_tensor("key", {batch, keys, width});
  tensors.value = random_tensor("value", {batch, keys, width});
  for (const AttentionTensorName& row : attention_tensor_names()) {
    if (row.name.ends_with(".weight")) tensors.*row.part = random_tensor(std::string(row.name), {width, width}, 0.3F);
    if (row.name.ends_with(".bias") && has_bias) tensors.*row.part = random_tensor(std::string(row.name), {width});
  }
  return tensors;
}

inline TensorAttention attend_on(const AttentionTensors& tensors, const TensorAttentionOptions& options) {
  ThreadPool pool(2);
  SilentProgress silent;
  return attend_tensors(tensors, options, pool, silent);
}

inline std::string refusal_of(const AttentionTensors& tensors, const TensorAttentionOptions& options) {
  return error_of([&] { attend_on(tensors, options); }).message();
}

/// The weights that a query gives to all keys together.
inline double row_sum(const TensorAttention& result, Index batch, Index head, Index query) {
  double sum = 0;
  for (Index key = 0; key < result.sizes.keys; ++key) sum += double{at(result.attention, {batch, head, query, key})};
  return sum;
}

}  // namespace headlight::testing
