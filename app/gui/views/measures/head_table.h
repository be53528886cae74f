// The table of Measures: a row for every head, a column for every measure. The column of heads stays where it is while the others scroll.
//
// It is not drawn from the scene of the exported table (engine/figure/heads/head_table.h), as maps and links are from theirs: here only what is
// in sight is drawn of thousands of rows, columns scroll under a heading that stays, and headings, histograms and rows are controls of their
// own, with the widths that these need. What both show is computed once: columns, orders, filters and the brush go into the figure as they
// are (shown_measures), and the histograms and the largest numbers come from the same spread_of. OneScene.OfTheTableOfHeads… compares them.
#pragma once

#include <vector>

#include "app/gui/columns/shown_columns.h"
#include "engine/measures/columns/column_spread.h"

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

/// The table of one frame.
struct HeadTable {
  Panel& panel;
  const ShownColumns& shown;
  const std::vector<HeadId>& rows;  ///< in their order, as far as the filters let them through
  TablePlan plan = {};
  int title_lines = 2;  ///< of every heading
  bool drops_questions = false;
  std::vector<ColumnSpread> spreads = {};  ///< of the columns in sight, over all heads
  const HeadColumn& column(int number) const { return *shown.columns[static_cast<std::size_t>(number)]; }
  const ColumnSpread& spread(int number) const { return spreads[static_cast<std::size_t>(number - plan.first)]; }
};

/// The heads that the filters of the page let through, in the order of its sorts.
std::vector<HeadId> rows_of_table(const Panel& panel, const ShownColumns& shown);

/// `rows`: from rows_of_table. `drops_questions`: the heading of the heads drops down the questions, which have no room above.
void draw_head_table(Panel& panel, const ShownColumns& shown, const std::vector<HeadId>& rows, const Box& box,
                     bool drops_questions = false);

/// How many the longest title needs in columns so wide (pixels): at least two, and not so many that rows lose their room.
int lines_of_titles(const Look& look, const HeadColumns& columns, float width, float table_height);
/// Titles, histograms and filters; in a low view the titles alone. In points.
float heading_height(const Look& look, int title_lines, float table_height);
void draw_headings(const HeadTable& table, const Box& box);
/// A click on a heading sorts by the column, the largest first; another turns the order round, a third goes back to layers. `is_second`: the
/// column is a further key.
void sort_by_click(MeasuresPage& page, const std::string& column, bool is_second);
/// Sets the filter of the range's column, or takes it away where the range holds every number.
void set_range(MeasuresPage& page, const ColumnRange& range);

/// The menu of a heading, open under `name` (ImGui::OpenPopup) in the current region.
void draw_heading_menu(Panel& panel, const HeadColumn& column, const char* name);

}  // namespace headlight
