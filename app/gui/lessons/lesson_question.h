// A question of a step: how a guess is made, and what became of it.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// Draws what a person guesses with: words, a row to draw, heads to order; nothing for what stands in the foot.
void draw_guessing(Panel& panel, OpenLesson& lesson, const Answer& answer);
/// What is small enough to be always in sight, above Back and Next: yes and no, the box for a number. In points; 0: it stands in the words.
float foot_of_question(const OpenLesson& lesson);
void draw_guessing_in_foot(Panel& panel, OpenLesson& lesson, const Answer& answer);
/// The answer, the guess and its score.
void draw_answer(Panel& panel, const OpenLesson& lesson, const Answer& answer);
/// Takes a key as the guess, and shows the answer.
void guess_key(OpenLesson& lesson, const Answer& answer, Index key);

}  // namespace headlight
