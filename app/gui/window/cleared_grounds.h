// Opaque grounds of windows and cards, cleared instead of blended: on a software renderer a blended fill of the whole window costs 8 ms a
// frame.
#pragma once

#include <imgui.h>

namespace headlight {

/// Replaces every plain, opaque, large rectangle by a call of `clear`, which finds the rectangle in the command's ClipRect and the colour with
/// colour_of.
void take_out_grounds(ImDrawData& data, ImDrawCallback clear);

ImU32 colour_of(const ImDrawList& list, const ImDrawCmd& command);

}  // namespace headlight
