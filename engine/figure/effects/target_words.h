// A target as figures of effects name it.
#pragma once

#include <string>

#include "engine/figure/effects/effects_request.h"

namespace headlight {

inline constexpr int kTargetDigits = 3;  ///< of its value

/// "logit “is” − “are” at position 5"; of other targets their description.
std::string target_title(const Target& target);
/// " · other z: of 12 texts, sentences.txt"; empty where there are no texts.
std::string texts_note(const EffectsRequest& effects);

}  // namespace headlight
