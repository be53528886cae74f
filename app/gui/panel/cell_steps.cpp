#include "app/gui/panel/cell_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {
namespace {

float bias_at(const ScoreBias& bias, Cell cell, Index queries) {
  float sum = 0;
  if (bias.by_distance) sum += (*bias.by_distance)[cell.key - cell.query + queries - 1];
  if (bias.by_cell) sum += (*bias.by_cell)(cell.query, cell.key);
  return sum;
}

}  // namespace

CellSteps steps_of(const HeadMaps& maps, const HeadRule& rule, Cell cell) {
  CellSteps steps;
  steps.score = maps.scores(cell.query, cell.key);
  const float scaled = maps.scaled_score(cell.query, cell.key);
  if (maps.factor != 1) steps.scaled = scaled;
  if (rule.softcap > 0) steps.capped = rule.softcap * std::tanh(scaled / rule.softcap);
  if (!rule.bias.is_empty()) steps.bias = bias_at(rule.bias, cell, maps.scores.rows());
  steps.final_score = maps.final_score(cell.query, cell.key);
  steps.is_allowed = maps.mask->allows(cell.query, cell.key);
  steps.weight = maps.weights(cell.query, cell.key);
  return steps;
}

RowSums sums_of_row(const HeadMaps& maps, const HeadRule& rule, Index query) {
  RowSums sums;
  sums.largest = -std::numeric_limits<float>::infinity();
  const auto each_allowed = [&](const auto& use) {
    for (Index key = 0; key < maps.scores.cols(); ++key) {
      if (maps.mask->allows(query, key)) use(key);
    }
  };
  each_allowed([&](Index key) { sums.largest = std::max(sums.largest, maps.final_score(query, key)); });
  const bool has_keys = std::isfinite(sums.largest);  // a row without an allowed key has no sink either
  if (rule.sink && has_keys) sums.largest = std::max(sums.largest, *rule.sink);
  each_allowed([&](Index key) {
    sums.sum += std::exp(static_cast<double>(maps.final_score(query, key) - sums.largest));
    sums.weights_total += static_cast<double>(maps.weights(query, key));
  });
  if (!rule.sink || !has_keys) return sums;
  const double sink = std::exp(static_cast<double>(*rule.sink - sums.largest));
  sums.sum += sink;
  sums.sink_share = sink / sums.sum;
  return sums;
}

}  // namespace headlight
