// The questions above the table of Measures: one is asked at a time, and its answer is the table's first columns.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// Draws them from the top left corner of the box, in as many lines as they need. Returns their height in pixels.
float draw_question_chips(Panel& panel, const Box& box);
/// The same in the current region or popup. Returns whether one was pressed.
bool draw_questions_here(Panel& panel, const Box& box);
float questions_height(const Panel& panel, const Box& box);  ///< in pixels

/// Puts the answer to what is asked into the columns of heads (Session::columns), and takes it away with the question. Call it every frame.
void feed_question_columns(Panel& panel);

}  // namespace headlight
