// A map as few rectangles (SVG and PDF of short texts) or as one image (longer ones). Colours come from paint_map in both.
#pragma once

#include <vector>

#include "engine/figure/scene.h"

namespace headlight {

/// Neighbouring cells of one row that look alike.
struct CellRun {
  Box box;
  Colour colour;
  bool is_masked = false;
};

/// Whether so few cells are shown that a file holds them as rectangles.
bool has_few_cells(const SceneMap& map);
std::vector<CellRun> cell_runs(const SceneMap& map);

/// The map with whole pixels per cell, or at two pixels per point where cells are smaller than that.
Image map_image(const SceneMap& map);

}  // namespace headlight
