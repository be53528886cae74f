// How the program ends when it is out of memory. Nothing here allocates.
#pragma once

namespace headlight {

/// Says on stderr that there is no memory, and what to do. Returns the exit status for it.
int say_no_memory() noexcept;

/// From now on, where std::bad_alloc would abort the program because it left a destructor or could not even be thrown, the program ends
/// with that sentence and status instead. Anything else that aborts it is a bug in Headlight, and still aborts.
void say_no_memory_at_the_end() noexcept;

/// For the time before main, when the constants of libraries are made and nobody can catch what fails (GLib and CLI11 take some hundred kB):
/// ends the program with that sentence and status if there is too little memory even for them. Calls nothing but the system.
void require_memory_to_begin() noexcept;

}  // namespace headlight
