// Computes the stages of a query that its memo lacks.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/parallel.h"
#include "engine/core/progress.h"
#include "engine/pipeline/stages/known_rows.h"

namespace headlight {

/// Times the stages of a run, one after the other; those that took nothing are left out.
class StageClock {
 public:
  /// The stage that ends here: it began where the one before it ended. Stages of one name are one.
  void note(std::string stage);
  std::vector<StageTime> take() { return std::move(times_); }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::vector<StageTime> times_;
};

/// The tokens of a query under a model, cut to the positions it has.
TokenStage make_tokens(const Model& model, const Query& query, TokenKey key);

/// Whether an edit takes something from other layers or other runs.
bool needs_more_than_its_layer(const LayerRequest& request);

/// Brings a memo up to a query, stage by stage; what finished before a cancel stays in it. memo.model and memo.tokens are there.
class Stages {
 public:
  Stages(Memo& memo, ThreadPool& pool, Measures measures) : memo_(memo), pool_(pool), measures_(measures) {}

  void keep_embedding(const Watch& watch);
  /// Called when a layer is there.
  using AfterLayer = std::function<void()>;
  /// Returns how many layers were there.
  int keep_layers(const std::vector<LayerRequest>& requests, StageClock& clock, Progress& progress, const AfterLayer& after_layer = {});
  /// The same without what comes after the last layer, for layers before `end`.
  int keep_first_layers(const std::vector<LayerRequest>& requests, std::size_t end, StageClock& clock, Progress& progress,
                        const AfterLayer& after_layer = {});
  /// All layers up to this one, each forgotten once the next has read it, but for its heads; of those above nothing but how many heads they
  /// have, and their masks. The memo is of no use afterwards.
  void keep_one_layer(const std::vector<LayerRequest>& requests, int layer, Progress& progress);
  std::shared_ptr<Snapshot> take_snapshot(const Query& query) const;
  /// Of a run that goes on: the layers that are there; of the others nothing but how many heads they have.
  std::shared_ptr<Snapshot> take_part(const Query& query, const std::vector<LayerRequest>& requests) const;

 private:
  MaskContext mask_context(Stack stack) const;
  LayerMasks masks_for(int layer, const LayerRequest& request, const MaskEdits& edits, const Watch& watch) const;
  LayerMasks edited_masks(int layer, const LayerRequest& request, const Watch& watch) const;
  SharedRows resid_pre_of(int layer) const;
  void forget_earlier(int layer, Index known);
  void begin_after(const EarlierLayer& earlier, const WantedLayer& wanted, LayerInput& input, std::vector<HeadMeter>& meters) const;
  void keep_final_hidden(const LayerTrace& last, const EarlierLayer* earlier, const Watch& watch);
  void add_layer(int layer, const LayerRequest& request, Progress& progress);
  LayerInput input_of(int layer, const LayerRequest& request, const Watch& watch) const;

  Memo& memo_;
  ThreadPool& pool_;
  Measures measures_;
  Index rows_computed_ = 0;  ///< of the layer with most
};

}  // namespace headlight
