// A question of a step: how a guess is made, and how it is scored.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// The question of the step, and what a person guesses with: words, a row to draw, heads to order, yes and no, the box for a number.
/// `covers_view`: it stands where the view is.
void draw_asked(Panel& panel, OpenLesson& lesson, bool covers_view);
/// Its answer, the guess with its score, and what is said of it; null: it is not there yet.
void draw_answered(Panel& panel, const OpenLesson& lesson, const LessonPicture* picture);
/// Takes a key as the guess, and shows the answer. Every guess is added to the class's file, where one was asked for.
void guess_key(OpenLesson& lesson, const Answer& answer, Index key);

}  // namespace headlight
