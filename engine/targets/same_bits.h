// Whether kept numbers are the same, by their bits: NaN equals itself, and 0 is not −0.
#pragma once

#include <bit>
#include <cstdint>

namespace headlight {

inline bool has_same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace headlight
