// What the figures of measures are asked for: which columns all heads have, in which order and which of them are shown.
#pragma once

#include <string>
#include <vector>

#include "engine/measures/columns/head_order.h"
#include "engine/snapshot.h"

namespace headlight {

struct FigureNeeds;

/// A value: columns that it holds are never changed.
struct MeasuresRequest {
  std::vector<std::string> ids = {};  ///< of measures (measure_request), taken of the figure's own run
  HeadColumns given = {};             ///< columns of other numbers, such as a corpus or a file of scores: they come first
  std::vector<ColumnSort> sorts = {};
  std::vector<ColumnRange> ranges = {};  ///< heads outside are left out
  std::string across = {}, up = {};      ///< ids of the axes of the scatter; empty: the usual ones
  std::string size = {};                 ///< of its points; empty: all are alike
  std::string tint = {};                 ///< of a grid: the column that its maps carry as number and bar; empty: the usual number
  std::vector<HeadId> brushed = {};      ///< marked heads, ascending
  bool operator==(const MeasuresRequest&) const = default;

  /// Whether a grid needs its columns.
  bool arranges_heads() const { return !sorts.empty() || !ranges.empty() || !tint.empty(); }
};

/// What a request comes to.
struct MeasuredHeads {
  HeadColumns columns;
  std::vector<HeadId> all;   ///< of the model, or those that were listed
  std::vector<HeadId> rows;  ///< those that the filters let through, in the order of the sorts
};
/// Measures the run. Throws Error (usage) for an id that names no measure. `listed`: the heads that there are; empty: all of the model.
MeasuredHeads measured_heads(const Snapshot& snapshot, const MeasuresRequest& request, const std::vector<HeadId>& listed = {});
/// The heading of one of the request's columns, without measuring it.
std::string title_of_column(const MeasuresRequest& request, const std::string& id);

/// The column of an axis: the one that is named, else the usual one of those that there are; null: there is none.
std::shared_ptr<const HeadColumn> axis_column(const HeadColumns& columns, const std::string& id, std::size_t usual);
inline constexpr std::size_t kUsualAcross = 5, kUsualUp = 0;  ///< places among the columns

/// Why a figure that needs measures cannot follow a request, as a sentence; empty if it can: an order, a filter or a tint by a column that it
/// does not have, an axis of none.
std::string why_not_measured(const MeasuresRequest& request, const FigureNeeds& needs);
/// "24 of 32 heads · ordered by induction, largest first · only induction > 0.5 · measured on this text, 13 tokens: hints, not findings".
std::string measured_text(const MeasuredHeads& heads, const MeasuresRequest& request);

}  // namespace headlight
