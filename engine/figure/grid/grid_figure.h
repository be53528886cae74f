// All heads as small maps: by layer, or one after the other in an order of their own.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/figure/figures.h"

namespace headlight {

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
/// Of a name and a number side by side under a tile of a flow, and the gap between two tiles.
float flow_caption_width(const Snapshot& snapshot, std::span<const HeadId> heads, const MeasureText& measure);
inline constexpr float kFlowGap = 10;
/// Tries every way to set the tiles (captions below or at the right of them, a layer on one line or on several, layers under or beside each
/// other) and takes the one with the largest tiles. Token names are added where the cells have room for them. Of what is then left a little
/// goes between the tiles, so that they stay one grid; the rest is spare. Where not even small tiles show all layers at once, the grid
/// scrolls. `layer_width`: grid_label_width.
GridLayout make_grid_layout(const Snapshot& snapshot, const GridFigureRequest& request, float layer_width, const MeasureText& measure);

}  // namespace headlight
