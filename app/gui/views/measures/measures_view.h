// Measures: all heads in a table, a column for each measure.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// Its row of the table of views.
ViewRow measures_row();

void save_measures(const ViewState& view, Json& json);
void restore_measures(const Json& json, ViewState& view);

}  // namespace headlight
