#include "engine/formats/tensors/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "engine/core/checked.h"
#include "engine/formats/tensors/half.h"
#include "engine/formats/tensors/quantized_blocks.h"

namespace headlight {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors in files are little-endian and are read without swapping");

// All names of the safetensors format, then GGUF's blocks. The types without a value of DType can be listed, but not used.
constexpr std::size_t kSafetensorsNames = 22;
constexpr std::array<DTypeRow, 34> kRows = {{
    {DType::f64, "F64", 64, true},
    {DType::f32, "F32", 32, true},
    {DType::f16, "F16", 16, true},
    {DType::bf16, "BF16", 16, true},
    {DType::i64, "I64", 64, true},
    {DType::i32, "I32", 32, true},
    {DType::i16, "I16", 16, true},
    {DType::i8, "I8", 8, true},
    {DType::u64, "U64", 64, true},
    {DType::u32, "U32", 32, true},
    {DType::u16, "U16", 16, true},
    {DType::u8, "U8", 8, true},
    {DType::boolean, "BOOL", 8, true},
    {DType::other, "C64", 64, false},
    {DType::other, "F8_E5M2", 8, false},
    {DType::other, "F8_E4M3", 8, false},
    {DType::other, "F8_E8M0", 8, false},
    {DType::other, "F8_E4M3FNUZ", 8, false},
    {DType::other, "F8_E5M2FNUZ", 8, false},
    {DType::other, "F6_E2M3", 6, false},
    {DType::other, "F6_E3M2", 6, false},
    {DType::other, "F4", 4, false},
    {DType::q8_0, "Q8_0", 272, true, 32},
    {DType::q4_0, "Q4_0", 144, true, 32},
    {DType::q4_1, "Q4_1", 160, true, 32},
    {DType::q5_0, "Q5_0", 176, true, 32},
    {DType::q5_1, "Q5_1", 192, true, 32},
    {DType::q4_k, "Q4_K", 1152, true, 256},
    {DType::q5_k, "Q5_K", 1408, true, 256},
    {DType::q6_k, "Q6_K", 1680, true, 256},
    {DType::q2_k, "Q2_K", 672, true, 256},
    {DType::q3_k, "Q3_K", 880, true, 256},
    {DType::iq4_nl, "IQ4_NL", 144, true, 32},
    {DType::iq4_xs, "IQ4_XS", 1088, true, 256},
}};
constexpr DTypeRow kUnknown = {DType::other, "other", 0, false};

template <typename Element, typename Convert>
void convert_each(std::span<const std::byte> bytes, std::span<float> into, Convert convert) {
  for (std::size_t at = 0; at < into.size(); ++at) {
    Element element;
    std::memcpy(&element, bytes.data() + at * sizeof(Element), sizeof(Element));
    into[at] = convert(element);
  }
}

template <typename Element>
void cast_each(std::span<const std::byte> bytes, std::span<float> into) {
  convert_each<Element>(bytes, into, [](Element element) { return static_cast<float>(element); });
}

}  // namespace

const DTypeRow* find_dtype(std::string_view name) {
  const auto* end = kRows.begin() + kSafetensorsNames;
  const auto* row = std::find_if(kRows.begin(), end, [&](const DTypeRow& candidate) { return candidate.name == name; });
  return row == end ? nullptr : row;
}

const DTypeRow& dtype_row(DType type) {
  if (type == DType::other) return kUnknown;
  return *std::find_if(kRows.begin(), kRows.end(), [&](const DTypeRow& candidate) { return candidate.type == type; });
}

std::optional<std::uint64_t> stored_bytes(const DTypeRow& row, std::uint64_t elements) {
  const auto block = static_cast<std::uint64_t>(row.block);
  if (elements % block != 0) return std::nullopt;
  const std::optional<std::uint64_t> bits = checked_multiply(elements / block, static_cast<std::uint64_t>(row.bits));
  if (!bits || *bits % 8 != 0) return std::nullopt;
  return *bits / 8;
}

void convert_to_floats(DType type, std::span<const std::byte> bytes, std::span<float> into) {
  switch (type) {
    case DType::f64:
      return cast_each<double>(bytes, into);
    case DType::f32:
      return cast_each<float>(bytes, into);
    case DType::f16:
      // A function of its own, not a pointer to it: only what is inlined is vectorized.
      return convert_each<std::uint16_t>(bytes, into, [](std::uint16_t half) { return from_half(half); });
    case DType::bf16:
      return convert_each<std::uint16_t>(bytes, into,
                                         [](std::uint16_t high) { return std::bit_cast<float>(static_cast<std::uint32_t>(high) << 16U); });
    case DType::i64:
      return cast_each<std::int64_t>(bytes, into);
    case DType::i32:
      return cast_each<std::int32_t>(bytes, into);
    case DType::i16:
      return cast_each<std::int16_t>(bytes, into);
    case DType::i8:
      return cast_each<std::int8_t>(bytes, into);
    case DType::u64:
      return cast_each<std::uint64_t>(bytes, into);
    case DType::u32:
      return cast_each<std::uint32_t>(bytes, into);
    case DType::u16:
      return cast_each<std::uint16_t>(bytes, into);
    case DType::u8:
      return cast_each<std::uint8_t>(bytes, into);
    case DType::boolean:
      return convert_each<std::uint8_t>(bytes, into, [](std::uint8_t element) { return element != 0 ? 1.0F : 0.0F; });
    case DType::q8_0:
    case DType::q4_0:
    case DType::q4_1:
    case DType::q5_0:
    case DType::q5_1:
    case DType::q4_k:
    case DType::q5_k:
    case DType::q6_k:
    case DType::q2_k:
    case DType::q3_k:
    case DType::iq4_nl:
    case DType::iq4_xs:
      return convert_blocks(type, bytes, into);
    case DType::other:
      break;  // refused by the caller, which can name the file and the tensor
  }
}

NonFinite count_non_finite(std::span<const float> values) {
  NonFinite count;
  for (const float value : values) {
    count.nan += static_cast<std::int64_t>(std::isnan(value));
    count.infinite += static_cast<std::int64_t>(std::isinf(value));
  }
  return count;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

}  // namespace headlight
