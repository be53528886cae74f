// IEEE 754 half precision.
#pragma once

#include <bit>
#include <cstdint>

namespace headlight {

/// Exact. Written with bit masks instead of branches, so that the compiler vectorizes a loop over it.
inline float from_half(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16U;
  const std::uint32_t exponent = (half >> 10U) & 0x1FU;
  const std::uint32_t fraction = half & 0x3FFU;
  const std::uint32_t is_special = 0U - static_cast<std::uint32_t>(exponent == 0x1FU);  // all ones: infinity or NaN
  const std::uint32_t is_small = 0U - static_cast<std::uint32_t>(exponent == 0);        // all ones: zero or subnormal
  const std::uint32_t wide = (((exponent + (127 - 15)) << 23U) | (fraction << 13U)) | (is_special & 0x7F800000U);
  const auto small = std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(fraction)) * 0x1p-24F);
  return std::bit_cast<float>(sign | (is_small & small) | (~is_small & wide));
}

}  // namespace headlight
