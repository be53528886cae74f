#include "engine/analysis/content_dependence.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

/// The first N rows of a head, and the weight of each of their first N keys: use(query, key, weight).
template <typename Use>
void each_weight(const HeadRows& rows, Index positions, const HiddenKeys* hidden, const Use& use) {
  for (Index at = 0; at < rows.weights.rows() && rows.first_query + at < positions; ++at) {
    const auto is_hidden = [&](Index key) { return hidden != nullptr && hidden->flags[static_cast<std::size_t>(key)] != 0; };
    const Index keys = std::min(positions, rows.weights.cols());
    double left = 1;
    for (Index key = 0; key < keys; ++key) left -= is_hidden(key) ? static_cast<double>(rows.weights(at, key)) : 0.0;
    for (Index key = 0; key < positions; ++key) {
      const bool has_weight = key < keys && left > kLeastRest && !is_hidden(key);
      use(rows.first_query + at, key, has_weight ? static_cast<double>(rows.weights(at, key)) / left : 0.0);
    }
  }
}

}  // namespace

void MeanMap::add(const HeadRows& rows, const HiddenKeys* hidden) {
  each_weight(rows, positions_, hidden, [&](Index query, Index key, double weight) { mean_(query, key) += weight; });
}

void ContentDependence::add(const HeadRows& rows, const Mask& /*mask*/) {
  each_weight(rows, mean_.positions(), hidden_, [&](Index query, Index key, double weight) {
    const double above = weight - mean_.at(query, key);
    apart_ += std::abs(above);
    if (farthest_.query < 0 || above > farthest_.value) farthest_ = {query, key, static_cast<float>(weight), above};
  });
}

}  // namespace headlight
