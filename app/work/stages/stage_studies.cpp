#include "app/work/stages/stage_studies.h"

#include <utility>

namespace headlight {
namespace {

/// A layer a step, so that what is done can be seen.
StudyStep<StagesFound> add_layer(const StagesRequest& request, const std::shared_ptr<const StagesFound>& so_far, StepContext& context) {
  StagesFound found{request, {request.stage, {}}};
  if (so_far) found.maps = so_far->maps;
  const double layers = request.run->layers();
  context.progress.step(static_cast<double>(found.maps.maps.size()) / layers, "weighing what keys add");
  add_staged_layer(*request.run, found.maps, context.pool, context.progress);
  const double done = static_cast<double>(found.maps.maps.size()) / layers;
  return {std::make_shared<const StagesFound>(std::move(found)), done};
}

}  // namespace

StageStudies::StageStudies(Worker& worker) : study_(worker.desk(), add_layer) {}

std::shared_ptr<const StagesFound> StageStudies::ask(const StagesRequest& request) {
  return study_.ask_so_far(request, [&](const StagesFound& found) { return found.request == request; });
}

}  // namespace headlight
