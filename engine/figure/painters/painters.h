// Painters of files: a scene becomes a picture's bytes. The window has a painter of its own.
#pragma once

#include <string>

#include "engine/figure/scene.h"

namespace headlight {

/// Device pixels per point of a PNG.
inline constexpr float kDefaultPixelsPerPoint = 2;

std::string to_svg(const Scene& scene);                          ///< real text, crisp cells
std::string to_png(const Scene& scene, float pixels_per_point);  ///< bytes of the file
std::string to_pdf(const Scene& scene);
Image to_image(const Scene& scene, float pixels_per_point);

/// Has its own fonts and cache of widths: one thread at a time per returned function.
MeasureText pango_measure();

}  // namespace headlight
