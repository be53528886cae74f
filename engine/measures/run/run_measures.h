// Measures of all heads of a finished run, as numbers and as columns.
#pragma once

#include <string>
#include <vector>

#include "engine/analysis/layer_gauge.h"
#include "engine/core/progress.h"
#include "engine/measures/columns/head_column.h"
#include "engine/snapshot.h"

namespace headlight {

/// The measures of one head of one text.
struct HeadValues {
  HeadId head;
  std::vector<double> values;   ///< by request; NaN: undefined
  std::vector<Index> rows;      ///< that counted
  std::vector<BestCell> cells;  ///< where they were kept
};
/// Adds the heads of a layer once its gauge has seen all rows.
void append_values(std::vector<HeadValues>& all, int layer, const LayerGauge& gauge, std::size_t requests, bool keeps_cells);
/// Whether one of them is of what heads write.
bool needs_outputs(const std::vector<MeasureRequest>& requests);

/// By rebuilding the maps of the run; also of maps from a file, where only heads whose rows are attention weights have values.
std::vector<HeadValues> measure_snapshot(const Snapshot& snapshot, const std::vector<MeasureRequest>& requests, bool keeps_cells,
                                         Progress& progress);
/// The heads of one of its layers. Throws Cancelled.
std::vector<HeadValues> measure_snapshot_layer(const Snapshot& snapshot, int layer, const std::vector<MeasureRequest>& requests,
                                               bool keeps_cells, const Watch& watch = {});

/// The column of a measure of this run, without its numbers.
HeadColumn empty_column(const Snapshot& snapshot, const std::string& id);
/// A column for each measure, `ids` as in measure_request. Throws Error (usage) for what is not a measure.
HeadColumns columns_of_run(const Snapshot& snapshot, const std::vector<std::string>& ids);
/// "this text, 13 tokens".
std::string text_of_columns(const Snapshot& snapshot);

}  // namespace headlight
