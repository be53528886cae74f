// When a number is the same as another for whoever keeps numbers: NaN is itself, and 0 is not −0.
#pragma once

#include <bit>
#include <cstdint>

namespace headlight {

inline bool has_same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace headlight
