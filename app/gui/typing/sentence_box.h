// The box that sentences are typed into, in any script.
//
// It is a box of our own and not Dear ImGui's InputText, which moves from code point to code point, counts from left to right, and draws its
// text itself: its callbacks can replace what a key does, but neither where a click lands nor where the caret and the selection are drawn.
// GTK, Qt and browsers ask the laid-out line for all of these (pango, HarfBuzz, ICU), and so does this (TextLine). What it keeps of Dear
// ImGui is the place for the caret, the selection, the scroll and the blinking of the one box that has the keyboard (ImGuiInputTextState), so
// that focus, Tab and the rest of the program see a text box like any other.
//
// A line break is shown as ↵ and stays a line break. Input methods hand over committed text as characters, which are inserted as they come.
#pragma once

#include <string>

#include "app/gui/kit/theme.h"

namespace headlight {

/// Of one paste: over this, the box asks before it cuts.
inline constexpr std::size_t kMostPasted = 20000;  // characters

/// `height` in points. Returns whether the text has changed.
bool sentence_box(const Look& look, const char* name, const char* placeholder, std::string& text, ImVec2 at, float width,
                  float height = kControl);

}  // namespace headlight
