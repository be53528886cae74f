// Element types of stored tensors, in one table, and a tensor as it lies in a file.
#pragma once

#include <cstdint>
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
const DTypeRow* find_dtype(std::string_view name);
const DTypeRow& dtype_row(DType type);

/// Row-major numbers with a shape, converted to float32. values.size() is the product of the shape.
struct FloatTensor {
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};

/// "[3, 768]"
std::string shape_text(const std::vector<std::int64_t>& shape);

}  // namespace headlight
