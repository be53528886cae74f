#include "engine/targets/head_effects.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace headlight {
namespace {

bool has_same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

bool HeadEffects::operator==(const HeadEffects& other) const {
  return target == other.target && method == other.method && has_same_bits(unchanged, other.unchanged) && problem == other.problem &&
         heads == other.heads && std::equal(values.begin(), values.end(), other.values.begin(), other.values.end(), has_same_bits);
}

}  // namespace headlight
