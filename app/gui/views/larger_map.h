// One head's map, larger and with the names of its tokens, in the room that the tiles of Overview leave.
#pragma once

#include "app/gui/panel/panel.h"
#include "engine/figure/map_layout.h"

namespace headlight {

/// The map in the place where it will be drawn, if there is room for it.
struct LargerMap {
  HeadId head;
  MapFigureRequest request;
  PlacedFigure placed = {};
  bool is_shown() const { return request.picture != nullptr; }
};

/// Of the head under the pointer, else of the one that is looked at. `area` in points. Finds the cell under the pointer, so that everything
/// drawn after it marks the cell in the same frame.
LargerMap place_larger_map(Panel& panel, const Box& area, const ScenePlace& place);
/// Draws it with what is pointed at by now, and answers clicks: a row is pinned, as in Head.
void draw_larger_map(Panel& panel, const LargerMap& map, const ScenePlace& place);

}  // namespace headlight
