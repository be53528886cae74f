#include "app/gui/state/page_effects.h"

#include <span>
#include <utility>

#include "engine/studies/importance/effect_job.h"
#include "engine/studies/importance/effects_of_study.h"

namespace headlight {
namespace {

/// A sweep of a run and a target, as far as it is done.
class SweepHere {
 public:
  SweepHere(const OutputPage& page, const Effects& effects, const std::shared_ptr<const Snapshot>& run, const Target& target)
      : page_(page) {
    const std::shared_ptr<const SweepFound> sweep = effects.known_sweep();
    const bool is_here = sweep && sweep->problem.empty() && sweep->request.run == run && sweep->request.target == target;
    if (is_here && sweep->heads == run->all_heads() && !page.is_over_texts) sweep_ = sweep;
  }

  /// What every head does under a kind. Nothing before all are done, for kinds that go by position, and where a figure cannot keep the texts.
  std::optional<HeadEffects> effects_of(const SweepRow& row) const {
    const SweepValues* const found = sweep_ ? sweep_->find(row.kind) : nullptr;
    const bool is_whole = found != nullptr && found->values.size() == sweep_->heads.size();
    if (!is_whole || row.is_by_position() || (row.need == SweepNeed::texts && !found->kept_texts)) return std::nullopt;
    if (row.part && found->text != page_.other_text) return std::nullopt;
    return HeadEffects{.target = sweep_->request.target,
                       .method = row.method.value_or(EffectMethod::zero),
                       .part = row.part,
                       .unchanged = sweep_->unchanged,
                       .heads = sweep_->heads,
                       .values = found->values};
  }

  /// The texts that one of these methods takes numbers from; null where none does.
  std::shared_ptr<const TextSet> texts_of(std::span<const EffectMethod> methods) const {
    for (const EffectMethod method : methods) {
      const SweepRow& row = row_of(method);
      if (row.need == SweepNeed::texts && sweep_) return sweep_->find(row.kind)->kept_texts;
    }
    return nullptr;
  }

  std::shared_ptr<const HeadEffects> effects() const {
    const SweepRow& row = row_of(page_.sweep);
    std::optional<HeadEffects> effects = row.method ? effects_of(row) : std::nullopt;
    return effects ? std::make_shared<const HeadEffects>(*std::move(effects)) : nullptr;
  }

  /// The chosen kind, which the heads are ordered by, and then the others that are known.
  std::shared_ptr<const ComparedEffects> compared() const {
    std::vector<HeadEffects> methods;
    const auto add = [&](const SweepRow& row) {
      if (std::optional<HeadEffects> effects = effects_of(row)) methods.push_back(*std::move(effects));
    };
    const SweepRow& chosen = row_of(page_.sweep);
    if (chosen.method) add(chosen);
    for (const SweepRow& row : sweep_rows()) {  // what is patched comes after the methods, as a command lists them
      if (&row != &chosen || !chosen.method) add(row);
    }
    return methods.size() < 2 ? nullptr : std::make_shared<const ComparedEffects>(headlight::compared(std::move(methods)));
  }

  std::shared_ptr<const PatchSweep> patches() const {
    const PatchSweep* const patches = sweep_ ? patches_of(*sweep_, page_.sweep) : nullptr;
    const bool is_here = patches != nullptr && sweep_->find(page_.sweep)->text == page_.other_text;
    return is_here ? std::shared_ptr<const PatchSweep>(sweep_, patches) : nullptr;  // of a long text they are many: no copy
  }

 private:
  const OutputPage& page_;
  std::shared_ptr<const SweepFound> sweep_;
};

std::shared_ptr<const PruningCurves> curves_of(const Effects& effects, const PruningRequest& request) {
  const std::shared_ptr<const PruningFound> found = effects.known_pruning();
  const bool is_here = found && found->is_complete && found->request == request && !found->curves.once.empty();
  return is_here ? std::shared_ptr<const PruningCurves>(found, &found->curves) : nullptr;
}

}  // namespace

std::shared_ptr<const StoredStudy> study_of_page(const OutputPage& page, const CorpusStudies& corpora) {
  const std::shared_ptr<const MeasuredCorpus>& shown = corpora.shown();
  const bool is_here = page.is_over_texts && shown && shown->stored && effect_job_of(shown->stored->manifest);
  return is_here ? shown->stored : nullptr;
}

const FigureKind& figure_of_heads(const OutputPage& page, const StoredStudy* study) {
  const bool is_patched = study != nullptr ? patched_part_of(study->manifest).has_value() : row_of(page.sweep).part.has_value();
  if (is_patched) return kPatchFigure;
  if (page.beside == OutputPage::Beside::pruning) return kPruningFigure;
  return page.beside == OutputPage::Beside::methods ? kMethodsFigure : kEffectsFigure;
}

EffectsRequest page_effects(const OutputPage& page, const Effects& effects, const std::shared_ptr<const Snapshot>& run,
                            const Target& target, const FigureNeeds& needs) {
  EffectsRequest request;
  if (target != Target{}) request.target = target;
  const SweepRow& row = row_of(page.sweep);
  const SweepHere sweep(page, effects, run, target);
  if (needs.has_pruning) {
    request.method = page.prunes_by_gate ? EffectMethod::gate : EffectMethod::zero;
    request.pruned = curves_of(effects, {run, target, request.method});
  } else if (needs.has_patches) {
    request.other_text = page.other_text;
    request.part = row.part.value_or(request.part);
    request.patches = sweep.patches();
  } else if (needs.has_methods) {
    request.compared = sweep.compared();
    if (!request.compared) return request;
    request.methods.clear();
    for (const HeadEffects& each : request.compared->methods) {
      if (each.part) request.patched.push_back(*each.part);
      if (!each.part) request.methods.push_back(each.method);
    }
    if (!request.patched.empty()) request.other_text = page.other_text;
    request.texts = sweep.texts_of(request.methods);
  } else {
    request.method = row.method.value_or(request.method);
    request.found = sweep.effects();
    if (request.found) request.texts = sweep.texts_of({&request.method, 1});
  }
  return request;
}

EffectsRequest page_effects(const OutputPage& page, const CorpusStudies& corpora, const std::string& weights, const FigureNeeds& needs) {
  EffectsRequest request;
  const std::shared_ptr<const StoredStudy> study = study_of_page(page, corpora);
  if (!study || study->manifest.model_digest != weights) return request;
  const std::shared_ptr<const EffectsOfTexts> effects = effects_over_texts(*study);
  if (!effects || effects->places.empty() || needs.has_pruning || effects->part.has_value() != needs.has_patches) return request;
  if (effects->target != Target{}) request.target = effects->target;
  request.study = effects;
  if (effects->part) {
    request.part = *effects->part;
    return request;
  }
  const SweepRow& row = row_of(page.sweep);
  const bool has_chosen = row.method && effects->find(*row.method) != nullptr;
  request.method = has_chosen ? *row.method : effects->ways.front().method;
  if (!needs.has_methods) return request;
  request.methods = {request.method};
  for (const MeansOfTexts& way : effects->ways) {
    if (way.method != request.method) request.methods.push_back(way.method);
  }
  request.compared = std::make_shared<const ComparedEffects>(compared_over_texts(*effects, request.methods));
  return request;
}

}  // namespace headlight
