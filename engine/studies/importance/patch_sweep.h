// Activation patching, place by place: one text's run is patched with numbers of another's, and the target says where what differs between
// them is carried (metrics 6.7; Meng et al. 2022, arXiv 2202.05262; Zhang and Nanda 2023, arXiv 2309.16042).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/studies/importance/text_effects.h"

namespace headlight {

/// stream: what each layer reads, at each position. layer_z: z of all heads of each layer, at each position. z, pattern: of each head, at all
/// positions.
enum class PatchedPart : std::uint8_t { stream, layer_z, z, pattern };
inline bool is_by_position(PatchedPart part) {
  return part == PatchedPart::stream || part == PatchedPart::layer_z;
}

struct PatchValue {
  int layer = 0;
  int head = -1;        ///< −1: what is patched by position
  Index position = -1;  ///< −1: all
  double value = 0;     ///< of the target
};

struct PatchSweep {
  double unpatched = 0, other = 0;  ///< of both runs as they are
  std::vector<PatchValue> values;   ///< by layer, then by position or head
  /// (value − unpatched) / (other − unpatched): 0 as if nothing were patched, 1 as in the other run; may lie outside. NaN where both runs give
  /// the same.
  double recovered(const PatchValue& patched) const;
};

/// Two texts that one is patched from the other; layer by layer. What it is given outlives it. Thread contract: one thread at a time.
class PatchRuns {
 public:
  /// Runs both. Throws as sweep_patches.
  PatchRuns(const EffectPlan& plan, const TokenStage& tokens, const TokenStage& other, PatchedPart part, ThreadPool& pool,
            const Watch& watch);
  double unpatched() const { return text_.unchanged(); }
  double other() const { return other_.unchanged(); }
  Index places(int layer) const;  ///< positions, or heads
  PatchValue at(int layer, Index place);

 private:
  const EffectPlan& plan_;
  const PatchedPart part_;
  TextEffects text_;
  const TextEffects other_;
};

/// Both texts have equally many tokens. Throws Error (usage) where they do not, where the target has no value in one of them or compares with
/// the unedited run, and for patches by position in encoder–decoder models; Cancelled.
PatchSweep sweep_patches(const EffectPlan& plan, const TokenStage& tokens, const TokenStage& other, PatchedPart part, ThreadPool& pool,
                         Progress& progress);

}  // namespace headlight
