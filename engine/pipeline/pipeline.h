// THE DOOR: what a model does with a text comes from Pipeline::run, for window, command line and tests alike.
#pragma once

#include <memory>
#include <optional>

#include "engine/core/parallel.h"
#include "engine/forward/dump_axes.h"
#include "engine/snapshot.h"

namespace headlight {

/// Stated limits; above them a query is refused (Error, limit) before anything is allocated.
struct PipelineLimits {
  std::optional<std::size_t> bytes = {};  ///< of trace and working memory; none: what allowed_memory (core) says when the query is run
};

/// Runs queries and keeps every finished stage (model, tokens, layers) of the last one: a stage whose inputs are equal is reused, and the
/// result equals a fresh run bit for bit. Stages that finished before a cancel are kept too.
/// Thread contract: one thread at a time; snapshots may be read from any thread.
class Pipeline {
 public:
  /// `unchosen`: of a file of maps that holds a batch, where the query has no item.
  explicit Pipeline(int threads = 0, PipelineLimits limits = {}, UnchosenItem unchosen = UnchosenItem::refuse);
  ~Pipeline();
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  /// Throws Error (usage, input, limit) with nothing changed but the memo, or Cancelled within a fifth of a second of being asked to stop.
  std::shared_ptr<const Snapshot> run(const Query& query, Progress& progress);

  /// What every head is measured by, from the next run on; without this head_measures(). The table outlives every snapshot, and has a row
  /// kEvenness. What was measured by another table is forgotten.
  void measure_by(Measures table);

  ThreadPool& pool();

 private:
  struct Memo;
  std::unique_ptr<Memo> memo_;
};

/// Whether a file can stand where a model is named: a GGUF file, or attention maps that another program computed.
bool names_model_file(const std::string& path);

/// Bytes a query would keep (trace, masks, summaries) and need while it runs, from the sizes alone: with masks that differ by layer or
/// head and with more threads it is more. SIZE_MAX where the number is larger than that.
/// decoder_tokens: 0 unless the model is an encoder–decoder.
std::size_t estimate_bytes(const ModelConfig& config, int heads, Index tokens, Index decoder_tokens = 0);

}  // namespace headlight
