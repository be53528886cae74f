// Where a newcomer begins: the three doors of the welcome, which help has too.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// Buttons side by side from `left` on; everything in pixels. Returns whether one was pressed.
bool draw_doors(Panel& panel, float left, float top, float height);
float doors_width(const Look& look);

}  // namespace headlight
