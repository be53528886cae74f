#include "app/cli/figures/effect_options.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/cli/options/options.h"
#include "app/cli/options/target_option.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

/// The methods that one text is enough for: "zero, gate, …".
std::string methods_of_one_text() {
  std::string names;
  for (const EffectRow& row : effect_rows()) {
    if (!row.needs_other_texts) names.append(names.empty() ? "" : ", ").append(row.measure.id);
  }
  return names;
}

/// Separated by commas.
std::vector<EffectMethod> methods_of(const std::string& ids, const std::string& option) {
  std::vector<EffectMethod> methods = effect_methods(ids, option);
  for (const EffectMethod method : methods) {
    if (effect_row(method).needs_other_texts)
      refuse_option(option, "this needs other texts, and a figure is of one", std::string(effect_row(method).measure.id),
                    methods_of_one_text(), "`headlight importance --texts` has it over many texts");
  }
  return methods;
}

}  // namespace

EffectOptions::EffectOptions(CLI::App& command) {
  constexpr const char* kGroup = "Effects";
  add_target(command, target_,
             "Of an attribution and a lens: the logit, or the difference of two; without it that of the likeliest token. Of\n"
             "effects: the number that heads change; without it the loss of the text")
      ->group(kGroup);
  const auto read = [this](const std::string& id) { method_ = methods_of(id, "--method").front(); };
  command
      .add_option_function<std::string>("--method", read,
                                        "Of effects: what is done to one head at a time; of pruning: what makes a head important. " +
                                            methods_of_one_text() + "\n(`headlight importance` says what they are)")
      ->type_name("NAME")
      ->group(kGroup);
  const auto read_all = [this](const std::string& ids) { methods_ = methods_of(ids, "--methods"); };
  command.add_option_function<std::string>("--methods", read_all, "Of methods: those that are side by side; without it zero,gate")
      ->type_name("NAME,...")
      ->group(kGroup);
  command.add_option("--from", other_text_, "Of a patch: the other text, of equally many tokens, whose numbers are put in")
      ->type_name("TEXT")
      ->group(kGroup);
  const auto read_part = [this](const std::string& name) {
    const auto part = std::find_if(kEveryValue<PatchedPart>.begin(), kEveryValue<PatchedPart>.end(),
                                   [&](PatchedPart each) { return kPatchedParts[each] == name; });
    if (part == kEveryValue<PatchedPart>.end())
      refuse_option("--part", "unknown name", "\"" + printable(name, 60) + "\"", "stream, layer-z, z or pattern");
    part_ = *part;
  };
  command
      .add_option_function<std::string>(
          "--part", read_part,
          "Of a patch: what is put in, as in `headlight patch`: stream or layer-z at one position, z or pattern of\n"
          "one head; without it stream")
      ->type_name("NAME")
      ->group(kGroup);
}

std::vector<std::string_view> EffectOptions::names(const FigureNeeds& needs) {
  std::vector<std::string_view> names;
  if (needs.has_effects()) names.emplace_back("--target");
  if (needs.has_method) names.emplace_back("--method");
  if (needs.has_methods) names.emplace_back("--methods");
  if (needs.has_patches) names.insert(names.end(), {"--from", "--part"});
  return names;
}

EffectsRequest EffectOptions::request(const FigureNeeds& needs, const Document& document, std::optional<Index> position,
                                      std::optional<HeadId> head) const {
  EffectsRequest effects;
  effects.target = target_;
  const bool takes_target = document.target != Target{} && (needs.has_target || is_of_logit(document.target.kind));
  if (!target_ && takes_target) effects.target = document.target;
  if (needs.has_target) {
    if (effects.target == Target{}) effects.target.reset();
    if (needs.has_method) effects.method = method_;
    if (needs.has_methods && !methods_.empty()) effects.methods = methods_;
    if (!needs.has_patches) return effects;
    if (other_text_.empty()) refuse_option("--from", "a patch is taken from another text; which?", {}, "--from TEXT");
    effects.other_text = other_text_;
    effects.part = part_;
    return effects;
  }
  if (target_ && position)
    refuse_option("--query", "--target names a logit and its position", fmt::format("{}", *position), {}, "Leave out one of the two");
  if (position) effects.target.reset();
  effects.position = position;
  if (needs.has_parts) effects.head = head;
  return effects;
}

}  // namespace headlight
