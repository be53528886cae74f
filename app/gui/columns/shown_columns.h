// The columns of heads that a frame shows, wherever their numbers come from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/gui/panel/panel.h"
#include "app/gui/state/table_measures.h"
#include "engine/measures/columns/column_spread.h"
#include "engine/measures/columns/head_order.h"

namespace headlight {

struct ShownColumns {
  HeadColumns columns;          ///< those of questions and files first, then the measures
  std::string note;             ///< what they were measured on, for the heading of the view
  std::string brief_note = {};  ///< the same where there is little room
  bool is_complete = true;      ///< false: some heads are not measured yet
  const HeadColumn* find(std::string_view id) const { return find_column(columns, id); }
};

/// Shows a measure as a column of the table, or no longer; the last one stays.
void toggle_measure(MeasuresPage& page, const std::string& id);
/// Puts the measure `to` where `from` is: in the table, its order and filters, the scatter plot, the Overview.
void replace_measure(ViewState& view, const std::string& from, const std::string& to);
/// Asks the desk where the shown text is measured. `more`: ids of measures that are needed besides those of the table.
ShownColumns shown_columns(Panel& panel, const std::vector<std::string>& more = {});
/// The column that the inspector explains: the one that was chosen, else the one that sorts, else the first; null: there is none.
const HeadColumn* explained_column(const MeasuresPage& page, const ShownColumns& shown);

/// Files with scores that the page names become columns; one that was just named and cannot be read is let go with a note. Call it every
/// frame.
void take_imports(Panel& panel);
/// Adds a file of scores, or reads it once more.
void import_scores(MeasuresPage& page, const std::string& path);
/// Its columns go.
void forget_scores(MeasuresPage& page, const std::string& path);

}  // namespace headlight
