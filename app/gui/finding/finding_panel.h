// The section of the left rail in which a person asks which head does something, and reads the answer.
#pragma once

#include <string>

#include "app/gui/panel/panel.h"

namespace headlight {

void draw_finding_panel(Panel& panel);
/// A word or two beside its name where the rail is folded.
std::string finding_state(const Panel& panel);

/// The answer: heads in their order, ten or all of them; a press opens one at the row that shows it.
void draw_ranked_heads(Panel& panel);
void draw_alike_heads(Panel& panel);

}  // namespace headlight
