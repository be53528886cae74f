#include "engine/analysis/content_dependence.h"

#include <algorithm>
#include <cmath>

namespace headlight {

void ContentDependence::add_to_mean(const HeadRows& rows) {
  const Index keys = std::min(positions_, rows.weights.cols());
  for (Index at = 0; at < rows.weights.rows() && rows.first_query + at < positions_; ++at) {
    for (Index key = 0; key < keys; ++key) mean_(rows.first_query + at, key) += static_cast<double>(rows.weights(at, key));
  }
}

void ContentDependence::add_difference(const HeadRows& rows) {
  for (Index at = 0; at < rows.weights.rows() && rows.first_query + at < positions_; ++at) {
    for (Index key = 0; key < positions_; ++key) {
      const double weight = key < rows.weights.cols() ? static_cast<double>(rows.weights(at, key)) : 0.0;
      apart_ += std::abs(weight - mean_(rows.first_query + at, key));
      sum_ += weight;
    }
  }
}

}  // namespace headlight
