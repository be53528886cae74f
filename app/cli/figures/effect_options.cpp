#include "app/cli/figures/effect_options.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "app/cli/options/head_names.h"
#include "app/cli/options/options.h"
#include "app/cli/options/target_option.h"
#include "engine/core/error.h"
#include "engine/figure/effects/target_words.h"
#include "engine/studies/importance/effects_of_study.h"
#include "engine/studies/importance/text_set.h"

namespace headlight {
namespace {

/// The texts of a file, under the file's name.
std::shared_ptr<const TextSet> texts_of(const std::string& file) {
  const std::string name = std::filesystem::path(file).filename().string();
  std::shared_ptr<const TextSet> texts = read_text_set(name, file, corpus_format(file, "", false), "--over");
  if (texts->texts.empty()) refuse_option("--over", "the file has no text", printable(file, 80), "texts, one a line");
  return texts;
}

}  // namespace

EffectOptions::EffectOptions(CLI::App& command, QueryOptions& query) {
  constexpr const char* kGroup = "Effects";
  add_target(command, target_,
             "Of an attribution and a lens: the logit, or the difference of two; without it that of the likeliest token. Of\n"
             "effects: the number that heads change; without it the loss of the text")
      ->group(kGroup);
  const auto read = [this](const std::string& id) {
    const std::vector<EffectMethod> methods = effect_methods(id, "--method");
    if (methods.size() != 1) refuse_option("--method", "one way at a time", printable(id, 60), {}, "--figure methods shows several");
    method_ = methods.front();
  };
  command
      .add_option_function<std::string>("--method", read,
                                        "Of effects: what is done to one head at a time; of pruning: what makes a head important: " +
                                            effect_names() + "\n(`headlight importance` says what they are)")
      ->type_name("NAME")
      ->group(kGroup);
  const auto read_all = [this](const std::string& ids) { read_methods(ids); };
  command
      .add_option_function<std::string>(
          "--methods", read_all,
          fmt::format(
              "Of methods: those that are side by side; without it zero,gate. Also {}: z or map of each head\nfrom another text (--from)",
              kPatchedHeadIds))
      ->type_name("NAME,...")
      ->group(kGroup);
  command
      .add_option("--over", texts_file_,
                  "Of effects and methods: the texts that mean and resample take z from: .txt (one a line), .csv or .jsonl with a column\n"
                  "`text`. The figure keeps them")
      ->type_name("FILE")
      ->group(kGroup);
  command
      .add_option("--from", other_text_,
                  "Of a patch, and of methods that patch: the other text, of equally many tokens, whose numbers are put in")
      ->type_name("TEXT")
      ->group(kGroup);
  const auto read_part = [this](const std::string& name) {
    const std::optional<PatchedPart> part = kPatchedParts.find(name);
    if (!part) refuse_option("--part", "unknown name", "\"" + printable(name, 60) + "\"", kPatchedPartNames);
    part_ = *part;
  };
  command
      .add_option_function<std::string>(
          "--part", read_part,
          "Of a patch: what is put in, as in `headlight patch`: stream or layer-z at one position, z or pattern of\n"
          "one head; without it stream")
      ->type_name("NAME")
      ->group(kGroup);
  add_study(command, query);
}

void EffectOptions::add_study(CLI::App& command, QueryOptions& query) {
  const auto read_study_file = [this, &query](const std::string& file) {
    study_ = read_study(file);
    query.take_no_text();
  };
  command
      .add_option_function<std::string>(
          "--study", read_study_file,
          "Of effects, methods and a patch: a .study that `headlight importance` or `headlight patch` wrote over a file of texts.\n"
          "Its means, standard errors and counts are shown in place of a text's numbers, and the figure keeps them")
      ->type_name("FILE")
      ->group("Effects");
}

std::vector<std::string_view> EffectOptions::names(const FigureNeeds& needs) {
  std::vector<std::string_view> names;
  if (needs.has_effects()) names.emplace_back("--target");
  if (needs.has_method) names.emplace_back("--method");
  if (needs.has_methods) names.insert(names.end(), {"--methods", "--from"});
  if (needs.takes_texts()) names.emplace_back("--over");
  if (needs.has_patches) names.insert(names.end(), {"--from", "--part"});
  if (needs.has_target && !needs.has_pruning) names.emplace_back("--study");
  return names;
}

void EffectOptions::read_methods(const std::string& ids) {
  std::vector<std::string> others;
  for (const std::string& id : split_list(ids)) {
    const std::optional<PatchedPart> part = find_patched_heads(id);
    if (!part) {
      others.push_back(id);
    } else if (std::find(patched_.begin(), patched_.end(), *part) == patched_.end()) {
      patched_.push_back(*part);
    }
  }
  if (!others.empty() || patched_.empty()) methods_ = effect_methods(fmt::format("{}", fmt::join(others, ",")), "--methods");
}

void EffectOptions::take_texts(const FigureNeeds& needs, EffectsRequest& effects) const {
  const bool needs_some = needs_other_texts(needs, effects);
  if (needs_some && !needs.takes_texts())
    refuse_option("--method", "pruning ranks heads by a method that needs no other texts", {}, "zero or gate");
  if (needs_some && texts_file_.empty()) refuse_option("--over", "mean and resample need other texts to take z from", {}, "--over FILE");
  if (needs_some) effects.texts = texts_of(texts_file_);
  if (!needs_some && needs.takes_texts() && !texts_file_.empty())
    refuse_option("--over", "none of the chosen methods uses other texts", printable(texts_file_, 80), "--method mean or resample");
}

void EffectOptions::take_patched(EffectsRequest& effects) const {
  effects.patched = patched_;
  if (patched_.empty() && !other_text_.empty())
    refuse_option("--from", "none of the chosen methods uses another text", printable(other_text_, 80), "--methods zero,patch-z");
  if (!patched_.empty() && other_text_.empty())
    refuse_option("--from", "a patch needs another text to take numbers from", {}, "--from TEXT");
  if (!patched_.empty()) effects.other_text = other_text_;
}

EffectsRequest EffectOptions::request_of_study(const FigureNeeds& needs) const {
  EffectsRequest effects;
  effects.study = effects_over_texts(*study_);
  if (!effects.study)
    refuse_option("--study", "this study is of measures, not of what heads do to a target", {}, "one of `headlight importance` or `patch`");
  const auto refuse = [](const char* option, bool is_given) {
    if (is_given) refuse_option(option, "the study says what was done, on which texts and to which target", {}, {}, "Leave it out");
  };
  refuse("--target", target_.has_value());
  refuse("--from", !other_text_.empty());
  refuse("--part", part_.has_value());
  refuse("--over", !texts_file_.empty());
  refuse("--methods", !patched_.empty());
  if (effects.study->target != Target{}) effects.target = effects.study->target;
  if (effects.study->part) {
    effects.part = *effects.study->part;
  } else {
    effects.method = method_.value_or(effects.study->ways.front().method);
    effects.methods = methods_;
    if (methods_.empty()) {
      for (const MeansOfTexts& way : effects.study->ways) effects.methods.push_back(way.method);
    }
  }
  if (!needs.has_methods) effects.methods = EffectsRequest().methods;
  return effects;
}

EffectsRequest EffectOptions::request(const FigureNeeds& needs, const Document& document, std::optional<Index> position,
                                      std::optional<HeadId> head) const {
  if (needs.has_target && study_) return request_of_study(needs);
  EffectsRequest effects;
  effects.target = target_;
  const bool takes_target = document.target != Target{} && (needs.has_target || is_of_logit(document.target.kind));
  if (!target_ && takes_target) effects.target = document.target;
  if (needs.has_target) {
    if (effects.target == Target{}) effects.target.reset();
    if (needs.has_method) effects.method = method_.value_or(effects.method);
    if (needs.has_methods && !(methods_.empty() && patched_.empty())) effects.methods = methods_;
    if (needs.has_methods) take_patched(effects);
    take_texts(needs, effects);
    if (!needs.has_patches) return effects;
    if (other_text_.empty()) refuse_option("--from", "a patch needs another text to take numbers from", {}, "--from TEXT");
    effects.other_text = other_text_;
    effects.part = part_.value_or(effects.part);
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
