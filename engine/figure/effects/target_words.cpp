#include "engine/figure/effects/target_words.h"

#include <fmt/core.h>

namespace headlight {

std::string target_title(const Target& target) {
  if (!is_of_logit(target.kind)) return describe_target(target);
  const std::string other = target.other.empty() ? "" : " − " + in_words(target.other);
  const std::string place = target.first ? fmt::format(" at position {}", *target.first) : "";
  return fmt::format("{} {}{}{}", target.kind == TargetKind::logit ? "logit" : "probability", in_words(target.token), other, place);
}

std::string target_title(const EffectsRequest& effects) {
  return target_title(effects.target.value_or(Target{}));
}

std::string texts_note(const EffectsRequest& effects) {
  if (!effects.texts) return {};
  return fmt::format(" · other z: of {} texts, {}", effects.texts->texts.size(), effects.texts->name);
}

}  // namespace headlight
