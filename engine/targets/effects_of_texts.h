// What heads, or places that are patched, do to a target over the texts of a file: numbers of a study, as a figure shows and keeps them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/targets/head_effects.h"

namespace headlight {

/// What one way to change heads did, or one kind of patches.
struct MeansOfTexts {
  EffectMethod method = EffectMethod::zero;  ///< not of patches
  std::vector<double> means = {};            ///< of each place, of the change of the target; of the gate of its gradient; NaN: of no text
  std::vector<double> errors = {};           ///< standard errors; NaN of fewer than two texts
  std::vector<std::int64_t> counts = {};     ///< texts that have a number
  /// Numbers are equal where their bits are: so is NaN.
  bool operator==(const MeansOfTexts& other) const;
};

struct EffectsOfTexts {
  std::string file = {};  ///< of the texts, without its folder
  std::int64_t texts = 0, left_out = 0;
  bool is_finished = true;  ///< else of the texts so far
  Target target = {};
  std::optional<PatchedPart> part = {};  ///< what each text takes from its partner; then `ways` is of that alone
  std::vector<HeadId> places = {};       ///< heads by layer; of patches by position, layers and positions
  std::vector<MeansOfTexts> ways = {};
  double unpatched = 0, partner = 0;  ///< of patches: the mean target of the texts as they are, and of their partners
  std::vector<double> shares = {};    ///< of patches, for each place: the mean change over the mean difference; NaN where that is 0

  /// Null: it has no numbers of the method.
  const MeansOfTexts* find(EffectMethod method) const;
  /// Of one of `ways`. The target without a change is not known: NaN.
  HeadEffects effects_of(const MeansOfTexts& way) const;
  bool operator==(const EffectsOfTexts& other) const;
};

}  // namespace headlight
