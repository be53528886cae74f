// What a column of a measure is asked with: its parameter, and keys that are taken out of every row. Both are set where columns are chosen,
// and changed in the menu of a heading.
#pragma once

#include <string>

#include "app/gui/panel/panel.h"
#include "engine/measures/columns/head_column.h"

namespace headlight {

struct AskedColumn {
  std::string id;       ///< of the measure with these parts; empty: they do not fit
  std::string problem;  ///< then, for a person
};
/// `parameter` and `without` as typed; blanks around them do not count. An empty `without`: all keys count.
AskedColumn asked_column(const Measure& measure, std::string_view parameter, std::string_view without = {});

/// A line of the list of columns for a measure that has a parameter: a box for it and Add; under it the columns that there are.
void draw_measure_with_parameter(Panel& panel, const Measure& measure);
/// In the menu of a heading: boxes for the parameter and for the keys that are left out; nothing where the column has neither.
void draw_column_settings(Panel& panel, const HeadColumn& column);

}  // namespace headlight
