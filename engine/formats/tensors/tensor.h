// Element types of stored tensors, in one table, and a tensor as a file stores it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// From q8_0 on: GGUF's types of blocks (quantized_blocks.h).
enum class DType : std::uint8_t {
  f64,
  f32,
  f16,
  bf16,
  i64,
  i32,
  i16,
  i8,
  u64,
  u32,
  u16,
  u8,
  boolean,
  q8_0,
  q4_0,
  q4_1,
  q5_0,
  q5_1,
  q4_k,
  q5_k,
  q6_k,
  q2_k,
  q3_k,
  iq4_nl,
  iq4_xs,
  other
};

/// Name as the file format writes it, size, and whether convert_to_floats can convert it. Types without a row are known to the reader by
/// name and size alone (DType::other) and using them is an error.
struct DTypeRow {
  DType type = DType::other;
  std::string_view name = {};
  int bits = 0;  ///< of one block
  bool is_convertible = false;
  int block = 1;  ///< elements that are stored together and can only be read together; rows are whole blocks
};
const DTypeRow* find_dtype(std::string_view name);  ///< nullptr for a name that safetensors does not know
const DTypeRow& dtype_row(DType type);
/// Bytes of `elements` elements. nullopt: they do not fill whole blocks, or the number overflows.
std::optional<std::uint64_t> stored_bytes(const DTypeRow& row, std::uint64_t elements);

/// Reads little-endian elements of a convertible type, which need not be aligned: as many as `into` holds, in whole blocks.
void convert_to_floats(DType type, std::span<const std::byte> bytes, std::span<float> into);

struct TensorInfo {
  std::string name;
  std::string dtype_name;  ///< as written in the file
  DType dtype = DType::other;
  std::vector<std::int64_t> shape;  ///< row-major: the last dimension runs fastest
  std::uint64_t begin = 0;          ///< byte range inside the file, [begin, end)
  std::uint64_t end = 0;
};

/// Row-major numbers with a shape, converted to float32. values.size() is the product of the shape.
struct FloatTensor {
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};

/// How many values are NaN or infinite; for the warning after a load.
struct NonFinite {
  std::int64_t nan = 0;
  std::int64_t infinite = 0;
};
NonFinite count_non_finite(std::span<const float> values);

/// "[3, 768]"
std::string shape_text(const std::vector<std::int64_t>& shape);

}  // namespace headlight
