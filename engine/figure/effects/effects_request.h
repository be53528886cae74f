// What the figures of effects are asked for: which number of the output is explained, and how.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/targets/effects_of_texts.h"
#include "engine/targets/pruning_curves.h"

namespace headlight {

struct EffectsRequest {
  /// Of parts and layers: the logit, or the difference of two; none: that of the likeliest token at `position`. Of what is done to heads or
  /// places: what that changes; none: the loss.
  std::optional<Target> target = {};
  std::optional<Index> position = {};  ///< where there is no target; none: the one that is usually asked for
  std::optional<HeadId> head = {};     ///< whose part is split by source tokens; none: the head with the largest part
  /// What is done to each head alone, or makes one important while heads are switched off; then one that needs no other texts.
  EffectMethod method = EffectMethod::zero;
  std::vector<EffectMethod> methods = {EffectMethod::zero, EffectMethod::gate};  ///< likewise, side by side
  std::vector<PatchedPart> patched = {};      ///< after the methods, side by side: z or pattern of heads from another text
  PatchedPart part = PatchedPart::stream;     ///< what is patched
  std::string other_text = {};                ///< from it, of equally many tokens
  std::shared_ptr<const TextSet> texts = {};  ///< of methods that need other texts
  /// Of the texts of a file in place of the figure's own: numbers of a study, which the file keeps. Of these `method`, `methods` or `part`.
  std::shared_ptr<const EffectsOfTexts> study = {};
  /// What that did. Filled in by the caller: the text is run many times.
  std::shared_ptr<const HeadEffects> found = {};
  std::shared_ptr<const ComparedEffects> compared = {};
  std::shared_ptr<const PatchSweep> patches = {};
  std::shared_ptr<const PruningCurves> pruned = {};
  /// Numbers are equal by what they are, wherever they lie.
  bool operator==(const EffectsRequest& other) const {
    const auto is_same = [](const auto& a, const auto& b) { return a == b || (a && b && *a == *b); };
    return is_same(texts, other.texts) && is_same(study, other.study) && is_same(found, other.found) && is_same(compared, other.compared) &&
           is_same(patches, other.patches) && is_same(pruned, other.pruned) && target == other.target && position == other.position &&
           head == other.head && method == other.method && methods == other.methods && patched == other.patched && part == other.part &&
           other_text == other.other_text;
  }
};

}  // namespace headlight
