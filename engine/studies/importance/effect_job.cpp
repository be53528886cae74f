#include "engine/studies/importance/effect_job.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "engine/core/error.h"
#include "engine/studies/importance/ranking.h"
#include "engine/studies/study_run.h"

namespace headlight {
namespace {

constexpr std::string_view kSeed = " seed ";

}  // namespace

bool EffectJob::needs_other_texts() const {
  return std::any_of(methods.begin(), methods.end(), [](EffectMethod method) { return effect_row(method).needs_other_texts; });
}

StudySettings EffectJob::settings(Index longest) const {
  StudySettings settings{.requests = {}, .nulls = {}, .length_edges = {}, .top = top, .longest = longest};
  if (part) {
    for (const std::string_view id : patch_measures(*part)) settings.requests.push_back(study_request(id, "--part"));
    return settings;
  }
  for (const EffectMethod method : methods) settings.requests.push_back(study_request(effect_row(method).measure.id, "--method"));
  return settings;
}

std::string EffectJob::target_text() const {
  const bool has_seed = std::find(methods.begin(), methods.end(), EffectMethod::resample) != methods.end();
  return to_text(target) + (has_seed ? fmt::format("{}{}", kSeed, seed) : "");
}

std::optional<EffectJob> effect_job_of(const StudyManifest& manifest) {
  if (manifest.target.empty()) return std::nullopt;
  EffectJob job;
  job.part = patched_part_of(manifest);
  job.top = manifest.top;
  if (!job.part) {
    for (const std::string& id : manifest.measures) {
      const EffectRow* const row = find_effect(id);
      if (row == nullptr) return std::nullopt;
      job.methods.push_back(row->method);
    }
  }
  std::string target = manifest.target;
  const bool has_seed = std::find(job.methods.begin(), job.methods.end(), EffectMethod::resample) != job.methods.end();
  if (const std::size_t at = target.rfind(kSeed); has_seed && at != std::string::npos) {
    const char* const digits = target.data() + at + kSeed.size();
    std::from_chars(digits, target.data() + target.size(), job.seed);
    target.resize(at);
  }
  try {
    job.target = parse_target(target);
  } catch (const Error&) {
    return std::nullopt;
  }
  return job.methods.empty() && !job.part ? std::nullopt : std::optional(std::move(job));
}

EffectMeasurer::EffectMeasurer(const std::shared_ptr<const Model>& model, const Query& query, EffectJob job, ThreadPool& pool,
                               Progress& progress)
    : query_(query), job_(std::move(job)), plan_(model, query, job_.target, runs_, pool, progress) {
  if (job_.part) check_patches(plan_, *job_.part);
}

std::vector<HeadId> EffectMeasurer::places() const {
  return job_.part ? patched_places(plan_, *job_.part, positions_) : heads_of(plan_.run());
}

std::vector<HeadValues> EffectMeasurer::measure(const CorpusText& text, const TokenStage& tokens, ThreadPool& pool,
                                                const Watch& watch) const {
  if (!job_.part) return measure_effects(plan_, job_.methods, &others_, tokens, pool, watch);
  return measure_patches(plan_, *job_.part, positions_, tokens, plan_.run().tokens_of(text.partner->asked_by(query_)), pool, watch);
}

std::vector<RankAgreement> rank_agreements(const std::vector<std::vector<double>>& values) {
  std::vector<std::vector<double>> ranks;
  for (std::vector<double> method : values) {
    for (double& value : method) value = std::abs(value);
    ranks.push_back(ranks_of(method));
  }
  std::vector<RankAgreement> agreements;
  for (std::size_t a = 0; a < ranks.size(); ++a) {
    for (std::size_t b = a + 1; b < ranks.size(); ++b) agreements.push_back({a, b, correlation_of_ranks(ranks[a], ranks[b])});
  }
  return agreements;
}

ComparedEffects compared(std::vector<HeadEffects> methods) {
  std::vector<std::vector<double>> values;
  for (const HeadEffects& each : methods) values.push_back(each.values);
  return {std::move(methods), rank_agreements(values)};
}

ComparedEffects compare_effects(const EffectPlan& plan, const std::vector<EffectMethod>& methods, const TokenStage& tokens,
                                ThreadPool& pool, Progress& progress, const OtherTexts* others) {
  std::vector<HeadEffects> found;
  for (const EffectMethod method : methods) {
    found.push_back(effects_of_heads(plan, method, tokens, pool, progress, others));
    if (!found.back().problem.empty()) return {std::move(found), {}};
  }
  return compared(std::move(found));
}

}  // namespace headlight
