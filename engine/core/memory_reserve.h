// Memory set aside for the moment when there is none left: to unwind, and to say so.
//
// Destructors and other functions that must not throw sometimes allocate, in libraries more than here: those of nlohmann's JSON do, and so
// does GCC's iterator over a folder. Where that fails the program is ended on the spot. So the first allocation that fails is given the
// first part of the reserve and tried again; the second one fails with std::bad_alloc, and what unwinds after it has the other part.
#pragma once

namespace headlight {

/// Sets the reserve aside, or fills up what was used of it. Call it first in main, and after std::bad_alloc was caught. Does nothing where
/// there is no memory for it.
void keep_memory_reserve() noexcept;

}  // namespace headlight
