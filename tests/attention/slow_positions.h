// The second opinion on positions: rotations and biases as their papers write them, pair by pair in double precision.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>

#include "engine/core/matrix.h"
#include "tests/attention/slow_attention.h"

namespace headlight::testing {

/// Rotary positions of one head (Su et al. 2021, arXiv 2104.09864, equation 15): of its first `dimensions` numbers, pair i is turned by
/// position · 10000^(−2i / dimensions). Pairs are neighbours, or half of the dimensions apart.
inline Table slow_rotate(Table x, std::size_t dimensions, bool is_interleaved) {
  for (std::size_t position = 0; position < x.size(); ++position) {
    for (std::size_t pair = 0; pair < dimensions / 2; ++pair) {
      const double frequency = std::pow(10000.0, -2.0 * static_cast<double>(pair) / static_cast<double>(dimensions));
      const double angle = static_cast<double>(position) * frequency;
      double& a = x[position][is_interleaved ? 2 * pair : pair];
      double& b = x[position][is_interleaved ? 2 * pair + 1 : pair + dimensions / 2];
      const double turned_a = a * std::cos(angle) - b * std::sin(angle), turned_b = a * std::sin(angle) + b * std::cos(angle);
      a = turned_a;
      b = turned_b;
    }
  }
  return x;
}

/// ALiBi's slopes (Press et al. 2022, arXiv 2108.12409, section 3): a geometric series for powers of two; else that of the power below,
/// then every second slope of the power above.
inline Row slow_slopes(int heads) {
  int power = 1;
  while (power * 2 <= heads) power *= 2;
  const auto series = [](int count) {
    Row slopes;
    for (int head = 1; head <= count; ++head) slopes.push_back(std::pow(2.0, -8.0 * head / count));
    return slopes;
  };
  Row slopes = series(power);
  const Row finer = series(2 * power);
  for (std::size_t at = 0; slopes.size() < static_cast<std::size_t>(heads); at += 2) slopes.push_back(finer[at]);
  return slopes;
}

/// T5's bucket of key − query (Raffel et al. 2020, arXiv 1910.10683, section 2.1): half of the buckets of a direction hold one distance
/// each; the others start at exact · (farthest / exact)^(m / rest), m = 0, 1, …, and the last one is open.
inline int slow_bucket(Index distance, bool is_bidirectional, int buckets, int farthest) {
  int first = 0;
  if (is_bidirectional) {
    buckets /= 2;
    if (distance > 0) first = buckets;
  }
  const auto far = static_cast<double>(is_bidirectional ? std::abs(distance) : std::max<Index>(0, -distance));
  const int exact = buckets / 2, rest = buckets - exact;
  if (far < exact) return first + static_cast<int>(far);
  int bucket = exact;
  for (int step = 1; step < rest; ++step) {
    if (far >= exact * std::pow(static_cast<double>(farthest) / exact, static_cast<double>(step) / rest)) bucket = exact + step;
  }
  return first + bucket;
}

}  // namespace headlight::testing
