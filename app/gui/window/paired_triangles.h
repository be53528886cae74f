// Rectangles where Mesa's software renderer finds them.
//
// It draws two triangles that make a rectangle, as every letter is, at a fraction of what they cost apart, and tiles of the window that hold
// nothing but rectangles faster still. But it looks at six indices at a time, counted from the begin of a draw call, in calls of a multiple of
// six indices, and cuts calls after 1,023. Dear ImGui puts letters, rounded boxes and lines into one call of any length. (Mesa 22.3:
// lp_setup_vbuf.c, draw_pt_vsplit.c.)
#pragma once

#include <imgui.h>

namespace headlight {

/// Puts the two triangles of each rectangle of `data` at a multiple of six in its draw call, after triangles without area where need be, and
/// cuts calls after 1,020 indices. What is drawn stays the same, in the same order.
void pair_triangles(ImDrawData& data);

}  // namespace headlight
