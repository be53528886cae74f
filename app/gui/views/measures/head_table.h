// The table of Measures: a row for every head, a column for every measure. The column of heads stays where it is while the others scroll.
#pragma once

#include "app/gui/columns/shown_columns.h"

namespace headlight {

/// Which columns are in sight: whole ones, all of one width. In pixels.
struct TablePlan {
  float head_width = 0, column_width = 0;
  int first = 0, shown = 0, columns = 0;
  /// Left edge of a column that is in sight.
  float left_of(int column) const { return head_width + column_width * static_cast<float>(column - first); }
  float content_width() const { return head_width + column_width * static_cast<float>(columns); }
};
/// `room`: of all columns with that of the heads; `scroll`: how far they are scrolled to the side.
TablePlan plan_table(float room, float least_width, float head_width, int columns, float scroll);

void draw_head_table(Panel& panel, const ShownColumns& shown, const Box& box);

}  // namespace headlight
