// Maps, laid out from a snapshot and a style. The window shows these scenes; in files they are on a page with a title and notes
// (kinds/figure_kinds.h).
#pragma once

#include <optional>
#include <vector>

#include "engine/figure/axes.h"
#include "engine/figure/pictures.h"
#include "engine/figure/scene.h"
#include "engine/figure/stage.h"
#include "engine/snapshot.h"

namespace headlight {

struct Cell {
  Index query = 0, key = 0;
  bool operator==(const Cell&) const = default;
};

/// Cells with a frame around them: those of a map that a head should learn, those of a relation that a reader sees in the text, or those that
/// all heads are asked about.
enum class FrameKind : std::uint8_t { drawn_map, relation, asked };
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
  MapColumns columns = MapColumns::keys;             ///< numbers: key_labels are their places
  CellWindow window;                                 ///< part shown; empty: all of it
  Box area;                                          ///< where the figure goes; labels and bar included
  std::optional<Cell> crosshair;                     ///< row in the query colour, column in the key colour
  std::optional<Index> pinned_query, pinned_key;     ///< marked for good
  std::vector<MapFrame> frames;                      ///< above the map, cut off at its edges
  std::optional<Index> second_queries, second_keys;  ///< of a pair: where the second sentence begins, marked by a line across the map
  std::shared_ptr<const MapWords> words = {};        ///< of a file's map, whose labels may be thinned
  bool has_labels = true, has_bar = true, has_axis_titles = true;
  bool has_cell_numbers = false;  ///< the number of a cell is written in it, where it fits
  bool has_plain_axes = false;    ///< neither is of queries or keys, which have their colours
  bool is_tight = false;  ///< on a narrow page: no more room between its parts than they need; an empty title of the queries takes none
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
/// Square cells, labels thinned until they do not touch, key labels rotated, axis titles, colour bar with numbers. Columns are in the colour
/// of keys; those that are numbers of a value in that of values, with level labels.
MapFigure make_map_figure(const MapFigureRequest& request, const MeasureText& measure);

}  // namespace headlight
