// Measures: all heads in a table, a column for each measure; a scatter plot beside it; the brush.
#pragma once

#include <span>

#include "app/gui/panel/panel.h"

namespace headlight {

/// Its row of the table of views.
ViewRow measures_row();

void save_measures(const ViewState& view, Json& json);
void restore_measures(const Json& json, ViewState& view);

/// What the keyboard does while it is shown.
std::span<const WindowCommand> measures_commands();
/// The inspector beside it: the definition of a column; the chosen head; the brushed heads.
std::span<const InspectorPart> measures_parts();

/// What ctrl+C takes: the brushed rows of the table, or all, as lines of fields separated by tabs, with every digit.
void copy_table(Panel& panel);

}  // namespace headlight
