// Maps and the grid of all maps, laid out from a snapshot and a style. The window shows these scenes; in files they are on a page with a
// title and notes (kinds/figure_kinds.h).
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/figure/axes.h"
#include "engine/figure/scene.h"
#include "engine/figure/stage.h"
#include "engine/snapshot.h"

namespace headlight {

struct Cell {
  Index query = 0, key = 0;
  bool operator==(const Cell&) const = default;
};

/// Cells with a frame around them: those of a map that a head should learn, or those of a relation that a reader sees in the text.
enum class FrameKind : std::uint8_t { drawn_map, relation };
struct MapFrame {
  FrameKind kind = FrameKind::drawn_map;
  Index query_begin = 0, query_end = 0;
  Index key_begin = 0, key_end = 0;
  bool operator==(const MapFrame&) const = default;
};

/// What a map figure shows besides the map.
struct MapFigureRequest {
  std::shared_ptr<const MapPicture> picture;
  ColourScale scale;
  std::string title, subtitle;
  AxisLabels query_labels, key_labels;
  AxisTitles titles;
  CellWindow window;              ///< part shown; empty: all of it
  Box area;                       ///< where the figure goes; labels and bar included
  std::optional<Cell> crosshair;  ///< row in the query colour, column in the key colour
  std::optional<Index> pinned_query;
  std::vector<MapFrame> frames;  ///< above the map, cut off at its edges
  bool has_labels = true, has_bar = true, has_axis_titles = true;
  Theme theme = Theme::dark;
};

/// The drawn figure and what a pointer needs to find cells in it.
struct MapFigure {
  Scene scene;  ///< only items; the caller owns size and background
  Box map;      ///< where the cells are
  CellWindow window;
  std::optional<Cell> cell_at(Point point) const;
  Box box_of(Cell cell) const;
  /// Around all cells of a frame, shown or not.
  Box box_of(const MapFrame& frame) const;
};
/// Square cells, labels thinned until they do not touch, key labels rotated, axis titles, colour bar with numbers.
MapFigure make_map_figure(const MapFigureRequest& request, const MeasureText& measure);

/// A row and a column that every map of a layer marks.
struct TileMarks {
  std::optional<Index> pinned_query = {}, hovered_query = {}, hovered_key = {};
};

/// All layers × all heads as small maps. In the window `scroll` moves rows; a file shows all of them.
struct GridFigureRequest {
  Box area;          ///< the visible part; nothing outside it is drawn
  float scroll = 0;  ///< points by which the content is moved up
  float tile = 0;    ///< side of a tile in points; 0: chosen from the area's width, and from its height as long as tiles stay readable
  std::optional<HeadId> selected, hovered;
  std::vector<HeadId> pinned;                               ///< A, B, … in this order
  std::vector<std::shared_ptr<const MapPicture>> pictures;  ///< layer by layer; empty: made from the summaries
  Style style;
  bool has_title = false;
  std::function<TileMarks(int layer)> marks;  ///< for a screen only; null: none
};
/// The place of every tile, visible or not. A tile has the shape of its layer's maps, so that captions are right below them.
struct GridLayout {
  struct Layer {
    float top = 0;                ///< below that of the first layer
    float width = 0, height = 0;  ///< of its tiles
  };
  std::vector<Layer> layers;
  int heads = 0;
  int columns = 1;           ///< tiles side by side; a layer with more heads continues on the next line
  float tile = 0, gap = 0;   ///< the longer side of a map
  float caption = 0;         ///< height of the line under a tile
  float below_tile = 0;      ///< from the bottom of a tile to the next line
  float content_height = 0;  ///< of all layers
  Point first;               ///< top left corner of tile 0.0
  Box box_of(HeadId head) const;
};
struct GridFigure {
  Scene scene;
  float content_height = 0;  ///< of everything, for the scroll bar
  GridLayout layout;
  std::vector<std::pair<HeadId, Box>> tiles;  ///< those inside the area
  std::optional<HeadId> head_at(Point point) const;
};
/// What the number under each map of a grid is, for captions.
std::string grid_number_text();
GridFigure make_grid_figure(const Snapshot& snapshot, const GridFigureRequest& request, const MeasureText& measure);

}  // namespace headlight
