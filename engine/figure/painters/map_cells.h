// A map as few rectangles (SVG and PDF of few cells) or as one image (of more). Colours come from paint_map in both.
#pragma once

#include <optional>
#include <vector>

#include "engine/figure/scene.h"

namespace headlight {

/// Neighbouring cells of one row that look alike.
struct CellRun {
  Box box;
  Colour colour;
  bool is_masked = false;
  int row = 0, column = 0;  ///< of its first cell
};

/// A file holds cells as rectangles up to this many in all its maps; of more, each map is an image, so that no file becomes too large to open.
inline constexpr std::size_t kMostRectangles = 20'000;
/// Whether a scene's maps are drawn as rectangles, those apart that have more than 100 cells along a side.
bool has_few_cells(const Scene& scene);
/// Whether so few cells of one map are shown that a file can hold them as rectangles.
bool has_few_cells(const SceneMap& map);
/// `is_merged`: else every cell is a run of its own.
std::vector<CellRun> cell_runs(const SceneMap& map, bool is_merged = true);

/// Why a cell has no number: its query may not attend to its key, or the key is left out of what is shown.
enum class CellState : std::uint8_t { number, masked, left_out };
CellState state_of_cell(const MapPicture& picture, Index row, Index column);

/// How many cells of a map are shown, parts of cells included.
std::size_t shown_cells(const SceneMap& map);
/// What is said of a cell: "“sat” (2) → “cat” (1): 0.25"; for maps with words.
std::string cell_text(const SceneMap& map, int row, int column);

/// The map with one pixel a cell, to be enlarged without smoothing; masked cells are clear, so that what is hatched under the image shows. None
/// where parts of cells are shown, or cells are smaller than half a point: then map_image.
std::optional<Image> cell_image(const SceneMap& map);
bool has_clear_pixels(const Image& image);

/// The map with whole pixels per cell, or at two pixels per point where cells are smaller than that.
Image map_image(const SceneMap& map);

}  // namespace headlight
