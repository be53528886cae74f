// A query through a model whose layers are forgotten once they were looked at: for many texts, of which nothing but measures is kept. The
// steps of Pipeline::run by the same functions and with the same bits, without summaries, pictures and memos.
#pragma once

#include "engine/core/parallel.h"
#include "engine/pipeline/pipeline.h"
#include "engine/pipeline/stages/memo.h"

namespace headlight {

class OtherRuns;

/// Looks at layers while they are computed.
class LayerVisitor {
 public:
  LayerVisitor() = default;
  LayerVisitor(const LayerVisitor&) = delete;
  LayerVisitor& operator=(const LayerVisitor&) = delete;
  virtual ~LayerVisitor() = default;

  /// Before the rows of a layer; one mask per head, which live until its end.
  virtual void begin_layer(int layer, const LayerMasks& masks) = 0;
  /// For one head from top to bottom, for several heads from several threads at once.
  virtual void add_rows(int head, const HeadRows& rows) = 0;
  virtual void end_layer(int layer, const LayerTrace& trace) = 0;
};

/// What a query asks of each layer: made once for all texts.
class PassingRun {
 public:
  /// The query's texts do not matter. Throws Error (usage) as Pipeline::run does, and for interventions that take something from other texts.
  PassingRun(std::shared_ptr<const Model> model, const Query& query, PipelineLimits limits = {});
  /// With these too: `others` has their runs, or makes them now. Throws Error as OtherRuns::find besides; Cancelled.
  PassingRun(std::shared_ptr<const Model> model, const Query& query, OtherRuns& others, ThreadPool& pool, Progress& progress,
             PipelineLimits limits = {});

  const Model& model() const { return *model_; }
  const std::shared_ptr<const Model>& shared_model() const { return model_; }
  const LayerRequest& request(int layer) const { return requests_[static_cast<std::size_t>(layer)]; }
  /// Whether a layer takes maps from layers below, so that they are kept while a text is run.
  bool keeps_layers() const { return keeps_layers_; }
  /// Heads of a layer.
  int heads(int layer) const { return requests_[static_cast<std::size_t>(layer)].counts.heads; }

  /// The tokens of a text, cut to the positions that the model has; its notices say so.
  TokenStage tokens_of(const Query& text) const;
  /// Runs all layers. `visitor` may be null: then nobody looks. Returns the last layer's residual stream. Throws
  /// Error (limit) before a text is run that needs more memory than there is for it.
  SharedRows run(const TokenStage& tokens, ThreadPool& pool, LayerVisitor* visitor, const Watch& watch = {}) const;

 private:
  struct Stream;
  void ask(const Query& query);
  void check_memory(const TokenStage& tokens, int threads) const;
  LayerMasks masks_for(int layer, const MaskEdits& edits, const TokenStage& tokens, const Watch& watch) const;
  void run_layer_of(int layer, const TokenStage& tokens, Stream& stream, ThreadPool& pool, LayerVisitor* visitor, const Watch& watch) const;

  std::shared_ptr<const Model> model_;
  std::vector<LayerRequest> requests_;
  PipelineLimits limits_;
  bool keeps_layers_ = false;
};

}  // namespace headlight
