// Tensors of tokens as other code keeps them: any of the usual orders of axes, split into heads or not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/matrix.h"
#include "engine/formats/tensors/tensor.h"

namespace headlight {

enum class TensorLayout : std::uint8_t {
  batch_first,     ///< [batch, tokens, width], split: [batch, heads, tokens, width]
  sequence_first,  ///< [tokens, batch, width], split: [tokens, batch, heads, width] (labml.ai, PyTorch's own default)
};

/// "[1, 0, 4]": the place of element number `at` in a tensor of this shape.
std::string place_text(const std::vector<std::int64_t>& shape, std::size_t at);

/// Throws Error (input) that names the tensor and the place of the first NaN or ∞.
void check_finite(std::string_view name, const FloatTensor& tensor);

/// A tensor of `shape`, all zeros.
FloatTensor make_tensor(std::vector<std::int64_t> shape);

/// Vectors of tokens, read or written one batch item at a time. Keeps a reference to the tensor.
class TokenTensor {
 public:
  /// `tensor` has 3 axes, or 4 when it is split into heads. Throws Error (input) naming the tensor for another rank or an axis of size 0.
  TokenTensor(std::string_view name, const FloatTensor& tensor, TensorLayout layout);

  std::string_view name() const { return name_; }
  const std::vector<std::int64_t>& shape() const { return tensor_->shape; }
  bool is_split() const { return shape().size() == 4; }
  Index batch() const { return batch_; }
  Index tokens() const { return tokens_; }
  Index heads() const { return heads_; }  ///< 1 when it is not split
  Index width() const { return width_; }  ///< of one head when it is split
  /// [tokens, heads · width]: head h owns columns [h·width, (h+1)·width), as in Projected.
  Matrix item(Index batch) const;

 private:
  std::string name_;
  const FloatTensor* tensor_;
  Index batch_ = 0, tokens_ = 0, heads_ = 1, width_ = 0;
  Index batch_stride_ = 0, token_stride_ = 0, head_stride_ = 0;
};

/// Writes the joined vectors [tokens, width] of one batch item into `tensor`, [batch, tokens, width] or [tokens, batch, width].
void put_item(FloatTensor& tensor, TensorLayout layout, Index batch, const Matrix& joined);
/// Writes them into [batch, heads, tokens, width / heads].
void put_split_item(FloatTensor& tensor, Index batch, const Matrix& joined);

/// [batch, tokens, width] → [batch, heads, tokens, width / heads]: head h takes columns [h·d_head, (h+1)·d_head). Read as
/// [batch · heads, tokens, d_head] the numbers are the same (d2l). `heads` must divide the width.
FloatTensor split_heads(const FloatTensor& joined, Index heads);
/// The inverse.
FloatTensor join_heads(const FloatTensor& split);

/// Throws Error (input) about a tensor of a file, naming it.
[[noreturn]] void refuse_tensor(std::string_view name, std::string problem, std::string found, std::string expected, std::string hint = {});

}  // namespace headlight
