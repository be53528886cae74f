// Ways to ask what one head does to a target, a row each (metrics 6.1 to 6.4).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/measures/measure_request.h"

namespace headlight {

enum class EffectMethod : std::uint8_t { zero, mean, resample, gate };

struct EffectRow {
  EffectMethod method;
  bool needs_other_texts;  ///< a set of texts that the head's z is taken from
  Measure measure;         ///< id: "zero"; has no function of a row
};
std::span<const EffectRow> effect_rows();
const EffectRow& effect_row(EffectMethod method);
/// Null: there is none of this id.
const EffectRow* find_effect(std::string_view id);
/// Several ids, separated by commas; the same one twice counts once. Throws Error (usage) naming `option`.
std::vector<EffectMethod> effect_methods(std::string_view ids, const std::string& option);
/// A number of a study: an effect, or a measure as measure_request reads it.
MeasureRequest study_request(std::string_view id, const std::string& option);

}  // namespace headlight
