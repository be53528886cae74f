// The bars around the views, and the keyboard.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

void draw_top_bar(Panel& panel, const Box& box);
void draw_tabs(Panel& panel, const Box& box);
/// Refusals and notes above a view. Returns what is left of the box.
Box draw_notes(Panel& panel, Box box);
void draw_token_strip(Panel& panel, const Box& box);
void draw_status_bar(Panel& panel, const Box& box);
/// Keys that work everywhere: they act before the panels draw.
void answer_keyboard(Panel& panel);

}  // namespace headlight
