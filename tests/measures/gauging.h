// Whole maps measured in one call, for tests.
#pragma once

#include <cmath>
#include <string>

#include "engine/core/random.h"
#include "engine/measures/head_gauge.h"
#include "engine/measures/worked_example.h"

namespace headlight::testing {

/// The value of a measure by its id on a map, fed `at_once` rows at a time. NaN: undefined.
inline double gauged(const std::string& id, const Matrix& map, const Mask& mask, const MeasuredText& text, Index at_once = 1000) {
  const std::vector<MeasureRequest> requests = measure_requests(id, "test");
  const GaugePlan plan(requests, text, map.cols());
  HeadGauge gauge(plan, mask);
  for (Index first = 0; first < map.rows(); first += at_once) {
    const Index rows = std::min(at_once, map.rows() - first);
    const Index reach = reach_of(mask, first, rows);
    gauge.add({first, map.block(first, 0, rows, reach)});
  }
  return gauge.value(0);
}

inline std::vector<Token> tokens_of(const std::vector<std::int64_t>& ids) {
  std::vector<Token> tokens;
  for (const std::int64_t id : ids) tokens.push_back({.id = id, .text = std::to_string(id), .bytes = {}});
  return tokens;
}

inline Mask causal_mask(Index tokens) {
  return MaskText("causal").cells({tokens, tokens, {}});
}

/// Rows that share out 1 among the keys that the mask allows.
inline Matrix random_map(const Mask& mask, std::uint64_t seed) {
  RandomStream random(seed, "map");
  Matrix weights = Matrix::Zero(mask.queries(), mask.keys());
  for (Index query = 0; query < mask.queries(); ++query) {
    for (Index key = 0; key < mask.keys(); ++key) {
      if (mask.allows(query, key)) weights(query, key) = std::exp(2 * random.next_normal());
    }
    if (const float sum = weights.row(query).sum(); sum > 0) weights.row(query) /= sum;
  }
  return weights;
}

inline Matrix even_map(const Mask& mask) {
  Matrix weights = Matrix::Zero(mask.queries(), mask.keys());
  for (Index query = 0; query < mask.queries(); ++query) {
    for (Index key = 0; key < mask.keys(); ++key) {
      if (mask.allows(query, key)) weights(query, key) = 1.0F / static_cast<float>(mask.allowed_in_row(query));
    }
  }
  return weights;
}

}  // namespace headlight::testing
