// A question of a step: how a guess is made, and how it is scored.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// Draws what a person guesses with: words, a row to draw, heads to order, yes and no, the box for a number.
void draw_guessing(Panel& panel, OpenLesson& lesson, const Answer& answer);
/// The answer, the guess and its score.
void draw_answer(Panel& panel, const OpenLesson& lesson, const Answer& answer);
/// The whole row that was asked for, with the guess in it; of an answer that has one.
void draw_true_row(const Look& look, const OpenLesson& lesson, const Answer& answer);
/// Takes a key as the guess, and shows the answer. Every guess is added to the class's file, where one was asked for.
void guess_key(OpenLesson& lesson, const Answer& answer, Index key);

}  // namespace headlight
