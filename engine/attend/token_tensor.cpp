#include "engine/attend/token_tensor.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "engine/core/error.h"

namespace headlight {

std::string place_text(const std::vector<std::int64_t>& shape, std::size_t at) {
  std::vector<std::int64_t> place(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    const auto extent = static_cast<std::size_t>(shape[axis]);
    place[axis] = static_cast<std::int64_t>(at % extent);
    at /= extent;
  }
  return shape_text(place);
}

void check_finite(std::string_view name, const FloatTensor& tensor) {
  const auto broken = std::find_if_not(tensor.values.begin(), tensor.values.end(), [](float value) { return std::isfinite(value); });
  if (broken == tensor.values.end()) return;
  throw Error({.kind = ErrorKind::input,
               .field = fmt::format("tensor {}", name),
               .problem = "not an ordinary number at " + place_text(tensor.shape, static_cast<std::size_t>(broken - tensor.values.begin())),
               .found = fmt::format("{}", *broken),
               .expected = "finite numbers within the range of float32"});
}

FloatTensor make_tensor(std::vector<std::int64_t> shape) {
  std::size_t count = 1;
  for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
  return {std::move(shape), std::vector<float>(count)};
}

TokenTensor::TokenTensor(std::string_view name, const FloatTensor& tensor, TensorLayout layout) : name_(name), tensor_(&tensor) {
  const std::vector<std::int64_t>& shape = tensor.shape;
  const bool is_batch_first = layout == TensorLayout::batch_first;
  const auto refuse = [&](const char* problem, const char* hint) {
    throw Error({.kind = ErrorKind::input,
                 .field = fmt::format("tensor {}", name),
                 .problem = problem,
                 .found = shape_text(shape),
                 .expected = is_batch_first ? "[batch, tokens, width], or [batch, heads, tokens, width] when it is split into heads"
                                            : "[tokens, batch, width], or [tokens, batch, heads, width] when it is split into heads",
                 .hint = hint});
  };
  if (shape.size() == 2) refuse("there is no axis of tokens to attend over", "For one text of several tokens add a batch axis of size 1");
  if (shape.size() != 3 && shape.size() != 4) refuse("wrong number of axes", "");
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) refuse("an axis has size 0", "");

  width_ = shape.back();
  heads_ = is_split() ? shape[is_batch_first ? 1 : 2] : 1;
  batch_ = shape[is_batch_first ? 0 : 1];
  tokens_ = is_batch_first ? shape[shape.size() - 2] : shape[0];
  token_stride_ = is_batch_first ? width_ : batch_ * heads_ * width_;
  head_stride_ = is_batch_first ? tokens_ * width_ : width_;
  batch_stride_ = heads_ * width_ * (is_batch_first ? tokens_ : 1);
}

Matrix TokenTensor::item(Index batch) const {
  Matrix joined(tokens_, heads_ * width_);
  for (Index token = 0; token < tokens_; ++token) {
    for (Index head = 0; head < heads_; ++head) {
      const float* from = tensor_->values.data() + batch * batch_stride_ + token * token_stride_ + head * head_stride_;
      std::copy_n(from, width_, &joined(token, head * width_));
    }
  }
  return joined;
}

void put_item(FloatTensor& tensor, TensorLayout layout, Index batch, const Matrix& joined) {
  const bool is_batch_first = layout == TensorLayout::batch_first;
  const Index items = tensor.shape[is_batch_first ? 0 : 1], width = joined.cols();
  for (Index token = 0; token < joined.rows(); ++token) {
    const Index row = is_batch_first ? batch * joined.rows() + token : token * items + batch;
    std::copy_n(joined.data() + token * width, width, tensor.values.data() + row * width);
  }
}

void put_split_item(FloatTensor& tensor, Index batch, const Matrix& joined) {
  const Index heads = tensor.shape[1], width = tensor.shape[3];
  assert(joined.rows() == tensor.shape[2] && joined.cols() == heads * width);
  float* next = tensor.values.data() + batch * joined.size();
  for (Index head = 0; head < heads; ++head) {
    for (Index token = 0; token < joined.rows(); ++token) next = std::copy_n(&joined(token, head * width), width, next);
  }
}

FloatTensor split_heads(const FloatTensor& joined, Index heads) {
  const TokenTensor tokens("joined", joined, TensorLayout::batch_first);
  assert(tokens.width() % heads == 0);
  FloatTensor split = make_tensor({tokens.batch(), heads, tokens.tokens(), tokens.width() / heads});
  for (Index batch = 0; batch < tokens.batch(); ++batch) put_split_item(split, batch, tokens.item(batch));
  return split;
}

FloatTensor join_heads(const FloatTensor& split) {
  const TokenTensor tokens("split", split, TensorLayout::batch_first);
  FloatTensor joined = make_tensor({tokens.batch(), tokens.tokens(), tokens.heads() * tokens.width()});
  for (Index batch = 0; batch < tokens.batch(); ++batch) put_item(joined, TensorLayout::batch_first, batch, tokens.item(batch));
  return joined;
}

void refuse_tensor(std::string_view name, std::string problem, std::string found, std::string expected, std::string hint) {
  throw Error({.kind = ErrorKind::input,
               .field = fmt::format("tensor {}", name),
               .problem = std::move(problem),
               .found = std::move(found),
               .expected = std::move(expected),
               .hint = std::move(hint)});
}

}  // namespace headlight
