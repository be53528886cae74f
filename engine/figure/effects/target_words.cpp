#include "engine/figure/effects/target_words.h"

#include <fmt/core.h>

#include "engine/core/error.h"
#include "engine/core/numbers.h"

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

namespace {

std::string count_text(std::int64_t count, const char* noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

}  // namespace

std::string texts_title(const EffectsOfTexts& effects) {
  return effects.file.empty() ? "one text" : fmt::format("{} · {}", printable(effects.file, 120), count_text(effects.texts, "text"));
}

std::string study_note(const EffectsOfTexts& effects) {
  std::string note = "mean over " + count_text(effects.texts, "text");
  if (effects.part) note += ", each patched from its partner";
  if (effects.left_out > 0) note += fmt::format(" · {} left out", count_text(effects.left_out, "line"));
  return effects.is_finished ? note : note + " · the study is not finished, this is a part of the texts";
}

}  // namespace headlight
