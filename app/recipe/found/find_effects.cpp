#include "app/recipe/found/find_effects.h"

#include <memory>
#include <utility>
#include <vector>

#include "app/document/labs/lab_names.h"
#include "engine/pipeline/other_runs.h"
#include "engine/studies/importance/effect_job.h"
#include "engine/studies/importance/effects_of_study.h"
#include "engine/studies/importance/patch_sweep.h"
#include "engine/studies/importance/prune.h"

namespace headlight {
namespace {

PruningCurves curves_of(const Snapshot& snapshot, const Target& target, EffectMethod by, const TokenStage& tokens, ThreadPool& pool,
                        Progress& progress) {
  const std::vector<TokenStage> texts{tokens};
  const auto pruned = [&](bool is_exact) {
    return prune_heads(snapshot.model, snapshot.query, target, {.by = by, .is_exact = is_exact, .kept_per_layer = 1}, texts, pool,
                       progress);
  };
  PrunedHeads once = pruned(false);
  return {once.whole, std::move(once.curve), pruned(true).curve};
}

/// Those that a request's methods take other numbers from; null: they need none.
std::unique_ptr<const OtherTexts> others_of(const EffectPlan& plan, const Query& query, const FigureRequest& request, ThreadPool& pool,
                                            Progress& progress) {
  if (!needs_other_texts(request.kind->needs, request.effects)) return nullptr;
  constexpr Index kLongest = 4096;  // tokens, as `headlight importance` has it
  return std::make_unique<const OtherTexts>(read_other_texts(plan, query, *request.effects.texts, kLongest, 1, pool, progress));
}

/// What every head does when it takes its z, or its map, from another text.
HeadEffects patched_heads(const EffectPlan& plan, const Query& query, const EffectsRequest& effects, PatchedPart part,
                          const TokenStage& tokens, ThreadPool& pool, Progress& progress) {
  const TokenStage other = plan.run().tokens_of(query_of_other_text(query, effects.other_text));
  const PatchSweep sweep = sweep_patches(plan, tokens, other, part, pool, progress);
  HeadEffects found{.target = plan.target(), .part = part, .unchanged = sweep.unpatched};
  for (const PatchValue& patched : sweep.values) {
    found.heads.push_back({patched.layer, patched.head});
    found.values.push_back(patched.value - sweep.unpatched);
  }
  return found;
}

ComparedEffects compared_of(const EffectPlan& plan, const Query& query, const EffectsRequest& effects, const TokenStage& tokens,
                            ThreadPool& pool, Progress& progress, const OtherTexts* others) {
  ComparedEffects found = compare_effects(plan, effects.methods, tokens, pool, progress, others);
  const bool has_value = found.methods.empty() || found.methods.back().problem.empty();
  if (effects.patched.empty() || !has_value) return found;
  for (const PatchedPart part : effects.patched) found.methods.push_back(patched_heads(plan, query, effects, part, tokens, pool, progress));
  return compared(std::move(found.methods));
}

/// check_figure says why there is nothing to find.
bool can_find(const Snapshot& snapshot, const FigureRequest& request) {
  const FigureNeeds& needs = request.kind->needs;
  const EffectsRequest& effects = request.effects;
  if (!needs.has_target || snapshot.is_empty() || !why_no_figure(*request.kind, snapshot).empty()) return false;
  const bool takes_another_text = needs.has_patches || (needs.has_methods && !effects.patched.empty());
  if (takes_another_text && effects.other_text.empty()) return false;
  return !needs_other_texts(needs, effects) || (needs.takes_texts() && effects.texts);
}

void find_lab(const Snapshot& snapshot, LabFigureRequest& lab, Progress& progress) {
  const std::shared_ptr<const Snapshot> run(std::shared_ptr<const void>(), &snapshot);  // of the caller: the lab ends before it
  lab.found = run_lab(request_of_lab(lab, run), progress).sheet;
}

}  // namespace

void find_effects(const Snapshot& snapshot, FigureRequest& request, ThreadPool& pool, Progress& progress) {
  const FigureNeeds& needs = request.kind->needs;
  EffectsRequest& effects = request.effects;
  effects.found.reset();
  effects.compared.reset();
  effects.patches.reset();
  effects.pruned.reset();
  request.lab.found.reset();
  if (needs.has_lab && !snapshot.is_empty() && why_no_figure(*request.kind, snapshot).empty())
    return find_lab(snapshot, request.lab, progress);
  if (needs.has_target && effects.study) {
    if (needs.has_methods) effects.compared = std::make_shared<const ComparedEffects>(compared_over_texts(*effects.study, effects.methods));
    return;
  }
  if (!can_find(snapshot, request)) return;
  OtherRuns of_edits;
  const EffectPlan plan(snapshot.model, snapshot.query, effects.target.value_or(Target{}), of_edits, pool, progress);
  const TokenStage tokens = plan.run().tokens_of(snapshot.query);
  if (needs.has_patches) {
    const TokenStage other = plan.run().tokens_of(query_of_other_text(snapshot.query, effects.other_text));
    effects.patches = std::make_shared<const PatchSweep>(sweep_patches(plan, tokens, other, effects.part, pool, progress));
  } else if (needs.has_pruning) {
    effects.pruned = std::make_shared<const PruningCurves>(curves_of(snapshot, plan.target(), effects.method, tokens, pool, progress));
  } else {
    const std::unique_ptr<const OtherTexts> others = others_of(plan, snapshot.query, request, pool, progress);
    if (needs.has_methods) {
      effects.compared =
          std::make_shared<const ComparedEffects>(compared_of(plan, snapshot.query, effects, tokens, pool, progress, others.get()));
    } else {
      HeadEffects found = effects_of_heads(plan, effects.method, tokens, pool, progress, others.get());
      effects.found = std::make_shared<const HeadEffects>(std::move(found));
    }
  }
}

std::shared_ptr<const Snapshot> run_of_figure(const std::shared_ptr<const Snapshot>& run, const FigureRequest& request,
                                              const std::optional<Query>& measured) {
  if (!request.kind->needs.has_target || !request.effects.study) return run;
  Snapshot of_texts = *run;
  Query& query = of_texts.query;
  if (measured) query = *measured;
  query.text.clear();
  query.ids.clear();
  query.text_pair.reset();
  query.decoder_text.reset();
  of_texts.encoding = std::make_shared<const Encoding>();
  of_texts.decoder_encoding.reset();
  return std::make_shared<const Snapshot>(std::move(of_texts));
}

}  // namespace headlight
