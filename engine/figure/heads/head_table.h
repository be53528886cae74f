// All heads as a table: a column for each measure with a small histogram above it, a row for each head. Laid out for a page: where columns have
// no room beside each other, the table goes on below, and where rows have none, beside. The view Measures has the same columns, orders and
// filters, with the rows that fit its area.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/figure/scene.h"
#include "engine/figure/style.h"
#include "engine/measures/columns/head_order.h"

namespace headlight {

struct HeadTableRequest {
  HeadColumns columns;                      ///< from left to right
  std::vector<HeadId> rows;                 ///< from top to bottom
  std::vector<HeadId> all;                  ///< that the histograms count
  std::vector<ColumnSort> sorts;            ///< marked in the headings; the first column has bars
  std::vector<ColumnRange> ranges;          ///< filters: under their histograms
  std::vector<HeadId> brushed;              ///< marked rows, ascending
  std::function<std::string(HeadId)> name;  ///< of a head: "2.1"
  Theme theme = Theme::dark;
  Point room = {};    ///< of the page, in points; 0: no limit in that direction
  Point around = {};  ///< what the page has beside the table and above and below it: it is made smaller with it
};

/// The size of the whole table in points.
Point head_table_size(const HeadTableRequest& request, const MeasureText& measure);
/// Only items, from `at` down.
Scene make_head_table(const HeadTableRequest& request, Point at, const MeasureText& measure);

}  // namespace headlight
