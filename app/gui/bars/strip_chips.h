// What is pinned, brushed, asked and hidden, as chips at the right of the token strip, each with a × that takes it back.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// From the right edge of the strip on, of the layer that is looked at. Returns where the tokens end.
float draw_strip_chips(Panel& panel, int layer, const Box& box);

}  // namespace headlight
