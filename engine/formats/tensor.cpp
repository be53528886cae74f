#include "engine/formats/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace headlight {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors in files are little-endian and are read without swapping");

// All names of the safetensors format. The types without a value of DType can be listed, but not used.
constexpr std::array<DTypeRow, 22> kRows = {{
    {DType::f64, "F64", 64, true},           {DType::f32, "F32", 32, true},       {DType::f16, "F16", 16, true},
    {DType::bf16, "BF16", 16, true},         {DType::i64, "I64", 64, true},       {DType::i32, "I32", 32, true},
    {DType::i16, "I16", 16, true},           {DType::i8, "I8", 8, true},          {DType::u64, "U64", 64, true},
    {DType::u32, "U32", 32, true},           {DType::u16, "U16", 16, true},       {DType::u8, "U8", 8, true},
    {DType::boolean, "BOOL", 8, true},       {DType::other, "C64", 64, false},    {DType::other, "F8_E5M2", 8, false},
    {DType::other, "F8_E4M3", 8, false},     {DType::other, "F8_E8M0", 8, false}, {DType::other, "F8_E4M3FNUZ", 8, false},
    {DType::other, "F8_E5M2FNUZ", 8, false}, {DType::other, "F6_E2M3", 6, false}, {DType::other, "F6_E3M2", 6, false},
    {DType::other, "F4", 4, false},
}};
constexpr DTypeRow kUnknown = {DType::other, "other", 0, false};

float from_half(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16U;
  const std::uint32_t exponent = (half >> 10U) & 0x1FU;
  const std::uint32_t fraction = half & 0x3FFU;
  if (exponent == 0) {  // zero and subnormals: fraction · 2^-24
    const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t wide_exponent = exponent == 0x1FU ? 0xFFU : exponent + (127 - 15);
  return std::bit_cast<float>(sign | (wide_exponent << 23U) | (fraction << 13U));
}

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
  const auto* row = std::find_if(kRows.begin(), kRows.end(), [&](const DTypeRow& candidate) { return candidate.name == name; });
  return row == kRows.end() ? nullptr : row;
}

const DTypeRow& dtype_row(DType type) {
  if (type == DType::other) return kUnknown;
  return *std::find_if(kRows.begin(), kRows.end(), [&](const DTypeRow& candidate) { return candidate.type == type; });
}

void convert_to_floats(DType type, std::span<const std::byte> bytes, std::span<float> into) {
  switch (type) {
    case DType::f64:
      return cast_each<double>(bytes, into);
    case DType::f32:
      return cast_each<float>(bytes, into);
    case DType::f16:
      return convert_each<std::uint16_t>(bytes, into, from_half);
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
    case DType::other:
      break;  // refused by whoever asks: it can name the file and the tensor
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
