// What every head of one text does to a target when it alone is changed: numbers that windows, figures and files share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/attention/mask.h"
#include "engine/targets/effect.h"
#include "engine/targets/patches.h"
#include "engine/targets/target.h"

namespace headlight {

struct HeadEffects {
  Target target = {};
  EffectMethod method = EffectMethod::zero;
  std::optional<PatchedPart> part = {};  ///< instead of a method: what every head takes from another text, z or pattern
  double unchanged = 0;                  ///< the target of the run
  std::string problem = {};              ///< why the target has no value here, as a sentence; empty: it has one
  std::vector<HeadId> heads = {};        ///< every head, by layer and head
  std::vector<double> values = {};  ///< one each: the target with the change less `unchanged`; of the gate its gradient; NaN: undefined
  bool is_of_gate() const { return !part && method == EffectMethod::gate; }
  std::string_view title() const;  ///< "zero ablation", "z of another text"
  std::string_view id() const;     ///< "zero", "patch-z"
  /// Numbers are equal where their bits are: so is NaN.
  bool operator==(const HeadEffects& other) const;
};

/// How alike two methods rank the heads, by the size of the change.
struct RankAgreement {
  std::size_t a = 0, b = 0;  ///< of the methods
  double correlation = 0;    ///< NaN where a head has no number
};

/// Several methods side by side, of the same heads and target.
struct ComparedEffects {
  std::vector<HeadEffects> methods;
  std::vector<RankAgreement> agreements;  ///< one for each pair
  bool operator==(const ComparedEffects& other) const;
};

}  // namespace headlight
