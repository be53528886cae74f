// The small experiments.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// The small experiments (app/work/labs.h).
void draw_labs_view(Panel& panel, const Box& box);

}  // namespace headlight
