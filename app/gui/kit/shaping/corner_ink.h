// Rounded corners as pixels in Dear ImGui's font atlas, so that a rounded box is rectangles and nothing else: four corners and what lies between
// them. As triangles, corners took a third of a frame on a software renderer, since it draws whole tiles faster where all is rectangles
// (window/paired_triangles.h).
#pragma once

#include <imgui.h>

#include <map>
#include <utility>

namespace headlight {

/// The corners that were drawn so far. Thread contract: as Dear ImGui's context, whose atlas it draws into.
class CornerInk {
 public:
  /// A box with round corners, filled; false, and nothing drawn, where it cannot be had: beside whole pixels, too small for its corners,
  /// without room in the atlas, or where the list's fills are not smoothed. `radius` in pixels, more than 0.
  bool fill(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float radius);
  /// The same for a line along the inside of its edge, `width` whole pixels wide.
  bool stroke(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float radius, float width);

 private:
  /// Radius of a corner, and width of its line, 0 for a filled one, in 64ths of a pixel.
  using Shape = std::pair<int, int>;
  bool draw(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float radius, float width);

  std::map<Shape, ImFontAtlasRectId> corners_;
};

}  // namespace headlight
