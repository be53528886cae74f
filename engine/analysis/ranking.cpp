#include "engine/analysis/ranking.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "engine/kernels/instruction_set.h"

namespace headlight {
namespace {

bool is_framed(std::span<const CellBlock> frames, Index query, Index key) {
  return std::any_of(frames.begin(), frames.end(), [&](const CellBlock& frame) {
    return query >= frame.query_begin && query < frame.query_end && key >= frame.key_begin && key < frame.key_end;
  });
}

bool has_frame(std::span<const CellBlock> frames, Index query) {
  return std::any_of(frames.begin(), frames.end(),
                     [&](const CellBlock& frame) { return query >= frame.query_begin && query < frame.query_end; });
}

/// A row whose framed keys are all masked asks for the impossible and says nothing about the head.
std::optional<double> framed_weight(const MeasuredRow& row) {
  double sum = 0;
  bool can_be_seen = false;
  for (Index key = 0; key < row.weights.size(); ++key) {
    if (!row.mask.allows(row.query, key) || !is_framed(row.frames, row.query, key)) continue;
    can_be_seen = true;
    sum += static_cast<double>(row.weights[key]);
  }
  return can_be_seen ? std::optional(sum) : std::nullopt;
}

constexpr std::array kFramedMeasures{
    Measure{.id = kFramedWeight,
            .title = "weight in the frames",
            .unit = "",
            .formula = "Σ a over the framed keys",
            .meaning = "How much of their attention the framed queries give to their framed keys.",
            .source = "Vig and Belinkov 2019, arXiv 1906.04284: the share of attention on pairs that have a property",
            .undefined = "nothing is framed, or every framed key is masked",
            .needs_one_text = true,
            .of_row = framed_weight},
};

/// What a row measures, and what an even one would.
std::optional<std::pair<double, double>> measure_row(const Matrix& weights, const Mask& mask, Index query, const Measure& measure,
                                                     std::span<const CellBlock> frames) {
  const Index keys = weights.cols(), allowed = mask.allowed_in_row(query, keys);
  if (allowed < 2) return std::nullopt;
  const auto measured = [&](const RowVector& row) {
    const float largest = instruction_set().largest(row.data(), keys);
    if (largest == 0) return std::optional<double>();  // a masked row of a map from a file
    return measure.of_row({row, mask, query, allowed, largest, instruction_set().entropy(row.data(), keys), frames});
  };
  const std::optional<double> value = measured(weights.row(query));
  if (!value) return std::nullopt;
  RowVector even = RowVector::Zero(keys);
  for (Index key = 0; key < keys; ++key) {
    if (mask.allows(query, key)) even[key] = 1.0F / static_cast<float>(allowed);
  }
  return std::pair(*value, measured(even).value_or(0));
}

std::optional<RankedHead> rank_head(const LayerTrace& layer, HeadId head, const Measure& measure, std::span<const CellBlock> frames,
                                    const Watch& watch) {
  const Mask& mask = layer.mask(head.head);
  if (mask.queries() != mask.keys()) return std::nullopt;
  const HeadMaps maps = rebuild_head(layer, head.head, watch);
  RankedHead ranked{head, 0, 0, 0};
  for (Index query = 0; query < maps.weights.rows(); ++query) {
    if (!has_frame(frames, query)) continue;
    const auto found = measure_row(maps.weights, mask, query, measure, frames);
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

Measures framed_measures() {
  return kFramedMeasures;
}

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
