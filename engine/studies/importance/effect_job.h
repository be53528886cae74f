// A study of what heads do to a target, as the command line and the window ask for it: the methods, the target, and how one text after
// another is measured.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/studies/importance/effect_study.h"
#include "engine/studies/importance/patch_study.h"
#include "engine/studies/study_file.h"

namespace headlight {

/// Effects on a target, in place of measures: of heads, by methods that the settings' requests name; or of patches from each text's partner.
struct EffectJob {
  std::vector<EffectMethod> methods;
  Target target;
  std::uint64_t seed = 1;                ///< of resampling
  std::optional<PatchedPart> part = {};  ///< instead of methods: what each text takes from its partner
  int top = 0;                           ///< texts that are kept for each place: those in which it changes the target most
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
  /// Throws Error (usage) as EffectPlan; and where no text can be patched as the job says.
  EffectMeasurer(const std::shared_ptr<const Model>& model, const Query& query, EffectJob job, ThreadPool& pool, Progress& progress);
  /// Texts that means and other z are taken from, where the job needs some.
  void take_others(OtherTexts others) { others_ = std::move(others); }
  /// How many positions the places of patches have, where they go by position.
  void take_positions(Index positions) { positions_ = positions; }
  /// What the study is of: heads, or layers and positions.
  std::vector<HeadId> places() const;
  std::vector<HeadValues> measure(const CorpusText& text, const TokenStage& tokens, ThreadPool& pool, const Watch& watch) const;
  const EffectPlan& plan() const { return plan_; }
  const EffectJob& job() const { return job_; }

 private:
  const Query query_;
  EffectJob job_;
  OtherRuns runs_;  // of texts that edits take from
  EffectPlan plan_;
  OtherTexts others_;
  Index positions_ = 0;
};

/// One for each pair of methods. values: [method][head].
std::vector<RankAgreement> rank_agreements(const std::vector<std::vector<double>>& values);

/// With the agreement of each pair.
ComparedEffects compared(std::vector<HeadEffects> methods);
/// Several methods, of every head of a text, each as effects_of_heads has it. Where the target has no value, only the first is returned, with
/// its problem. Throws as effects_of_heads.
ComparedEffects compare_effects(const EffectPlan& plan, const std::vector<EffectMethod>& methods, const TokenStage& tokens,
                                ThreadPool& pool, Progress& progress, const OtherTexts* others = nullptr);

}  // namespace headlight
