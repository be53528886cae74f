// The map that was drawn for a head to learn, in the form that views need.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// The wanted map of the head that is looked at: 1 where painted and not masked. Empty if nothing is painted.
const DrawnCells& drawn_map_here(const Panel& panel);
/// The head that is looked at is one that can be fitted: not cross-attention.
bool can_be_drawn(const Panel& panel);
/// A brush stroke that says what a head should learn. It replaces the drawn map for any other head.
void draw_target(DrawnMap& drawn_map, HeadId head, Stroke& stroke, Brush brush, bool erases, Cell cell);

}  // namespace headlight
