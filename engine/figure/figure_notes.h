// The words around a figure in a file: what was run, and what was done to it.
#pragma once

#include <string>

#include "engine/figure/figures.h"

namespace headlight {

/// The typed text on one line, both sentences of a pair.
std::string sentence_of(const Snapshot& snapshot);

/// "mask causal · γ 0.6 · random weights, seed 1": everything without which the map could not be made again.
std::string notes_of(const Snapshot& snapshot, const Style& style, HeadId head);
/// The same for all heads together.
std::string notes_of(const Snapshot& snapshot, const Style& style);

}  // namespace headlight
