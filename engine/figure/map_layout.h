// Where the parts of a map figure go. Shared by the figure itself and by files, which choose their size from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/figure/figure_parts.h"
#include "engine/figure/figures.h"

namespace headlight {

inline constexpr float kBarGap = 32;  ///< between map and colour bar: room for the marks of masked rows
inline constexpr float kBarWidth = 12;

/// The same on a narrow page, where nothing is written between them.
inline constexpr float kTightBarGap = 12;
/// Between the map and the colour bar of a request.
float bar_gap(const MapFigureRequest& request);

/// What a map figure needs around its cells, when they are `cell` points wide.
struct MapMargins {
  float left = 0, top = 0, right = 0, bottom = 0;
  float query_width = 0;               ///< of the label column
  float key_height = 0;                ///< of the label row
  bool are_keys_steep = false;         ///< key labels at 90 degrees instead of 45
  float level_pitch = 0;               ///< of labels that are level, as those of numbers are; 0: they are not
  bool has_key_title_line = false;     ///< "keys" on its own line, not beside the subtitle
  bool is_key_title_at_right = false;  ///< "keys" at the right of steep labels
  bool is_header_beside = false;       ///< title and subtitle at the left of the map instead of above it
  /// Widths of the positions between the map and the labels: of a long text, or where labels are left out, which would else read like
  /// running text. 0: none.
  float query_positions = 0, key_positions = 0;
  LabelStyle labels;
  /// Least distance between two labelled rows, or columns.
  float query_pitch() const { return labels.size + 2; }
  float key_pitch() const { return level_pitch > 0 ? level_pitch : query_pitch() / (are_keys_steep ? 1 : kSlope); }
  float beside_query_positions() const { return query_positions > 0 ? query_positions + kBesidePositions : 0; }
  float beside_key_positions() const { return key_positions > 0 ? key_positions + kBesidePositions : 0; }
  static constexpr float kBesidePositions = 8;
  static constexpr float kSlope = 0.70710678F;  // of 45 degrees
};

/// Labels of a request that decide how wide all of them are (longest_labels).
struct LongestLabels {
  explicit LongestLabels(const MapFigureRequest& request);
  std::vector<std::string> queries, keys;
};
/// Of the height, what the labels of the keys may take.
inline constexpr float kUsualKeyShare = 0.28F;
/// size_x, size_y: the room that labels may take a share of.
MapMargins margins_of(const MapFigureRequest& request, const LongestLabels& longest, float size_x, float size_y, float cell,
                      const MeasureText& measure, bool is_header_beside = false, float key_share = kUsualKeyShare);

/// The largest map that fits the area of a request.
struct PlacedMap {
  MapMargins margins;
  Box map;
};
/// Where a map was drawn last, for one whose text is being changed.
struct HeldMap {
  PlacedMap placed;
  Box area;        ///< of the request
  float cell = 0;  ///< side of a cell
  MapColumns columns = MapColumns::keys;
};
enum class Hold : std::uint8_t {
  nothing,  ///< the map goes where it is largest
  corner,   ///< a whole map keeps its upper left corner, as long as its labels fit beside it, and its cells change only by steps
  cells,    ///< corner and cells stay as they are; what then has no room is not shown
};
PlacedMap place_map(const MapFigureRequest& request, const MeasureText& measure);
/// A whole map of square cells where the one before was (Hold); a request whose map has no room gets a window.
PlacedMap held_in_place(MapFigureRequest& request, const PlacedMap& fresh, Hold hold, const HeldMap& before, const MeasureText& measure);
MapFigure draw_map_figure(const MapFigureRequest& request, const PlacedMap& placed, const MeasureText& measure);

/// The window of a request, or the whole map if it is empty.
CellWindow shown_window(const MapFigureRequest& request);

/// A map figure that is placed, and not drawn yet. What the pointer on it marks (crosshair, pinned, frames) may be changed in its request.
struct PlacedFigure {
  MapFigureRequest request;  ///< less what its area has no room for; without a picture nothing is drawn
  PlacedMap placed;
  /// What a pointer needs, with an empty scene.
  MapFigure area() const { return request.picture ? MapFigure{{}, placed.map, shown_window(request)} : MapFigure{}; }
  MapFigure drawn(const MeasureText& measure) const { return request.picture ? draw_map_figure(request, placed, measure) : MapFigure{}; }
};
PlacedFigure place_map_figure(const MapFigureRequest& request, const MeasureText& measure);
/// One that holds on to where it was drawn last, and takes note of where it is drawn now.
PlacedFigure place_map_figure(const MapFigureRequest& request, Hold hold, std::optional<HeldMap>& held, const MeasureText& measure);

/// A number beside a colour bar: `place` from 0 at its bottom to 1 at its top.
struct BarMark {
  float place = 0;
  std::string text;
};
/// Round numbers at their own places: both ends, and between them as many as `height` has room for.
std::vector<BarMark> bar_marks(const ColourScale& scale, float height);
/// Writes them at the right of a bar.
void add_bar_marks(Scene& scene, const Box& bar, const ColourScale& scale, const Palette& colours, const MeasureText& measure);

/// "0.62", with as many digits as the scale's range needs; a real minus.
std::string bar_number(float value, const ColourScale& scale);

}  // namespace headlight
