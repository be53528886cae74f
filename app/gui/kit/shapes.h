// Plain shapes that widgets are drawn with, in pixels.
#pragma once

#include "app/gui/kit/widgets.h"

namespace headlight {

ImDrawList& canvas();  ///< of the current region
void fill(const Look& look, ImVec2 from, ImVec2 to, Colour colour, float corner = kCorner);
void outline(const Look& look, ImVec2 from, ImVec2 to, Colour colour, float corner = kCorner);

bool is_in_popup();

}  // namespace headlight
