// The columns of heads that a frame shows, wherever their numbers come from.
#pragma once

#include <string>
#include <vector>

#include "app/gui/panel/panel.h"
#include "engine/measures/columns/head_order.h"

namespace headlight {

struct ShownColumns {
  HeadColumns columns;  ///< those of questions and files first, then the measures
  const HeadColumn* find(std::string_view id) const { return find_column(columns, id); }
  std::string note;         ///< what they were measured on, for the heading of the view
  bool is_complete = true;  ///< false: some heads are not measured yet
};

/// Ids of the measures that are columns of the table: those that were chosen, else the usual ones.
std::vector<std::string> measures_in_table(const MeasuresPage& page);
/// Asks the desk where the shown text is measured. `more`: ids of measures that are needed besides those of the table.
ShownColumns shown_columns(Panel& panel, const std::vector<std::string>& more = {});

/// All heads of the picture, by layer.
std::vector<HeadId> heads_of(const Snapshot& snapshot);

}  // namespace headlight
