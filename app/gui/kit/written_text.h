// Text in a draw list, in any script and direction: by Dear ImGui, or shaped by pango where that would draw it wrong (shaping/scripts.h).
// Everything that measures or writes in the window comes here, so that what is measured is what is drawn. Sizes are pixels.
#pragma once

#include <imgui.h>

#include <string_view>

#include "app/gui/kit/theme.h"

namespace headlight {

float written_width(const Fonts& fonts, FontFace face, float size, std::string_view text);
/// Length in bytes of the longest prefix of `text`, cut between characters, that is at most `width` wide.
std::size_t fitting_bytes(const Fonts& fonts, FontFace face, float size, std::string_view text, float width);
/// From the top of a text to its baseline.
float baseline_of(const Fonts& fonts, FontFace face, float size);

/// `at`: the top left corner.
void add_text(ImDrawList& list, const Fonts& fonts, FontFace face, float size, ImVec2 at, ImU32 colour, std::string_view text);
/// Adds a text turned against the clock around `pivot`. `corner`: of its box, from the pivot, before it is turned; whole pixels, so that glyphs
/// turned by quarters stay on whole pixels.
void add_turned_text(ImDrawList& list, const Fonts& fonts, FontFace face, float size, ImVec2 pivot, ImVec2 corner, float degrees,
                     ImU32 colour, std::string_view text);

/// A line that runs upwards, centred on `x`, its left end at `bottom`.
void draw_upward_text(const Look& look, float x, float bottom, Type type, Colour colour, std::string_view text);

}  // namespace headlight
