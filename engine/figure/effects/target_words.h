// A target as figures of effects name it.
#pragma once

#include <string>

#include "engine/targets/target.h"

namespace headlight {

inline constexpr int kTargetDigits = 3;  ///< of its value

/// "logit “is” − “are” at position 5"; of other targets their description.
std::string target_title(const Target& target);

}  // namespace headlight
