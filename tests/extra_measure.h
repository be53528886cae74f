// A measure that the program does not have, for tests that measure heads by a longer table.
#pragma once

#include <vector>

#include "engine/measures/measure.h"

namespace headlight::testing {

/// Weight on the last key.
inline constexpr Measure kLastKey = {
    .id = "last_key",
    .title = "last key",
    .unit = "",
    .formula = "a[last]",
    .meaning = "Mean weight on the last key.",
    .source = "these tests",
    .undefined = "no row may attend to two or more keys",
    .place = MeasurePlace::pointer,
    .of_row = [](const MeasuredRow& row) { return std::optional<RowValue>(row.weights[row.weights.size() - 1]); },
};

/// Those of the program and one more.
inline std::vector<Measure> measures_and(const Measure& more) {
  const Measures table = head_measures();
  std::vector<Measure> longer(table.begin(), table.end());
  longer.push_back(more);
  return longer;
}

}  // namespace headlight::testing
