// Measures of all heads of one text.
#pragma once

#include <memory>
#include <vector>

#include "engine/analysis/layer_gauge.h"
#include "engine/pipeline/passing_run.h"

namespace headlight {

/// The measures of one head of one text.
struct HeadValues {
  HeadId head;
  std::vector<double> values;   ///< by request; NaN: undefined
  std::vector<Index> rows;      ///< that counted
  std::vector<BestCell> cells;  ///< where they were kept
};

/// W_O of every layer of a model, by layer; empty where no request needs what heads write.
std::vector<OutputNorms> output_norms(const PassingRun& run, const std::vector<MeasureRequest>& requests);

/// Runs a text and measures every head as its rows pass by.
/// Thread contract: several may run at once, each with a pool of its own.
std::vector<HeadValues> measure_text_heads(const PassingRun& run, const TokenStage& tokens, const std::vector<MeasureRequest>& requests,
                                           const std::vector<OutputNorms>& norms, bool keeps_cells, ThreadPool& pool,
                                           const Watch& watch = {});

/// The same of a finished run, by rebuilding its maps; also of maps from a file, where only heads whose rows are attention weights have values.
std::vector<HeadValues> measure_snapshot(const Snapshot& snapshot, const std::vector<MeasureRequest>& requests, bool keeps_cells,
                                         Progress& progress);
/// The heads of one of its layers. Throws Cancelled.
std::vector<HeadValues> measure_snapshot_layer(const Snapshot& snapshot, int layer, const std::vector<MeasureRequest>& requests,
                                               bool keeps_cells, const Watch& watch = {});

}  // namespace headlight
