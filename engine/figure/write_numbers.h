// The numbers behind a figure, as files other programs read.
#pragma once

#include <filesystem>

#include "engine/figure/figures.h"

namespace headlight {

/// heatmap: the map as a table, key tokens above, query tokens at left. grid, compare: one line per layer, head, query and key.
void write_csv(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path);
/// heatmap: [query, key]; compare: [heads, query, key]; grid: [layers, heads, query, key].
/// Throws Error (limit) above kLargestNumbers bytes before anything is computed.
void write_numpy(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path);
/// {"model", "text", "tokens", "heads": [{"layer", "head", "weights": [[…]]}]}; NaN is null.
void write_json(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path);

inline constexpr std::size_t kLargestNumbers = std::size_t{4} << 30U;

}  // namespace headlight
