// The chips that name the document's texts and its baseline.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// "+ text", and a chip for each text if there are several: click focuses it, its × closes it.
/// `is_short`: "+" alone.
void draw_text_chips(Panel& panel, float left, float top, float height, bool is_short);
float text_chips_width(const Panel& panel, bool is_short);  ///< pixels

/// The width of the baseline's chip where there is least room for it: "B ×", in pixels.
float least_baseline_chip(const Look& look);
/// "Set baseline", or while there is one what it differs in, as much as fits before `right`: "baseline · causal, 8 heads ×",
/// "baseline: The cat sat … ×", "baseline ×", "B ×". Only the offer to set one goes away. Returns the right edge.
float draw_baseline_chip(Panel& panel, float left, float right, const Box& box);

}  // namespace headlight
