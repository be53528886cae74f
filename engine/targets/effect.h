// Ways to ask what one head does to a target, a row each (metrics 6.1 to 6.4).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/interventions/intervention.h"
#include "engine/measures/measure_request.h"

namespace headlight {

enum class EffectMethod : std::uint8_t { zero, mean, resample, gate, uniform, previous, self, first };

struct EffectRow {
  EffectMethod method;
  bool needs_other_texts;                    ///< a set of texts that the head's z is taken from
  std::optional<InterventionKind> map = {};  ///< the map that is put in the place of the head's
  Measure measure;                           ///< id: "zero"; has no function of a row
};
std::span<const EffectRow> effect_rows();
const EffectRow& effect_row(EffectMethod method);
/// Null: there is none of this id.
const EffectRow* find_effect(std::string_view id);
/// "zero, mean, … or first": the ids of all.
std::string effect_names();
/// Several ids, separated by commas; the same one twice counts once. Throws Error (usage) naming `option`.
std::vector<EffectMethod> effect_methods(std::string_view ids, const std::string& option);
/// A number of a study: an effect, one of patches, or a measure as measure_request reads it.
MeasureRequest study_request(std::string_view id, const std::string& option);

}  // namespace headlight
