// A question to all heads, as people type it: "previous", "follow -> horse", "6:2", "k == q - 2".
#pragma once

#include <string>

#include "engine/finding/head_question.h"

namespace headlight {

/// What --which takes, as lines for its help.
std::string question_help();

/// A pattern by its id; relations between words of the text, "follow -> horse; gallops -> horse"; cells, "6:2,7:2-3"; or a mask text.
/// Words and cells are those of the run's first layer. Throws Error (usage) naming what was not understood, and what there is.
HeadQuestion parse_question(const std::string& text, const Snapshot& run);

}  // namespace headlight
