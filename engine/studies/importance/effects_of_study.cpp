#include "engine/studies/importance/effects_of_study.h"

#include <utility>

#include "engine/studies/importance/effect_job.h"

namespace headlight {
namespace {

MeansOfTexts means_of(const CorpusStudy& study, std::size_t number, EffectMethod method) {
  MeansOfTexts way{.method = method};
  for (std::size_t place = 0; place < study.heads().size(); ++place) {
    const ExactSum sum = study.sum_of_all_lengths(place, number);
    way.means.push_back(sum.mean());
    way.errors.push_back(sum.standard_error());
    way.counts.push_back(sum.count);
  }
  return way;
}

void add_patches(EffectsOfTexts& effects, const PatchStudy& patches) {
  effects.unpatched = patches.unpatched.mean();
  effects.partner = patches.other.mean();
  MeansOfTexts& way = effects.ways.emplace_back();
  for (const PatchedPlace& place : patches.places) {
    effects.places.push_back({place.layer, is_by_position(patches.part) ? static_cast<int>(place.position) : place.head});
    effects.shares.push_back(place.recovered());
    way.means.push_back(place.change.mean());
    way.errors.push_back(place.change.standard_error());
    way.counts.push_back(place.change.count);
  }
}

}  // namespace

std::shared_ptr<const EffectsOfTexts> effects_over_texts(const StoredStudy& stored) {
  const std::optional<EffectJob> job = effect_job_of(stored.manifest);
  if (!job) return nullptr;
  const CorpusStudy& study = stored.study;
  EffectsOfTexts effects{.file = stored.manifest.corpus,
                         .texts = study.texts(),
                         .left_out = study.counts.bad,
                         .is_finished = study.part.is_complete && study.part.count == 1,
                         .target = job->target,
                         .part = job->part};
  if (job->part) {
    add_patches(effects, *patch_study_of(stored));
  } else {
    effects.places = study.heads();
    for (std::size_t number = 0; number < job->methods.size(); ++number)
      effects.ways.push_back(means_of(study, number, job->methods[number]));
  }
  return std::make_shared<const EffectsOfTexts>(std::move(effects));
}

ComparedEffects compared_over_texts(const EffectsOfTexts& effects, const std::vector<EffectMethod>& methods) {
  std::vector<HeadEffects> found;
  for (const EffectMethod method : methods) {
    if (const MeansOfTexts* const way = effects.find(method)) found.push_back(effects.effects_of(*way));
  }
  return compared(std::move(found));
}

}  // namespace headlight
