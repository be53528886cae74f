#include "app/work/effects/pruning.h"

#include <utility>

namespace headlight {

StudyStep<PruningFound> prune_step(const PruningRequest& request, const std::shared_ptr<const PruningFound>& so_far, StepContext& context) {
  constexpr double kOnceTakes = 0.2;  // of both: a guess for the progress bar
  PruningFound found;
  if (so_far) found = *so_far;
  found.request = request;
  const PassingRun passing(request.run->model, unedited_query(request.run->query));
  const std::vector<TokenStage> texts{passing.tokens_of(request.run->query)};
  PartProgress part(context.progress, so_far ? kOnceTakes : 0, so_far ? 1 : kOnceTakes);
  const PruneSettings settings{.by = request.by, .is_exact = so_far != nullptr, .kept_per_layer = 1};
  PrunedHeads pruned = prune_heads(request.run->model, request.run->query, request.target, settings, texts, context.pool, part);
  found.curves.whole = pruned.whole;
  found.is_complete = so_far != nullptr;
  (so_far ? found.curves.anew : found.curves.once) = std::move(pruned.curve);
  const double done = so_far ? 1 : kOnceTakes;
  return {std::make_shared<const PruningFound>(std::move(found)), done};
}

}  // namespace headlight
