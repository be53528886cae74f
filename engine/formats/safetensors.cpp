#include "engine/formats/safetensors.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

#include "engine/core/error.h"

namespace headlight {
namespace {

// Elements are converted piece by piece, so that a tensor is never held twice.
constexpr std::size_t kElementsAtOnce = 1U << 18U;

[[noreturn]] void refuse(const SafetensorsFile& file, const TensorInfo& tensor, std::string problem, std::string expected) {
  throw Error({.kind = ErrorKind::input,
               .file = file.name(),
               .field = "tensor " + printable(tensor.name),
               .offset = tensor.begin,
               .problem = std::move(problem),
               .found = tensor.dtype_name,
               .expected = std::move(expected)});
}

/// Calls take(bytes) for the tensor's elements in order, `kElementsAtOnce` at a time.
template <typename Take>
void read_pieces(const FileReader& reader, const TensorInfo& tensor, std::size_t element_bytes, Take take) {
  std::vector<std::byte> buffer(std::min<std::uint64_t>(tensor.end - tensor.begin, kElementsAtOnce * element_bytes));
  for (std::uint64_t at = tensor.begin; at < tensor.end; at += buffer.size()) {
    buffer.resize(std::min<std::uint64_t>(buffer.size(), tensor.end - at));
    reader.read(at, buffer);
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

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) : reader_(path), header_(read_safetensors_header(reader_)) {
  for (std::size_t at = 0; at < header_.tensors.size(); ++at) by_name_.emplace(header_.tensors[at].name, at);
}

const TensorInfo* SafetensorsFile::find(std::string_view name) const {
  const auto item = by_name_.find(name);
  return item == by_name_.end() ? nullptr : &header_.tensors[item->second];
}

FloatTensor SafetensorsFile::read_floats(const TensorInfo& tensor) const {
  const DTypeRow& row = dtype_row(tensor.dtype);
  if (!row.is_convertible) refuse(*this, tensor, "the type is not supported", "F64, F32, F16, BF16, an integer type or BOOL");
  const auto element_bytes = static_cast<std::size_t>(row.bits / 8);
  FloatTensor result;
  result.shape = tensor.shape;
  result.values.resize((tensor.end - tensor.begin) / element_bytes);
  if (tensor.dtype == DType::f32) {
    reader_.read(tensor.begin, std::as_writable_bytes(std::span(result.values)));
    return result;
  }
  std::span<float> rest = result.values;
  read_pieces(reader_, tensor, element_bytes, [&](std::span<const std::byte> bytes) {
    const std::size_t count = bytes.size() / element_bytes;
    convert_to_floats(tensor.dtype, bytes, rest.first(count));
    rest = rest.subspan(count);
  });
  return result;
}

std::vector<std::int64_t> SafetensorsFile::read_integers(const TensorInfo& tensor) const {
  const bool is_whole = tensor.dtype >= DType::i64 && tensor.dtype <= DType::boolean;
  if (!is_whole) refuse(*this, tensor, "the type is not one of whole numbers", "an integer type or BOOL");
  const auto element_bytes = static_cast<std::size_t>(dtype_row(tensor.dtype).bits / 8);
  std::vector<std::int64_t> result;
  result.reserve((tensor.end - tensor.begin) / element_bytes);
  const auto keep = [&](auto element) {
    if constexpr (std::is_same_v<decltype(element), std::uint64_t>) {
      if (element > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        refuse(*this, tensor, fmt::format("the number {} is too large", element), "at most 2^63 - 1");
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
  read_pieces(reader_, tensor, element_bytes, append);
  return result;
}

}  // namespace headlight
