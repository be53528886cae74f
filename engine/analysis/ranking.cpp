#include "engine/analysis/ranking.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/measures/head_gauge.h"

namespace headlight {
namespace {

bool has_frame(std::span<const CellBlock> frames, Index query) {
  return std::any_of(frames.begin(), frames.end(),
                     [&](const CellBlock& frame) { return query >= frame.query_begin && query < frame.query_end; });
}

/// What a row measures, and what an even one would.
std::optional<std::pair<double, double>> measure_row(const Matrix& weights, const Mask& mask, Index query, const Measure& measure,
                                                     const MeasureSettings& settings) {
  const Index keys = weights.cols();
  const auto measured = [&](const Eigen::Ref<const RowVector>& row) {
    std::optional<MeasuredRow> found = measured_row(mask, query, row);
    if (!found || found->allowed < 2) return std::optional<RowValue>();
    found->settings = &settings;
    return measure.of_row(*found);
  };
  const std::optional<RowValue> value = measured(weights.row(query));
  if (!value) return std::nullopt;
  const auto allowed = static_cast<float>(mask.allowed_in_row(query, keys));
  RowVector even = RowVector::Zero(keys);
  for (Index key = 0; key < keys; ++key) {
    if (mask.allows(query, key)) even[key] = 1.0F / allowed;
  }
  return std::pair(value->value, measured(even).value_or(0).value);
}

std::optional<RankedHead> rank_head(const LayerTrace& layer, HeadId head, const Measure& measure, std::span<const CellBlock> frames,
                                    const Watch& watch) {
  const Mask& mask = layer.mask(head.head);
  if (mask.queries() != mask.keys()) return std::nullopt;
  const HeadMaps maps = rebuild_head(layer, head.head, watch);
  const MeasureSettings settings{.frames = frames};
  RankedHead ranked{head, 0, 0, 0};
  for (Index query = 0; query < maps.weights.rows(); ++query) {
    if (!has_frame(frames, query)) continue;
    const auto found = measure_row(maps.weights, mask, query, measure, settings);
    if (!found) continue;
    ranked.value += found->first;
    ranked.even += found->second;
    ++ranked.rows;
  }
  if (ranked.rows == 0) return std::nullopt;
  ranked.value /= static_cast<double>(ranked.rows);
  ranked.even /= static_cast<double>(ranked.rows);
  return ranked;
}

}  // namespace

std::vector<RankedHead> rank_heads(const Trace& trace, const Measure& measure, std::span<const CellBlock> frames, Progress& progress) {
  std::vector<RankedHead> ranked;
  const auto layers = static_cast<int>(trace.layers.size());
  for (int number = 0; number < layers; ++number) {
    progress.step(static_cast<double>(number) / layers, "ranking heads");
    const LayerTrace& layer = trace.layer(number);
    for (int head = 0; head < static_cast<int>(layer.rules.size()); ++head) {
      const std::optional<RankedHead> found = rank_head(layer, {number, head}, measure, frames, progress);
      if (found && !std::isnan(found->value)) ranked.push_back(*found);
    }
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const RankedHead& a, const RankedHead& b) { return a.value > b.value; });
  return ranked;
}

}  // namespace headlight
