// Whether kept numbers are the same, by their bits: NaN equals itself, and 0 is not −0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace headlight {

inline bool has_same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

inline bool have_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), has_same_bits);
}

}  // namespace headlight
