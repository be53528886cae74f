#include "engine/formats/tensors/read_tensor.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

#include "engine/core/error.h"

namespace headlight {
namespace {

// A multiple of every block.
constexpr std::size_t kElementsAtOnce = 1U << 18U;

constexpr const char* kConvertible =
    "F64, F32, F16, BF16, an integer type or BOOL, or of GGUF's types Q8_0, Q4_0, Q4_1, Q5_0, Q5_1, Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, IQ4_NL "
    "or IQ4_XS";

[[noreturn]] void refuse(const FileReader& reader, const TensorInfo& tensor, std::string problem, std::string expected) {
  throw Error({.kind = ErrorKind::input,
               .file = reader.name(),
               .field = "tensor " + printable(tensor.name),
               .offset = tensor.begin,
               .problem = std::move(problem),
               .found = tensor.dtype_name,
               .expected = std::move(expected)});
}

/// Calls take(bytes) for the tensor's elements in order, `piece` bytes at a time.
template <typename Take>
void read_pieces(const FileReader& reader, const TensorInfo& tensor, std::size_t piece, const Watch& watch, Take take) {
  std::vector<std::byte> buffer(std::min<std::uint64_t>(tensor.end - tensor.begin, piece));
  for (std::uint64_t at = tensor.begin; at < tensor.end; at += buffer.size()) {
    buffer.resize(std::min<std::uint64_t>(buffer.size(), tensor.end - at));
    reader.read(at, buffer, watch);
    take(std::span<const std::byte>(buffer));
  }
}

template <typename Element, typename Into>
void append_integers(std::span<const std::byte> bytes, Into into) {
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Element)) {
    Element element;
    std::memcpy(&element, bytes.data() + at, sizeof(Element));
    into(element);
  }
}

}  // namespace

FloatTensor read_floats(const FileReader& reader, const TensorInfo& tensor, const Watch& watch) {
  const DTypeRow& row = dtype_row(tensor.dtype);
  if (!row.is_convertible) refuse(reader, tensor, "the type is not supported", kConvertible);
  const auto block_bytes = static_cast<std::size_t>(row.bits / 8);
  const auto block = static_cast<std::size_t>(row.block);
  FloatTensor result;
  result.shape = tensor.shape;
  result.values.resize((tensor.end - tensor.begin) / block_bytes * block);
  if (tensor.dtype == DType::f32) {
    reader.read(tensor.begin, std::as_writable_bytes(std::span(result.values)), watch);
    return result;
  }
  std::span<float> rest = result.values;
  read_pieces(reader, tensor, kElementsAtOnce / block * block_bytes, watch, [&](std::span<const std::byte> bytes) {
    const std::size_t count = bytes.size() / block_bytes * block;
    convert_to_floats(tensor.dtype, bytes, rest.first(count));
    rest = rest.subspan(count);
  });
  return result;
}

std::vector<std::int64_t> read_integers(const FileReader& reader, const TensorInfo& tensor) {
  const bool is_whole = tensor.dtype >= DType::i64 && tensor.dtype <= DType::boolean;
  if (!is_whole) refuse(reader, tensor, "is not an integer type", "an integer type or BOOL");
  const auto element_bytes = static_cast<std::size_t>(dtype_row(tensor.dtype).bits / 8);
  std::vector<std::int64_t> result;
  result.reserve((tensor.end - tensor.begin) / element_bytes);
  const auto keep = [&](auto element) {
    if constexpr (std::is_same_v<decltype(element), std::uint64_t>) {
      if (element > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        refuse(reader, tensor, fmt::format("the number {} is too large", element), "at most 2^63 - 1");
      }
    }
    result.push_back(static_cast<std::int64_t>(element));
  };
  const auto append = [&](std::span<const std::byte> bytes) {
    switch (tensor.dtype) {
      case DType::i64:
        return append_integers<std::int64_t>(bytes, keep);
      case DType::i32:
        return append_integers<std::int32_t>(bytes, keep);
      case DType::i16:
        return append_integers<std::int16_t>(bytes, keep);
      case DType::i8:
        return append_integers<std::int8_t>(bytes, keep);
      case DType::u64:
        return append_integers<std::uint64_t>(bytes, keep);
      case DType::u32:
        return append_integers<std::uint32_t>(bytes, keep);
      case DType::u16:
        return append_integers<std::uint16_t>(bytes, keep);
      case DType::u8:
        return append_integers<std::uint8_t>(bytes, keep);
      case DType::boolean:
        return append_integers<std::uint8_t>(bytes, [&](std::uint8_t element) { keep(element != 0 ? 1 : 0); });
      default:
        return;  // refused above
    }
  };
  read_pieces(reader, tensor, kElementsAtOnce * element_bytes, {}, append);
  return result;
}

}  // namespace headlight
