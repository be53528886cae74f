#include "app/work/effects/effects.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/document/wording.h"
#include "engine/core/error.h"
#include "engine/core/numbers.h"
#include "engine/figure/predictions/predictions.h"

namespace headlight {
namespace {

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
  return {request, attribute_logit(*request.run, request.question, context.pool, context.progress)};
}

SourcesFound find_sources(const SourcesRequest& request, StepContext& context) {
  SourceParts parts = attribute_sources(*request.logit.run, request.logit.question, request.head, context.pool, context.progress);
  return {request, std::move(parts.adds), std::move(parts.weights)};
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

CellFound find_cell(const CellRequest& request, StepContext& context) {
  CellFound found;
  found.request = request;
  found.parts = explain_cell(*request.run, request.head, request.query, request.key, context.pool, context.progress);
  const CellParts& cell = found.parts;
  const DoubleRow by_query = cell.by_query(), by_key = cell.by_key();
  found.of_query.assign(by_query.begin(), by_query.end());
  found.of_key.assign(by_key.begin(), by_key.end());
  found.query_by_size = places_by_size(found.of_query);
  found.key_by_size = places_by_size(found.of_key);
  const auto columns = static_cast<std::size_t>(cell.table.cols());
  for (const std::size_t place : places_by_size({cell.table.data(), cell.table.data() + cell.table.size()})) {
    if (found.pairs_by_size.size() == kListedPairs) break;
    found.pairs_by_size.emplace_back(place / columns, place % columns);
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
      sweep_(worker.desk(), Study<SweepRequest, SweepFound>::Work(SweepSteps())),
      pruning_(worker.desk(), Study<PruningRequest, PruningFound>::Work(prune_step)),
      lens_(worker.desk(), find_lens),
      cell_(worker.desk(), find_cell) {}

std::shared_ptr<const TargetFound> Effects::target(const TargetRequest& request) {
  const std::shared_ptr<const TargetFound> found = target_.ask(request);
  return found && found->request == request ? found : nullptr;
}

std::shared_ptr<const SweepFound> Effects::sweep(SweepRequest request) {
  request.before = known_sweep();
  return sweep_.ask_so_far(request, [&](const SweepFound& found) { return found.request == request; });
}

std::shared_ptr<const PruningFound> Effects::pruning(const PruningRequest& request) {
  return pruning_.ask_so_far(request, [&](const PruningFound& found) { return found.request == request; });
}

void Effects::rest() {
  if (pruning_.asked()) pruning_.let_go();
  if (parts_.asked()) parts_.let_go();
  if (sources_.asked()) sources_.let_go();
  if (lens_.asked()) lens_.let_go();
}

}  // namespace headlight
