// A scene, or the numbers behind it, as a file.
#pragma once

#include <filesystem>
#include <string>

#include "engine/figure/figures.h"

namespace headlight {

/// Device pixels per point of a PNG.
inline constexpr float kDefaultPixelsPerPoint = 2;

std::string to_svg(const Scene& scene);                          ///< real text, crisp cells
std::string to_png(const Scene& scene, float pixels_per_point);  ///< bytes of the file
std::string to_pdf(const Scene& scene);
Image to_image(const Scene& scene, float pixels_per_point);

/// By the ending of `path`: .png .svg .pdf from the scene; .csv .npy .json the numbers (heatmap: one map; grid: [layers, heads, query, key]).
/// Throws Error (usage) for another ending, Error (write) when the file cannot be written.
void write_figure(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path,
                  float pixels_per_point = kDefaultPixelsPerPoint);

}  // namespace headlight
