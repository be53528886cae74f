// What heads do to the target, as columns that the Overview and Measures show.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// What the page Heads of Output asks of this text.
SweepRequest sweep_request(const Panel& panel);
/// Keeps the columns of heads in step with the sweep of this text; where a view is ordered or tinted by one, asks for it anew when the text or
/// the target changes. Call it every frame, before the panels.
void settle_effect_columns(Panel& panel);

}  // namespace headlight
