#include "engine/studies/importance/prune.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "engine/core/error.h"
#include "engine/studies/study_run.h"

namespace headlight {
namespace {

/// One set of texts under one target, with any heads removed.
class Pruning {
 public:
  Pruning(const std::shared_ptr<const Model>& model, const Query& query, const Target& target, const PruneSettings& settings,
          const std::vector<TokenStage>& texts, ThreadPool& pool, Progress& progress)
      : model_(model), query_(query), target_(target), settings_(settings), texts_(texts), pool_(pool), progress_(progress) {}

  std::vector<HeadId> heads() { return heads_of(plan({}).run()); }

  /// The mean of the target.
  double value(const std::vector<HeadId>& removed) {
    step();
    const EffectPlan now = plan(removed);
    std::vector<std::optional<double>> found(texts_.size());
    std::vector<std::string> problems(texts_.size());
    pool_.for_each(std::ssize(texts_), [&](Index at) {
      ThreadPool alone(1);
      const auto place = static_cast<std::size_t>(at);
      const TextEffects text(now, texts_[place], alone, progress_);
      problems[place] = text.problem();
      if (text.problem().empty()) found[place] = text.unchanged();
    });
    double sum = 0;
    int count = 0;
    for (const std::optional<double>& each : found) {
      if (!each) continue;
      sum += *each;
      ++count;
    }
    if (count == 0) refuse(problems);
    return sum / count;
  }

  /// Of every head beside the removed ones.
  const std::map<HeadId, double>& importances(const std::vector<HeadId>& removed) {
    if (measured_ && *measured_ == removed) return importances_;
    step();
    const EffectPlan now = plan(removed);
    std::vector<std::vector<HeadValues>> found(texts_.size());
    pool_.for_each(std::ssize(texts_), [&](Index at) {
      ThreadPool alone(1);
      const auto place = static_cast<std::size_t>(at);
      const TextEffects text(now, texts_[place], alone, progress_);
      if (text.problem().empty()) found[place] = measure_effects(now, {settings_.by}, nullptr, texts_[place], alone, progress_);
    });
    importances_.clear();
    for (const std::vector<HeadValues>& text : found) {
      for (const HeadValues& head : text) importances_[head.head] += head.values.front() / static_cast<double>(texts_.size());
    }
    const bool is_signed = target_.kind == TargetKind::loss;
    for (auto& [head, value] : importances_) value = is_signed ? value : std::abs(value);
    measured_ = removed;
    return importances_;
  }

 private:
  /// Why no text has a value: that of the one text, or of the first of many.
  [[noreturn]] void refuse(const std::vector<std::string>& problems) const {
    if (problems.size() == 1) throw Error({.kind = ErrorKind::input, .field = "target", .problem = problems.front()});
    throw Error({.kind = ErrorKind::input,
                 .field = "target",
                 .problem = "it has a value in none of the texts",
                 .found = to_text(target_),
                 .hint = problems.empty() ? "" : "The first: " + problems.front()});
  }

  EffectPlan plan(const std::vector<HeadId>& removed) {
    Query query = query_;  // the last edit counts: what others put into a removed head does not act
    if (!removed.empty()) query.interventions.push_back({.kind = InterventionKind::off, .heads = removed});
    return {model_, query, target_, others_, pool_, progress_};
  }

  void step() {
    const double all = 2.0 * static_cast<double>(model_->config.layers * model_->config.heads.count);
    progress_.step(std::min(1.0, ++steps_ / all), "switching heads off");
  }

  const std::shared_ptr<const Model>& model_;
  const Query& query_;
  const Target& target_;
  const PruneSettings& settings_;
  const std::vector<TokenStage>& texts_;
  ThreadPool& pool_;
  Progress& progress_;
  int steps_ = 0;
  OtherRuns others_;                             // of texts that edits take from
  std::optional<std::vector<HeadId>> measured_;  // what importances_ are beside
  std::map<HeadId, double> importances_;
};

}  // namespace

PrunedHeads prune_heads(const std::shared_ptr<const Model>& model, const Query& query, const Target& target, const PruneSettings& settings,
                        const std::vector<TokenStage>& texts, ThreadPool& pool, Progress& progress) {
  if (effect_row(settings.by).needs_other_texts) {
    throw Error({.kind = ErrorKind::usage,
                 .field = "by",
                 .problem = "heads are ranked by what needs no other texts",
                 .found = std::string(effect_row(settings.by).measure.id),
                 .expected = "zero or gate"});
  }
  if (target_row(target.kind).needs_unedited) {
    throw Error({.kind = ErrorKind::usage,
                 .field = "target",
                 .problem = "it compares each run with itself unedited, so removed heads would change nothing",
                 .found = to_text(target),
                 .expected = "loss, logit, prob or all-right"});
  }
  Pruning pruning(model, query, target, settings, texts, pool, progress);
  const std::vector<HeadId> heads = pruning.heads();
  const auto value = [&](const std::vector<HeadId>& removed) { return pruning.value(removed); };
  PrunedHeads pruned{.whole = pruning.value({}), .curve = {}};
  if (settings.is_exact) {
    const auto importance = [&](const std::vector<HeadId>& removed, HeadId head) { return pruning.importances(removed).at(head); };
    pruned.curve = exact_pruning_curve(heads, settings.kept_per_layer, importance, value);
    return pruned;
  }
  std::vector<double> importance;
  for (const HeadId head : heads) importance.push_back(pruning.importances({}).at(head));
  pruned.curve = pruning_curve(removal_order(heads, importance, settings.kept_per_layer), value);
  return pruned;
}

}  // namespace headlight
