// Which columns the table has: a list of all measures, each also without the first token; and files of one's own scores.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// The button that opens the list, ending at `right`. Returns its left edge.
float draw_column_choice(Panel& panel, float right, float middle);
/// A box that is ticked, and its label. Returns whether it was pressed.
bool draw_tick(const Look& look, const std::string& name, std::string_view label, bool is_on, const Box& box);

}  // namespace headlight
