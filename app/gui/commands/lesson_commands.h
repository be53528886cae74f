// What the keyboard does while a lesson is taken.
#pragma once

#include <span>

#include "app/gui/panel/panel.h"

namespace headlight {

/// The commands of the open lesson; none while none is open. Their keys come before all others: Space goes on, whatever the view does with it.
std::span<const WindowCommand> lesson_commands(const Panel& panel);
/// The same whether a lesson is open or not: for the help.
std::span<const WindowCommand> all_lesson_commands();

/// A lesson is shown to a room: its clicker is obeyed wherever the keyboard is.
bool is_lesson_presented(const Panel& panel);

/// With a question for a word, digits are guesses: the position among the words that can be guessed; nothing else is done with them.
bool takes_digits(const Panel& panel);

}  // namespace headlight
