// Text that does not run from left to right.
#pragma once

#include <imgui.h>

#include <string_view>

#include "app/gui/kit/theme.h"

namespace headlight {

/// Adds a text turned against the clock around `pivot`. `corner`: of its box, from the pivot, before it is turned; whole pixels, so that glyphs
/// turned by quarters stay on whole pixels.
void add_turned_text(ImDrawList& list, ImFont& font, float size, ImVec2 pivot, ImVec2 corner, float degrees, ImU32 colour,
                     std::string_view text);

/// A line that runs upwards, centred on `x`, its left end at `bottom`.
void draw_upward_text(const Look& look, float x, float bottom, Type type, Colour colour, std::string_view text);

}  // namespace headlight
