#include "app/cli/figures/effect_options.h"

#include <fmt/core.h>

#include <filesystem>

#include "app/cli/options/options.h"
#include "app/cli/options/target_option.h"
#include "engine/core/error.h"
#include "engine/figure/effects/target_words.h"
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

EffectOptions::EffectOptions(CLI::App& command) {
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
  const auto read_all = [this](const std::string& ids) { methods_ = effect_methods(ids, "--methods"); };
  command.add_option_function<std::string>("--methods", read_all, "Of methods: those that are side by side; without it zero,gate")
      ->type_name("NAME,...")
      ->group(kGroup);
  command
      .add_option("--over", texts_file_,
                  "Of effects and methods: the texts that mean and resample take z from: .txt (one a line), .csv or .jsonl with a column\n"
                  "`text`. The figure keeps them")
      ->type_name("FILE")
      ->group(kGroup);
  command.add_option("--from", other_text_, "Of a patch: the other text, of equally many tokens, whose numbers are put in")
      ->type_name("TEXT")
      ->group(kGroup);
  const auto read_part = [this](const std::string& name) {
    const std::optional<PatchedPart> part = find_patched_part(name);
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
}

std::vector<std::string_view> EffectOptions::names(const FigureNeeds& needs) {
  std::vector<std::string_view> names;
  if (needs.has_effects()) names.emplace_back("--target");
  if (needs.has_method) names.emplace_back("--method");
  if (needs.has_methods) names.emplace_back("--methods");
  if (needs.takes_texts()) names.emplace_back("--over");
  if (needs.has_patches) names.insert(names.end(), {"--from", "--part"});
  return names;
}

void EffectOptions::take_texts(const FigureNeeds& needs, EffectsRequest& effects) const {
  const bool needs_some = needs_other_texts(needs, effects);
  if (needs_some && !needs.takes_texts())
    refuse_option("--method", "pruning ranks heads by a method that needs no other texts", {}, "zero or gate");
  if (needs_some && texts_file_.empty()) refuse_option("--over", "mean and resample need other texts to take z from", {}, "--over FILE");
  if (needs_some) effects.texts = texts_of(texts_file_);
  if (!needs_some && needs.takes_texts() && !texts_file_.empty())
    refuse_option("--over", "no chosen way to change heads takes other texts", printable(texts_file_, 80), "--method mean or resample");
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
    take_texts(needs, effects);
    if (!needs.has_patches) return effects;
    if (other_text_.empty()) refuse_option("--from", "a patch needs another text to take numbers from", {}, "--from TEXT");
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
