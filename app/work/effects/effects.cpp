#include "app/work/effects/effects.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/document/wording.h"
#include "engine/core/error.h"
#include "engine/figure/predictions/predictions.h"
#include "engine/studies/importance/text_effects.h"

namespace headlight {
namespace {

/// Places of the values that are numbers, the largest first; of equal ones the earlier.
std::vector<std::size_t> places_by_size(const std::vector<double>& values) {
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < values.size(); ++place) {
    if (std::isfinite(values[place])) places.push_back(place);
  }
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return std::abs(values[a]) > std::abs(values[b]); });
  return places;
}

TargetFound find_target(const TargetRequest& request, StepContext& context) {
  TargetFound found{request, {}, {}, {}};
  const Snapshot* const unedited = request.unedited.get();
  try {
    found.now = target_of(request.target, *request.run, unedited, context.pool, context.progress);
    if (unedited != nullptr && request.unedited != request.run) {
      found.before = target_of(request.target, *unedited, unedited, context.pool, context.progress);
    }
    found.logit = logit_of(request.target, *request.run);
  } catch (const Error& error) {  // a word that this model does not have: the document keeps it for those that do
    found.now = {std::nan(""), as_sentence(error.what())};
  }
  return found;
}

PartsFound find_parts(const PartsRequest& request, StepContext& context) {
  PartsFound found{request, attribute_logit(*request.run, request.question, context.pool, context.progress), {}};
  std::vector<double> values;
  for (const LogitPart& part : found.parts.parts) values.push_back(part.value);
  found.by_size = places_by_size(values);
  std::erase_if(found.by_size, [&](std::size_t place) {
    const PartKind kind = found.parts.parts[place].id.kind;
    return kind != PartKind::head && kind != PartKind::feed_forward;
  });
  return found;
}

SourcesFound find_sources(const SourcesRequest& request, StepContext& context) {
  const Snapshot& run = *request.logit.run;
  SourcesFound found{request, attribute_sources(run, request.logit.question, request.head, context.pool, context.progress), {}, {}};
  const HeadMaps maps = run.maps(request.head, context.progress);
  for (Index key = 0; key < maps.weights.cols(); ++key) found.weights.push_back(maps.weights(request.logit.question.position, key));
  found.by_size = places_by_size(found.adds);
  return found;
}

double effect_on(TextEffects& text, EffectMethod method, HeadId head) {
  return method == EffectMethod::gate ? text.gate_gradient(head) : text.gated(head, 0) - text.unchanged();
}

/// A layer a step, so that what is done can be seen. Each runs the text once more, which is little beside its heads.
StudyStep<SweepFound> sweep_layer(const SweepRequest& request, const std::shared_ptr<const SweepFound>& so_far, StepContext& context) {
  SweepFound found;
  if (so_far) found = *so_far;
  found.request = request;
  const int layers = request.run->layers();
  const int layer = found.heads.empty() ? 0 : found.heads.back().layer + 1;
  context.progress.step(static_cast<double>(layer) / layers, "changing each head alone");
  const EffectPlan plan(request.run->model, request.run->query, request.target);
  TextEffects text(plan, plan.run().tokens_of(request.run->query), context.pool, context.progress);
  found.problem = text.problem();
  if (!found.problem.empty()) return {std::make_shared<const SweepFound>(std::move(found))};
  found.unchanged = text.unchanged();
  const int heads = request.run->heads(layer);
  for (int head = 0; head < heads; ++head) {
    context.progress.step((layer + static_cast<double>(head) / heads) / layers, "changing each head alone");
    found.heads.push_back({layer, head});
    found.values.push_back(effect_on(text, request.method, {layer, head}));
  }
  found.by_size = places_by_size(found.values);
  const double done = static_cast<double>(layer + 1) / layers;
  return {std::make_shared<const SweepFound>(std::move(found)), done};
}

LensFound find_lens(const LensRequest& request, StepContext& context) {
  constexpr std::size_t kListed = 5;
  LensFound found;
  found.request = request;
  found.layers = read_lens(*request.run, {request.position, 1, kListed}, context.pool, context.progress);
  if (!request.followed.empty()) {
    found.followed = follow_tokens(*request.run, request.position, request.followed, context.pool, context.progress);
  }
  for (const LensLayer& layer : found.layers) {
    std::vector<std::string>& labels = found.labels.emplace_back();
    for (const LikelyToken& likely : layer.predictions.front().likeliest) {
      labels.push_back(vocabulary_label(*request.run->model->tokenizer, likely.id));
    }
  }
  return found;
}

}  // namespace

std::optional<double> TargetFound::change() const {
  if (!before || !std::isfinite(before->value) || !std::isfinite(now.value)) return std::nullopt;
  return now.value - before->value;
}

Effects::Effects(Worker& worker)
    : target_(worker.desk(), find_target),
      parts_(worker.desk(), find_parts),
      sources_(worker.desk(), find_sources),
      sweep_(worker.desk(), sweep_layer),
      lens_(worker.desk(), find_lens) {}

std::shared_ptr<const TargetFound> Effects::target(const TargetRequest& request) {
  const std::shared_ptr<const TargetFound> found = target_.ask(request);
  return found && found->request == request ? found : nullptr;
}

std::shared_ptr<const SweepFound> Effects::sweep(const SweepRequest& request) {
  const std::shared_ptr<const SweepFound> found = sweep_.ask(request), partial = sweep_.partial();
  for (const auto& each : {partial, found}) {
    if (each && each->request == request) return each;
  }
  return nullptr;
}

void Effects::rest() {
  if (parts_.asked()) parts_.let_go();
  if (sources_.asked()) sources_.let_go();
  if (sweep_.asked()) sweep_.let_go();
  if (lens_.asked()) lens_.let_go();
}

std::optional<LogitQuestion> logit_of(const Target& target, const Snapshot& run) {
  if (target.kind != TargetKind::logit && target.kind != TargetKind::prob) return std::nullopt;
  const Watched watched = watch_text(target, {*run.model, predicted_text(run).tokens});
  if (!watched.problem.empty() || watched.rows.empty()) return std::nullopt;
  LogitQuestion question{watched.rows.front(), watched.token, {}};
  if (watched.other >= 0) question.against = watched.other;
  return question;
}

}  // namespace headlight
