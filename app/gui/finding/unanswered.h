// A question that no head can be asked of the shown text: why, said wherever a person looks for the answer, and a click that helps.
#pragma once

#include <string>

#include "app/gui/panel/panel.h"

namespace headlight {

/// Why what is asked has no answer here, as a sentence; empty: nothing is asked, there is an answer, or it is not known yet.
std::string why_unanswered(const Panel& panel);

/// The reason and what helps: as a section of the left rail has them, or on one line of a view, whose right edge is returned.
void draw_unanswered(Panel& panel);
float draw_unanswered(Panel& panel, const Box& line);

}  // namespace headlight
