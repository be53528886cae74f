// What is drawn on maps, in the form that views need: the map that a head should learn, and the cells that all heads are asked about.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// The wanted map of the head that is looked at: 1 where painted and not masked. Empty if nothing is painted.
const DrawnCells& drawn_map_here(const Panel& panel);
/// The head that is looked at is one that can be fitted: not cross-attention.
bool can_be_drawn(const Panel& panel);
/// A brush stroke that says what a head should learn. It replaces the drawn map for any other head.
void draw_target(DrawnMap& drawn_map, HeadId head, Stroke& stroke, Brush brush, bool erases, Cell cell);

/// The targets of the question that is asked, on the map of the head that is looked at; nothing where it means nothing there.
const AskedCells& asked_here(const Panel& panel);
/// A stroke that draws the question begins at a cell, and goes on to another.
void begin_asked_stroke(Panel& panel, Cell cell);
void draw_asked_stroke(Panel& panel, Cell cell);

}  // namespace headlight
