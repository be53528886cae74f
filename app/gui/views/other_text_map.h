// The other text that an edit of a head takes from: its map of that head with its tokens, in Head beside the edited one.
#pragma once

#include <optional>
#include <string>

#include "app/gui/panel/panel.h"
#include "engine/figure/map_layout.h"

namespace headlight {

/// Where both maps go, in points: side by side or under each other, whichever gives them more room; `other` is empty where there is too little.
struct TwoMaps {
  Box own, other;
  bool is_beside = false;
};
TwoMaps place_two_maps(const Box& area, bool has_other);

/// The map in its place.
struct OtherTextMap {
  std::string text;
  SubjectRun run;  ///< no snapshot: it is being computed, or the problem says why there is none
  MapFigureRequest request;
  PlacedFigure placed;
  bool is_shown() const { return request.picture != nullptr; }
};
OtherTextMap place_other_text_map(Panel& panel, const std::string& text, const Box& area);
/// Moves the one of two maps side by side down whose cells begin higher: words above them take more room in one than in the other.
void level_maps(MapFigureRequest& own, OtherTextMap& other, const MeasureText& measure);
/// Draws it with the cell under the pointer, else `crosshair`, the cell that the edited map marks, by its positions.
void draw_other_text_map(Panel& panel, OtherTextMap& map, const Box& area, std::optional<Cell> crosshair, const ScenePlace& place);

}  // namespace headlight
