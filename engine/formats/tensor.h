// Element types of stored tensors, in one table, and a tensor as it lies in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

enum class DType : std::uint8_t { f64, f32, f16, bf16, i64, i32, i16, i8, u64, u32, u16, u8, boolean, other };

/// Name as safetensors writes it, size, and whether read_floats can convert it. Types without a row are known to the reader by name and
/// size alone (DType::other) and are an error at use.
struct DTypeRow {
  DType type;
  std::string_view name;
  int bits;
  bool is_convertible;
};
const DTypeRow* find_dtype(std::string_view name);  ///< nullptr for a name that safetensors does not know
const DTypeRow& dtype_row(DType type);

/// Reads `count` little-endian elements of a convertible type, which need not be aligned; count is into.size().
void convert_to_floats(DType type, std::span<const std::byte> bytes, std::span<float> into);

/// Row-major numbers with a shape, converted to float32. values.size() is the product of the shape.
struct FloatTensor {
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};

/// How many values are no ordinary numbers; for the warning after a load.
struct NonFinite {
  std::int64_t nan = 0;
  std::int64_t infinite = 0;
};
NonFinite count_non_finite(std::span<const float> values);

/// "[3, 768]"
std::string shape_text(const std::vector<std::int64_t>& shape);

}  // namespace headlight
