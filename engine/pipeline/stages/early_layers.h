// The first layers of a run, computed and shown before the last one is there: while a model is still being read, or a long text computed.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "engine/pipeline/stages/memo.h"
#include "engine/pipeline/stages/stages.h"

namespace headlight {

/// What a run tells of its layers while it goes on: the first time after a moment, then a few times a second.
class LayersShown {
 public:
  using Show = std::function<void(const std::shared_ptr<const Snapshot>&)>;
  /// `show` outlives this; an empty one is told nothing.
  LayersShown(const Show& show, const Query& query) : show_(show), query_(query) {}
  bool is_watched() const { return static_cast<bool>(show_); }
  /// Between two layers.
  void after_layer(const Stages& stages, const std::vector<LayerRequest>& requests);

 private:
  const Show& show_;
  const Query& query_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// The stages of a query, layer by layer as they come from the model's files. The numbers are those of a run on the whole model.
class EarlyLayers {
 public:
  /// Tokens and requests of the query under a model of which all that comes before the first layer is there. Throws Error as the run would.
  EarlyLayers(const Query& query, const std::shared_ptr<const Model>& model, TokenKey key);

  const TokenStage& tokens() const { return *memo_.tokens; }
  const std::vector<LayerRequest>& requests() const { return requests_; }
  /// Brings the run up to its first `layers` layers.
  void compute(int layers, ThreadPool& pool, Measures measures, LayersShown& shown, StageClock& clock, Progress& progress);
  int layers() const { return static_cast<int>(memo_.layers.size()); }
  Memo take() { return std::move(memo_); }

 private:
  Query query_;
  Memo memo_;
  std::vector<LayerRequest> requests_;
};

/// Whether a query's layers can be computed one by one as they come: each reads those below it alone, and nothing of other runs.
bool can_begin_early(const ModelConfig& config, const std::vector<LayerRequest>& requests);

}  // namespace headlight
