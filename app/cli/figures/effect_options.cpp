#include "app/cli/figures/effect_options.h"

#include <fmt/core.h>

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

}  // namespace

EffectOptions::EffectOptions(CLI::App& command) {
  constexpr const char* kGroup = "Effects";
  add_target(command, target_,
             "Of an attribution and a lens: the logit, or the difference of two; without it that of the likeliest token. Of\n"
             "effects: the number that heads change; without it the loss of the text")
      ->group(kGroup);
  const auto read = [this](const std::string& name) {
    const EffectRow* const row = find_effect(name);
    if (row == nullptr) refuse_option("--method", "unknown name", "\"" + printable(name, 60) + "\"", methods_of_one_text());
    if (row->needs_other_texts)
      refuse_option("--method", "this needs other texts, and a figure is of one", name, methods_of_one_text(),
                    "`headlight importance --texts` has it over many texts");
    method_ = row->method;
  };
  command
      .add_option_function<std::string>(
          "--method", read,
          "Of effects: what is done to one head at a time: " + methods_of_one_text() + " (`headlight importance` says\nwhat they are)")
      ->type_name("NAME")
      ->group(kGroup);
}

std::vector<std::string_view> EffectOptions::names(const FigureNeeds& needs) {
  if (needs.has_target) return {"--target", "--method"};
  return needs.has_logit() ? std::vector<std::string_view>{"--target"} : std::vector<std::string_view>{};
}

EffectsRequest EffectOptions::request(const FigureNeeds& needs, const Document& document, std::optional<Index> position,
                                      std::optional<HeadId> head) const {
  EffectsRequest effects{.target = target_, .method = method_};
  const bool takes_target = document.target != Target{} && (needs.has_target || is_of_logit(document.target.kind));
  if (!target_ && takes_target) effects.target = document.target;
  if (needs.has_target) {
    if (effects.target == Target{}) effects.target.reset();
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
