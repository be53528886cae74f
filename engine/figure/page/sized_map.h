// Maps that choose their own size, for the pages of files.
#pragma once

#include "engine/figure/figures.h"
#include "engine/figure/map_layout.h"

namespace headlight {

inline constexpr float kLargestMap = 720;  ///< longer side of the only map of a figure

/// What a map may take; 0: as much as it likes.
struct MapRoom {
  float largest_side = kLargestMap;  ///< of the cells
  float width = 0;                   ///< with labels and bar
  float share_of = kLargestMap;      ///< labels take a share of this, and of the width
};

/// A map figure whose area has the size that its cells need, with its corner at the origin.
struct SizedMap {
  MapFigureRequest request;
  PlacedMap placed;
  Index label_stride = 1;  ///< one of so many tokens has its label, on the axis that has fewer of them
  Point size() const { return {request.area.width, request.area.height}; }
};
SizedMap size_map(MapFigureRequest request, const MapRoom& room, const MeasureText& measure);
/// Draws it with its corner at `at`.
MapFigure draw_sized(SizedMap map, Point at, const MeasureText& measure);

}  // namespace headlight
