#include "engine/targets/head_effects.h"

#include <algorithm>
#include <bit>
#include <cmath>
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

std::vector<std::size_t> places_by_size(const std::vector<double>& values) {
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < values.size(); ++place) {
    if (std::isfinite(values[place])) places.push_back(place);
  }
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return std::abs(values[a]) > std::abs(values[b]); });
  return places;
}

}  // namespace headlight
