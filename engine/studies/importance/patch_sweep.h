// Activation patching, place by place: one text's run is patched with numbers of another's, and the target says where what differs between
// them is carried (metrics 6.7; Meng et al. 2022, arXiv 2202.05262; Zhang and Nanda 2023, arXiv 2309.16042).
#pragma once

#include "engine/studies/importance/text_effects.h"
#include "engine/targets/patches.h"

namespace headlight {

/// Two texts that one is patched from the other; layer by layer. What it is given outlives it. Thread contract: one thread at a time.
class PatchRuns {
 public:
  /// Runs both. Throws as sweep_patches.
  PatchRuns(const EffectPlan& plan, const TokenStage& tokens, const TokenStage& other, PatchedPart part, ThreadPool& pool,
            const Watch& watch);
  double unpatched() const { return text_.unchanged(); }
  double other() const { return other_.unchanged(); }
  Index watched_position() const { return text_.watched_position(); }
  Index places(int layer) const;  ///< positions, or heads
  PatchValue at(int layer, Index place);

 private:
  const EffectPlan& plan_;
  const PatchedPart part_;
  TextEffects text_;
  const TextEffects other_;
};

/// Throws Error (usage) where no text can be patched: the target compares with the unedited run, or the model is an encoder–decoder and patches
/// go by position.
void check_patches(const EffectPlan& plan, PatchedPart part);

/// Both texts have equally many tokens. Throws Error (usage) where they do not, where the target has no value in one of them or compares with
/// the unedited run, and for patches by position in encoder–decoder models; Cancelled.
PatchSweep sweep_patches(const EffectPlan& plan, const TokenStage& tokens, const TokenStage& other, PatchedPart part, ThreadPool& pool,
                         Progress& progress);

}  // namespace headlight
