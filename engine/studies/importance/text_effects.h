// What single heads of one text do to a target: the text is run once, and every variant shares all that lies below the changed head.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/forward/head_outputs.h"
#include "engine/pipeline/other_runs.h"
#include "engine/pipeline/passing_run.h"
#include "engine/targets/watched.h"

namespace headlight {

/// What all texts of a study of effects have in common.
class EffectPlan {
 public:
  /// Throws Error (usage) for edits that reach no further than their map: then heads have no one z; for interventions that a PassingRun does
  /// not take; and for a token that the target names and the model does not have.
  EffectPlan(std::shared_ptr<const Model> model, const Query& query, Target target);
  /// With interventions that take something from other texts (PassingRun).
  EffectPlan(std::shared_ptr<const Model> model, const Query& query, Target target, OtherRuns& others, ThreadPool& pool,
             Progress& progress);
  const PassingRun& run() const { return run_; }
  const Model& model() const { return run_.model(); }
  const Target& target() const { return target_; }
  const LayerRequest& request(int layer) const { return run_.request(layer); }

 private:
  EffectPlan(PassingRun run, const Query& query, Target target);
  PassingRun run_;
  Target target_;
};

/// z of every head of a text.
HeadOutputs outputs_of(const EffectPlan& plan, const TokenStage& tokens, ThreadPool& pool, const Watch& watch = {});

/// One text under one target. Same input, same bits, for any number of threads.
/// Thread contract: one thread at a time.
class TextEffects {
 public:
  /// Runs the text. `next`: the token that really comes after it, where that is known. Throws Error (usage) for a token that the target names
  /// and the model does not have. `plan` and `pool` outlive it.
  TextEffects(const EffectPlan& plan, const TokenStage& tokens, ThreadPool& pool, const Watch& watch = {},
              std::optional<std::int64_t> next = {});

  /// Why the target has no value here; empty where it has one.
  const std::string& problem() const { return watched_.problem; }
  /// The target as the plan's query has it.
  double unchanged() const { return unchanged_; }
  /// The target where a head gives these rows [tokens, d_value] and all others what follows from it. b_O stays.
  double with(HeadId head, const Matrix& z);
  /// Where all heads of a layer give these rows [tokens, heads · d_value].
  double with_outputs(int layer, const Matrix& z);
  /// Where a head's z is multiplied by `factor`. 0: zero ablation.
  double gated(HeadId head, float factor);
  /// |d target / d factor| at 1: central difference, eps 1e-2 (metrics 6.4).
  double gate_gradient(HeadId head);
  /// Where these heads are switched off, all at once.
  double without(std::span<const HeadId> heads);
  /// Where the stream that a layer reads has these rows [tokens, d_model]. Not for encoder–decoder models, whose stacks read two streams.
  double with_stream(int layer, const Matrix& stream);
  /// The one position whose prediction the target is about; −1: it is about several, or of a decoder beside an encoder.
  Index watched_position() const;
  /// A head's own z [tokens, d_value].
  Matrix output(HeadId head) const;
  /// Its z where another map replaces its own: uniform, previous, self or first; or weights [queries, keys], under its mask.
  /// Empty in cross-attention for maps that need one axis for queries and keys.
  Matrix output_with(HeadId head, InterventionKind map) const;
  Matrix output_with(HeadId head, const Matrix& weights) const;
  /// What is left of the run, by layer; none where there is a problem.
  const std::vector<LayerTrace>& layers() const { return layers_; }

 private:
  double continue_after(int layer, Matrix&& resid_post, std::span<const HeadId> also_off);
  double value(SharedRows resid) const;

  const EffectPlan& plan_;
  ThreadPool& pool_;
  Watch watch_;
  std::vector<LayerTrace> layers_;
  SharedRows final_hidden_;
  Watched watched_;
  double unchanged_ = 0;
};

}  // namespace headlight
