// The views.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

void draw_overview(Panel& panel, const Box& box);
void draw_head_view(Panel& panel, const Box& box);
void draw_compare_view(Panel& panel, const Box& box);
/// What the model predicts, token by token.
void draw_output_view(Panel& panel, const Box& box);

}  // namespace headlight
