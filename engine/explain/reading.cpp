#include "engine/explain/reading.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight {

std::vector<Index> largest_keys(const Matrix& weights, Index query, std::size_t count) {
  std::vector<Index> keys(static_cast<std::size_t>(weights.cols()));
  std::iota(keys.begin(), keys.end(), Index{0});
  std::erase_if(keys, [&](Index key) { return !(weights(query, key) > 0); });  // before sorting: NaN has no order
  const std::size_t kept = std::min(count, keys.size());
  const auto is_larger = [&](Index a, Index b) {
    const float weight_a = weights(query, a);
    const float weight_b = weights(query, b);
    return weight_a != weight_b ? weight_a > weight_b : a < b;
  };
  std::partial_sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(kept), keys.end(), is_larger);
  keys.resize(kept);
  return keys;
}

std::string row_problem(const HeadMaps& maps, Index query) {
  const auto row = maps.weights.row(query).array();
  const double sum = row.cast<double>().sum();
  if (row.isNaN().any()) return "holds NaN";
  if (std::abs(sum - 1) > 1e-3) return fmt::format("sums to {:.3g}", sum);
  return (row < 0.0F).any() ? "holds numbers below 0" : "";
}

Received received_by(const HeadMaps& maps, Index key) {
  Received received;
  for (Index query = 0; query < maps.weights.rows(); ++query) {
    received.sum += static_cast<double>(maps.weights(query, key));
    received.queries += maps.mask == nullptr || maps.mask->allows(query, key) ? 1 : 0;
  }
  return received;
}

namespace {

/// Takes the row's largest change where it is larger than `most`.
void find_change(const Matrix& before, const Matrix& now, Index query, float& most, std::optional<Cell>& found) {
  for (Index key = 0; key < now.cols(); ++key) {
    const float change = std::abs(now(query, key) - before(query, key));
    if (!(change > most)) continue;
    most = change;
    found = Cell{query, key};
  }
}

}  // namespace

std::optional<Cell> most_changed_in_row(const Matrix& before, const Matrix& now, Index query) {
  float most = 0;
  std::optional<Cell> found;
  find_change(before, now, query, most, found);
  return found;
}

std::optional<Cell> most_changed(const Matrix& before, const Matrix& now) {
  float most = 0;
  std::optional<Cell> found;
  for (Index query = 0; query < now.rows(); ++query) find_change(before, now, query, most, found);
  return found;
}

}  // namespace headlight
