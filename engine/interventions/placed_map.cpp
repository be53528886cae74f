#include "engine/interventions/placed_map.h"

#include <cassert>
#include <optional>

namespace headlight {
namespace {

/// The one key that all weight goes to; nullopt: there is none.
std::optional<Index> wanted_key(InterventionKind kind, Index query) {
  if (kind == InterventionKind::first) return 0;
  if (kind == InterventionKind::self) return query;
  assert(kind == InterventionKind::previous);
  return query > 0 ? std::optional(query - 1) : std::nullopt;
}

}  // namespace

Matrix placed_map(InterventionKind kind, const Mask& mask, const Matrix& own) {
  Matrix weights = own;
  for (Index query = 0; query < own.rows(); ++query) {
    if (kind == InterventionKind::uniform) {
      const Index allowed = mask.allowed_in_row(query);
      const float share = allowed == 0 ? 0.0F : 1.0F / static_cast<float>(allowed);
      for (Index key = 0; key < own.cols(); ++key) weights(query, key) = mask.allows(query, key) ? share : 0.0F;
      continue;
    }
    const std::optional<Index> key = wanted_key(kind, query);
    if (!key || *key >= own.cols() || !mask.allows(query, *key)) continue;
    weights.row(query).setZero();
    weights(query, *key) = 1;
  }
  return weights;
}

Matrix placed_map(const Matrix& other, const Mask& mask, const Matrix& own) {
  assert(other.rows() == own.rows() && other.cols() == own.cols());
  Matrix weights = other;
  for (Index query = 0; query < own.rows(); ++query) {
    double all = 0, left = 0;
    for (Index key = 0; key < own.cols(); ++key) {
      float& weight = weights(query, key);
      all += static_cast<double>(weight);
      if (!mask.allows(query, key)) weight = 0;
      left += static_cast<double>(weight);
    }
    if (left == all) continue;
    if (left > 0) {
      weights.row(query) *= static_cast<float>(all / left);
    } else {
      weights.row(query) = own.row(query);
    }
  }
  return weights;
}

}  // namespace headlight
