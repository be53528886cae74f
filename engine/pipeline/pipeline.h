// THE DOOR: what a model does with a text comes from Pipeline::run, for window, command line and tests alike.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "engine/core/parallel.h"
#include "engine/forward/dump_axes.h"
#include "engine/pipeline/stages/memory_need.h"
#include "engine/snapshot.h"

namespace headlight {

/// What a run will take, before its first layer is computed.
struct RunEstimate {
  Index tokens = 0;  ///< of the longer text
  int layers = 0;    ///< that are not known yet
  int heads = 0;     ///< of each
  double seconds = 0;
  std::size_t bytes = 0;  ///< of the whole run, as estimate_bytes has it
};

/// Runs queries and keeps every finished stage (model, tokens, layers) of the last one, and of those that `keep` names: a stage whose
/// inputs are equal is reused, whichever query it was made for, and the result equals a fresh run bit for bit. Stages that finished before
/// a cancel are kept too.
/// Thread contract: one thread at a time; snapshots may be read from any thread.
class Pipeline {
 public:
  /// `unchosen`: what to do with a file of maps that holds a batch where the query has no item.
  explicit Pipeline(int threads = 0, PipelineLimits limits = {}, UnchosenItem unchosen = UnchosenItem::refuse);
  ~Pipeline();
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  /// Throws Error (usage, input, limit) with nothing changed but the memo, or Cancelled within a fifth of a second of being asked to stop.
  std::shared_ptr<const Snapshot> run(const Query& query, Progress& progress);

  /// A run for the maps of one layer alone, for one picture of a long text: layers above are not computed, those below are forgotten once they
  /// were passed, and nothing is kept for later runs. Such a snapshot has the numbers of `run` for this layer, and for the others nothing but
  /// how many heads they have, and masks: no matrices, no summaries, no final hidden states. A whole run takes its place where an edit
  /// takes something from other runs or layers, where two stacks read each other, and for a layer that the model lacks. Throws as
  /// `run`.
  std::shared_ptr<const Snapshot> run_layer_alone(const Query& query, int layer, Progress& progress);

  /// The queries that are looked at side by side. Once they were run, each keeps its stages until it is no longer among them: an edit in
  /// layer l of one shares the layers below with all the others, and going back to one computes nothing.
  void keep(std::span<const Query> queries);

  /// Calls tell(estimate) before every run that takes longer than a moment, with the time that is left to compute. What it throws ends the
  /// run, and nothing more was computed.
  void tell_cost(std::function<void(const RunEstimate&)> tell);

  /// Calls show(part) between two layers of a run that takes longer than a moment, a few times a second. A part has whole layers from the
  /// first on; of the others it has how many heads there are, and no masks. Where the model is still being read from its files, layers are
  /// computed as they come; of the model of a part, nothing may be read but config and tokenizer. Empty: nothing is shown.
  void show_layers(std::function<void(const std::shared_ptr<const Snapshot>& part)> show);

  /// Sets the measures of every head, from the next run on; by default head_measures(). The table outlives every snapshot, and has a row
  /// kEvenness. What was measured with another table is forgotten.
  void measure_by(Measures table);

  /// The next run reads model or maps again: their files have changed.
  void forget_files();

  ThreadPool& pool();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Whether a file can be named in place of a model: a GGUF file, or attention maps that another program computed.
bool names_model_file(const std::string& path);

}  // namespace headlight
