// A study of what heads do to a target, as the command line and the window ask for it: the methods, the target, and how one text after
// another is measured.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/studies/importance/effect_study.h"
#include "engine/studies/study_file.h"

namespace headlight {

/// Effects of heads on a target, in place of measures. The settings' requests are its methods.
struct EffectJob {
  std::vector<EffectMethod> methods;
  Target target;
  std::uint64_t seed = 1;  ///< of resampling
  bool operator==(const EffectJob&) const = default;
  /// Whether a method needs other texts.
  bool needs_other_texts() const;
  StudySettings settings(Index longest) const;
  /// What was watched, as a study's manifest has it: "loss", "logit:A@5 seed 1".
  std::string target_text() const;
};

/// What a study was made with; nothing where it is of measures, or names a target that this version cannot read.
std::optional<EffectJob> effect_job_of(const StudyManifest& manifest);

/// How a text's effects are found; all that it needs. Thread contract: measure from any thread, once the others are taken.
class EffectMeasurer {
 public:
  /// Throws Error (usage) as EffectPlan.
  EffectMeasurer(const std::shared_ptr<const Model>& model, const Query& query, EffectJob job, ThreadPool& pool, Progress& progress);
  /// Texts that means and other z are taken from, where the job needs some.
  void take(OtherTexts others) { others_ = std::move(others); }
  std::vector<HeadValues> measure(const TokenStage& tokens, ThreadPool& pool, const Watch& watch) const {
    return measure_effects(plan_, job_.methods, &others_, tokens, pool, watch);
  }
  const EffectPlan& plan() const { return plan_; }
  const EffectJob& job() const { return job_; }

 private:
  EffectJob job_;
  OtherRuns runs_;  // of texts that edits take from
  EffectPlan plan_;
  OtherTexts others_;
};

/// One for each pair of methods. values: [method][head].
std::vector<RankAgreement> rank_agreements(const std::vector<std::vector<double>>& values);

/// Several methods, of every head of a text, each as effects_of_heads has it. Where the target has no value, only the first is returned, with
/// its problem. Throws as effects_of_heads.
ComparedEffects compare_effects(const EffectPlan& plan, const std::vector<EffectMethod>& methods, const TokenStage& tokens,
                                ThreadPool& pool, Progress& progress, const OtherTexts* others = nullptr);

}  // namespace headlight
