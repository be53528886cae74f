// The open lesson, left of everything: which step it is, its words, its question; back and on.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// Nothing while no lesson is open. `box`: Layout::lesson.
void draw_lesson(Panel& panel, const Box& box);

}  // namespace headlight
