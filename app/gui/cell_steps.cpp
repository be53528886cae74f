#include "app/gui/cell_steps.h"

#include <fmt/core.h>

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
  const bool has_keys = std::isfinite(sums.largest);  // a row of which nothing may be attended to has no sink either
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

std::string scale_label(float factor, bool is_scaled, float temperature, Index d_head) {
  if (factor == 1) return {};
  const float expected = (is_scaled ? 1 / std::sqrt(static_cast<float>(d_head)) : 1.0F) / temperature;
  if (std::abs(factor - expected) > 1e-5F * expected) return fmt::format("× {:.4g}", factor);
  std::string label = is_scaled ? fmt::format("÷ √{}", d_head) : std::string();
  if (temperature != 1) label += fmt::format("{}÷ {:.2f}", label.empty() ? "" : " ", temperature);
  return label;
}

}  // namespace headlight
