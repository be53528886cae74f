// A scene, or the numbers behind it, as a file.
#pragma once

#include <filesystem>
#include <string>

#include "engine/figure/figures.h"
#include "engine/figure/painters/painters.h"

namespace headlight {

/// By the ending of `path`: .png .svg .pdf from the scene; .csv .npy .json the numbers (heatmap: one map; grid: [layers, heads, query, key]).
/// Throws Error (usage) for another ending, Error (write) when the file cannot be written.
void write_figure(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path,
                  float pixels_per_point = kDefaultPixelsPerPoint);

}  // namespace headlight
