// The questions above the table of Measures: one is asked at a time, and its answer is the table's first columns.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// Draws them from the top left corner of the box, in as many lines as they need. Returns their height in pixels.
float draw_question_chips(Panel& panel, const Box& box);

/// Puts the answer to what is asked into the columns of heads (Session::columns), and takes it away with the question. Call it every frame.
void feed_question_columns(Panel& panel);

}  // namespace headlight
