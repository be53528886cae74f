// The chips that name the document's texts and its baseline.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// "+ text", and a chip for each text if there are several: click focuses it, its × closes it. Returns the right edge.
float draw_text_chips(Panel& panel, float left, float top, float height);

/// "Set baseline", or "baseline: The cat sat … ×", as much as fits before `right`. Returns the right edge.
float draw_baseline_chip(Panel& panel, float left, float right, const Box& box);

}  // namespace headlight
