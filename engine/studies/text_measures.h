// Measures of all heads of one text.
#pragma once

#include <memory>
#include <vector>

#include "engine/measures/run/run_measures.h"
#include "engine/pipeline/passing_run.h"

namespace headlight {

/// W_O of every layer of a model, by layer; empty where no request needs what heads write.
std::vector<OutputNorms> output_norms(const PassingRun& run, const std::vector<MeasureRequest>& requests);

/// Runs a text and measures every head as its rows pass by; of a finished run: measure_snapshot (run_measures.h).
/// Thread contract: several may run at once, each with a pool of its own.
std::vector<HeadValues> measure_text_heads(const PassingRun& run, const TokenStage& tokens, const std::vector<MeasureRequest>& requests,
                                           const std::vector<OutputNorms>& norms, bool keeps_cells, ThreadPool& pool,
                                           const Watch& watch = {});

struct MeasuredRun {
  std::vector<HeadValues> heads;
  SharedRows stream;  ///< after the last layer
};
/// The same, with the best cells, in one run with a visitor that sees the same rows.
MeasuredRun measure_text_heads_beside(LayerVisitor& beside, const PassingRun& run, const TokenStage& tokens,
                                      const std::vector<MeasureRequest>& requests, const std::vector<OutputNorms>& norms, ThreadPool& pool,
                                      const Watch& watch = {});

}  // namespace headlight
