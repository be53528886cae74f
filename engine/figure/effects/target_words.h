// Words of effects: how figures name a target, and parts that are patched.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/figure/effects/effects_request.h"

namespace headlight {

inline constexpr int kTargetDigits = 3;  ///< of its value

/// "logit “is” − “are” at position 5"; of other targets their description.
std::string target_title(const Target& target);
/// Of what is asked for; without a target the loss.
std::string target_title(const EffectsRequest& effects);
/// " · other z: of 12 texts, sentences.txt"; empty where there are no texts.
std::string texts_note(const EffectsRequest& effects);

/// Of a study: "pairs.csv · 1,204 texts".
std::string texts_title(const EffectsOfTexts& effects);
/// What must be known of its numbers: "means over texts, of which 3 were left out · the study is not finished".
std::string study_note(const EffectsOfTexts& effects);

}  // namespace headlight
