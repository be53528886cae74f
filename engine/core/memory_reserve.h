// Memory set aside for the moment when there is none left: to unwind, and to say so.
//
// Destructors and other functions that must not throw sometimes allocate, in libraries more than here. Where that fails the program is ended
// on the spot. What is known of it: GCC's iterators over folders, which are used nowhere (engine/formats/file_names.h); and the destructors of
// nlohmann's JSON. A file decides how much its JSON holds, so what was parsed is taken apart without memory (JsonTree, engine/formats/json.h).
// What Headlight itself writes as JSON is small, and for that there is the reserve: the first allocation that fails is given the first part
// of it and tried again; the second one fails with std::bad_alloc, and what unwinds after it has the other part. Where even that should not
// be enough the command line still ends with a sentence (app/cli/no_memory.h).
#pragma once

#include <cstddef>

namespace headlight {

/// Sets the reserve aside, or fills up what was used of it. Call it first in main, and after std::bad_alloc was caught. Does nothing where
/// there is no memory for it.
void keep_memory_reserve() noexcept;

/// Whether the system would now give so many bytes, which it takes back at once: for libraries that end the program when it gives none.
/// Under a millionth of a second, and allocates nothing itself.
bool is_memory_left(std::size_t bytes) noexcept;

/// Memory that was given back stays with the program for what is computed next, up to 64 MiB of each heap: a text that is typed asks for the
/// same sizes at every keystroke, and fresh pages take a twentieth of a forward pass. Under a limit on address space (ulimit -v) nothing stays,
/// and all threads share one heap: otherwise each of them would take 64 MiB for a heap of its own, used or not, and a limit that is enough for
/// one thread is not for three. Call it before there are threads.
void set_up_heaps() noexcept;

/// Returns unused whole pages to the system, wherever in a heap they are. Takes some 10 ms for 100 MB, and as much again when they are next
/// needed: for work of seconds, such as a layer of a long text.
void give_unused_memory_back() noexcept;

}  // namespace headlight
