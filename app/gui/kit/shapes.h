// Plain shapes that widgets are drawn with, in pixels.
#pragma once

#include "app/gui/kit/widgets.h"
#include "engine/figure/marks.h"

namespace headlight {

ImDrawList& canvas();  ///< of the current region
/// As AddRectFilled and AddRect, in rectangles alone where the box lies on whole pixels (CornerInk); the line lies along the inside of the edge.
void fill_rounded(const Fonts& fonts, ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float radius);
void stroke_rounded(const Fonts& fonts, ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float radius, float width = 1);
/// As PathStroke of an open path, for widths of a pixel and more. In two triangles a segment, where Dear ImGui has six for widths that are not
/// whole: its line of the nearest whole width, from the fonts' texture, drawn wider or narrower. Past the widest line there, as Dear ImGui.
void stroke_path(ImDrawList& list, ImU32 colour, float width);
/// The box is moved to whole pixels.
void fill(const Look& look, ImVec2 from, ImVec2 to, Colour colour, float corner = kCorner);
void outline(const Look& look, ImVec2 from, ImVec2 to, Colour colour, float corner = kCorner);
/// Line and fill of what is hovered or pinned (marks.h), around a box of pixels; nothing for Mark::none. Put it under the text, and write on
/// a pinned fill in the palette's `text`.
void draw_mark(const Look& look, const Box& box, Colour colour, Mark mark, float corner = kCorner);
/// A line of the current region, dashed as around what is hovered.
void dashed_line(const Look& look, ImVec2 from, ImVec2 to, Colour colour, float width);

bool is_in_popup();

}  // namespace headlight
