#include "engine/studies/importance/patch_study.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

}  // namespace

std::optional<PatchedPart> patched_part_of(const StudyManifest& manifest) {
  return manifest.measures.empty() ? std::nullopt : patched_part(manifest.measures[kPatchChange]);
}

bool PatchedPositions::advance(const PassingRun& run, Progress& progress) {
  constexpr int kAtOnce = 64;
  progress.step(static_cast<double>(pairs_->position()) / static_cast<double>(std::max<std::uint64_t>(1, pairs_->size())),
                "counting the positions of the texts");
  CorpusText text;
  for (int pair = 0; pair < kAtOnce; ++pair) {
    if (!pairs_->next(text)) return false;
    if (text.is_blank() || !text.problem.empty()) continue;
    try {
      const Index tokens = std::ssize(run.tokens_of(text.asked_by(query_)).encoding->tokens);
      const bool may_count = tokens > most_ && tokens <= longest_;
      if (may_count && std::ssize(run.tokens_of(text.partner->asked_by(query_)).encoding->tokens) == tokens) most_ = tokens;
    } catch (const Error&) {  // the study itself says which line and why
      continue;
    }
  }
  return true;
}

std::vector<HeadId> patched_places(const EffectPlan& plan, PatchedPart part, Index positions) {
  std::vector<HeadId> places;
  for (int layer = 0; layer < plan.model().config.layers; ++layer) {
    const int here = is_by_position(part) ? static_cast<int>(positions) : plan.run().heads(layer);
    for (int place = 0; place < here; ++place) places.push_back({layer, place});
  }
  return places;
}

std::vector<HeadValues> measure_patches(const EffectPlan& plan, PatchedPart part, Index positions, const TokenStage& tokens,
                                        const TokenStage& partner, ThreadPool& pool, const Watch& watch) {
  PatchRuns runs(plan, tokens, partner, part, pool, watch);
  std::vector<HeadValues> found;
  for (const HeadId& place : patched_places(plan, part, positions)) {
    watch.check();
    HeadValues& values = found.emplace_back();
    values.head = place;
    values.values = {kNoNumber, kNoNumber, kNoNumber};
    values.cells = {{.query = is_by_position(part) ? static_cast<Index>(place.head) : runs.watched_position()}};  // of the change alone
    if (place.head >= runs.places(place.layer)) continue;
    values.values[kPatchChange] = runs.at(place.layer, place.head).value - runs.unpatched();
    values.values[kPatchUnpatched] = runs.unpatched();
    values.values[kPatchPartner] = runs.other();
  }
  return found;
}

double PatchedPlace::recovered() const {
  return partner.sum == unpatched.sum ? kNoNumber : change.mean() / (partner.mean() - unpatched.mean());
}

std::optional<PatchStudy> patch_study_of(const StoredStudy& stored) {
  const std::optional<PatchedPart> part = patched_part_of(stored.manifest);
  if (!part) return std::nullopt;
  PatchStudy found{.part = *part, .texts = stored.study.texts(), .unpatched = {}, .other = {}, .places = {}, .skipped = {}};
  found.skipped = stored.study.bad_lines();
  const std::vector<HeadId>& places = stored.study.heads();
  for (std::size_t at = 0; at < places.size(); ++at) {
    const auto sum = [&](std::size_t number) { return stored.study.sum_of_all_lengths(at, number); };
    PatchedPlace place{
        .layer = places[at].layer, .change = sum(kPatchChange), .unpatched = sum(kPatchUnpatched), .partner = sum(kPatchPartner)};
    if (place.change.count == 0) continue;
    if (is_by_position(*part)) {
      place.position = places[at].head;
    } else {
      place.head = places[at].head;
    }
    if (found.places.empty()) {  // the first layer, at the first position, which every text reaches
      found.unpatched = place.unpatched;
      found.other = place.partner;
    }
    found.places.push_back(place);
  }
  return found;
}

bool is_by_position(const StudyManifest& manifest) {
  const std::optional<PatchedPart> part = patched_part_of(manifest);
  return part && is_by_position(*part);
}

}  // namespace headlight
