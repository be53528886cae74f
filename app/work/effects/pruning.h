// Heads of one text switched off one after another, least important first: once by an order that is found at the beginning, and once by one
// that is found anew after each step.
#pragma once

#include <memory>
#include <vector>

#include "app/work/compute/desk.h"
#include "engine/snapshot.h"
#include "engine/studies/importance/prune.h"

namespace headlight {

struct PruningRequest {
  std::shared_ptr<const Snapshot> run;
  Target target;
  EffectMethod by = EffectMethod::zero;  ///< what importance is: zero or gate
  bool operator==(const PruningRequest&) const = default;
};
struct PruningFound {
  PruningRequest request;
  PruningCurves curves;  ///< empty ones: not computed yet, or each layer has one head, which stays
  bool is_complete = false;
};

/// One-shot first, and then exact. One head of each layer stays.
StudyStep<PruningFound> prune_step(const PruningRequest& request, const std::shared_ptr<const PruningFound>& so_far, StepContext& context);

}  // namespace headlight
