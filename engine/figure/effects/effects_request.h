// What the figures of effects are asked for: which number of the output is explained, and how.
#pragma once

#include <memory>
#include <optional>

#include "engine/targets/head_effects.h"

namespace headlight {

struct EffectsRequest {
  /// Of parts and layers: the logit, or the difference of two; none: that of the likeliest token at `position`. Of heads: what they change;
  /// none: the loss.
  std::optional<Target> target = {};
  std::optional<Index> position = {};             ///< where there is no target; none: the one that is usually asked for
  std::optional<HeadId> head = {};                ///< whose part is split by source tokens; none: the head with the largest part
  EffectMethod method = EffectMethod::zero;       ///< what is done to each head alone; one that needs no other texts
  std::shared_ptr<const HeadEffects> found = {};  ///< what that did; computed by whoever asks, since the text is run once for every head
  /// Numbers are equal by what they are, wherever they lie.
  bool operator==(const EffectsRequest& other) const {
    const bool has_same_numbers = found == other.found || (found && other.found && *found == *other.found);
    return has_same_numbers && target == other.target && position == other.position && head == other.head && method == other.method;
  }
};

}  // namespace headlight
