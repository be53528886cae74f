// Maps and the grid of all maps, laid out from a snapshot and a style. The window shows these scenes; in files they are on a page with a
// title and notes (kinds/figure_kinds.h).
#pragma once

#include <functional>
#include <optional>
#include <span>
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

/// A row and a column that every map of a layer marks.
struct TileMarks {
  std::optional<Index> pinned_query = {}, pinned_key = {}, hovered_query = {}, hovered_key = {};
};

/// Heads set by a number instead of by layers, and the number itself.
struct GridArrangement {
  bool is_flowing = false;         ///< tiles one after the other, layers mixed; else a head that is not in `heads` leaves its place empty
  std::vector<HeadId> heads = {};  ///< that are shown, in their order
  std::function<std::string(HeadId)> number = {};  ///< written at a tile; null: its spread
  std::function<double(HeadId)> bar = {};          ///< 0 … 1, how far the bar under a tile reaches; NaN: it has none; null: no bars
};

/// All layers × all heads as small maps. In the window `scroll` moves rows; a file shows all of them.
struct GridFigureRequest {
  Box area;          ///< the visible part; nothing outside it is drawn
  float scroll = 0;  ///< points by which the content is moved up
  float tile = 0;    ///< side of a tile in points, for a page that grows with its content; 0: as large as the area lets them be
  int columns = 0;   ///< of a page with an arrangement: tiles on a line
  std::optional<HeadId> selected, hovered;
  std::vector<HeadId> pinned;                  ///< A, B, … in this order
  std::vector<HeadId> brushed;                 ///< with a frame, in rising order
  std::optional<GridArrangement> arrangement;  ///< none: all heads, by layer
  Style style;
  ShownMaps* maps = nullptr;                  ///< of the snapshot and the style; null: made for this figure
  const StagedMaps* staged = nullptr;         ///< in place of weights; a map that is not made yet is left empty
  std::function<TileMarks(int layer)> marks;  ///< null: none
};
/// The place of every tile, visible or not. A tile has the shape of its layer's maps, so that captions are right beside them.
struct GridLayout {
  struct Layer {
    float left = 0, top = 0;      ///< of its first line's tiles, from `first`
    float width = 0, height = 0;  ///< of its tiles
    float keys = 0;               ///< height of the token names above each line; 0: none
    float line_step = 0;          ///< from one line's tiles to the next's
  };
  std::vector<Layer> layers;
  int heads = 0;
  int columns = 1;                              ///< tiles side by side; a layer with more heads continues on the next line
  float tile = 0;                               ///< the longer side of a map
  float step = 0;                               ///< from the left of a tile to that of the next
  float caption = 0;                            ///< height of the line under a tile; 0: captions are to the right of their tiles
  float beside = 0;                             ///< width of those; 0: captions are under their tiles
  bool has_bracket_names = true;                ///< of heads that share keys and values; else a line alone
  float caption_width = 0;                      ///< of captions under tiles that are narrower than it
  float query_width = 0;                        ///< of the token names at the left of a line
  bool is_in_columns = false;                   ///< layers beside each other: then nothing scrolls
  float content_width = 0, content_height = 0;  ///< of everything, names of layers and tokens included
  Box spare;                                    ///< of the area: for a map much larger than the tiles; empty if there is no room for one
  Point first;                                  ///< top left corner of the content's first tile, without its token names
  std::vector<HeadId> flow;                     ///< of tiles that are not set by layers: their order, with one layer's measures for all
  /// Of a head that is not shown: empty.
  Box box_of(HeadId head) const;
  Box box_at(std::size_t place) const;  ///< of `flow`
};
struct GridFigure {
  Scene scene;
  float content_height = 0;  ///< of everything, for the scroll bar
  GridLayout layout;
  std::vector<std::pair<HeadId, Box>> tiles;         ///< those inside the area
  std::optional<HeadId> head_at(Point point) const;  ///< in a tile or its caption
  /// The cell of a head's map at a point; none beside the map, and where cells are too small to tell one from another.
  std::optional<Cell> cell_at(const Snapshot& snapshot, HeadId head, Point point) const;
};
/// What the number under each map of a grid is, for captions.
std::string grid_number_text();
GridFigure make_grid_figure(const Snapshot& snapshot, const GridFigureRequest& request, const MeasureText& measure);
/// The same in two steps: first where everything goes, with an empty scene; then the scene. Between them a pointer is answered, and what it
/// marks (selected, hovered, marks) may be changed in the request.
GridFigure place_grid_figure(const Snapshot& snapshot, const GridFigureRequest& request, const MeasureText& measure);
void draw_grid_figure(const Snapshot& snapshot, const GridFigureRequest& request, const MeasureText& measure, GridFigure& figure);

/// Space between tiles and the token names at their left and above them.
inline constexpr float kTileLabelGap = 6;
/// The width of the names of layers and of the gap after them.
float grid_label_width(const Snapshot& snapshot, const MeasureText& measure);
/// Whether a layer's heads share key/value heads in groups.
bool has_groups(const Snapshot& snapshot, int layer);
/// Square tiles one after the other, line by line, as large as they can be while all are in sight; where that is too small, the grid scrolls.
GridLayout make_flow_layout(const Snapshot& snapshot, const GridFigureRequest& request, const MeasureText& measure);
/// The head's name in a flow, where its layer cannot be seen from its place: "1.3", "cross 0.3".
std::string flow_name(const Snapshot& snapshot, HeadId head);
/// Of a name and a number side by side under a tile of a flow, and the gap between two tiles.
float flow_caption_width(const Snapshot& snapshot, std::span<const HeadId> heads, const MeasureText& measure);
inline constexpr float kFlowGap = 10;
/// Tries every way to set the tiles (captions below or at the right of them, a layer on one line or on several, layers under or beside each
/// other) and takes the one with the largest tiles. Token names are added where the cells have room for them. Of what is then left a little
/// goes between the tiles, so that they stay one grid; the rest is spare. Where not even small tiles show all layers at once, the grid
/// scrolls. `layer_width`: grid_label_width.
GridLayout make_grid_layout(const Snapshot& snapshot, const GridFigureRequest& request, float layer_width, const MeasureText& measure);

}  // namespace headlight
