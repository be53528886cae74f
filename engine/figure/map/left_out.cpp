#include "engine/figure/map/left_out.h"

#include <cmath>
#include <limits>

#include "engine/figure/map/map_picture.h"

namespace headlight {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct RowMass {
  double hidden = 0, left = 0;
  Index allowed = 0;
};

RowMass mass_of(const Matrix& weights, const Mask& mask, std::span<const std::uint8_t> keys, Index query) {
  RowMass mass;
  for (Index key = 0; key < weights.cols(); ++key) {
    if (!mask.allows(query, key)) continue;
    ++mass.allowed;
    const auto weight = static_cast<double>(weights(query, key));
    if (std::isfinite(weight)) (keys[static_cast<std::size_t>(key)] != 0 ? mass.hidden : mass.left) += weight;
  }
  return mass;
}

}  // namespace

ShownCells leave_out(const Matrix& weights, const Mask& mask, std::span<const std::uint8_t> keys, bool renormalises, bool can_share) {
  ShownCells shown{weights, {.keys = {keys.begin(), keys.end()}, .is_renormalised = renormalises && can_share}};
  LeftOut& out = shown.left_out;
  double sum = 0;
  Index informative = 0;
  for (Index query = 0; query < weights.rows(); ++query) {
    const RowMass mass = mass_of(weights, mask, keys, query);
    out.mass.push_back(mass.allowed > 0 ? mass.hidden : kUnknown);
    if (mass.allowed >= 2) sum += mass.hidden, ++informative;
    const bool is_dropped = out.is_renormalised && mass.allowed > 0 && !(mass.left >= kLeastLeft);
    out.dropped_rows += is_dropped;
    for (Index key = 0; key < weights.cols(); ++key) {
      float& cell = shown.values(query, key);
      if (is_dropped || keys[static_cast<std::size_t>(key)] != 0) {
        cell = kHiddenCell;
      } else if (out.is_renormalised && mass.allowed > 0) {
        cell = static_cast<float>(static_cast<double>(cell) / mass.left);
      }
    }
  }
  out.mean_mass = informative > 0 ? sum / static_cast<double>(informative) : kUnknown;
  return shown;
}

ShownCells leave_out_blocks(const Matrix& pooled, Index pool, std::span<const std::uint8_t> keys) {
  ShownCells shown{pooled, {.keys = {keys.begin(), keys.end()}, .mean_mass = kUnknown}};
  for (std::size_t key = 0; key < keys.size(); ++key) {
    if (keys[key] != 0) shown.values.col(static_cast<Index>(key) / pool).setConstant(kHiddenCell);
  }
  return shown;
}

}  // namespace headlight
