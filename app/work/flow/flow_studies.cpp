#include "app/work/flow/flow_studies.h"

#include <utility>

#include "engine/core/memory_limit.h"

namespace headlight {

FlowStudies::FlowStudies(Worker& worker)
    : maps_(worker.desk(),
            [](const MapRequest& request, StepContext& context) {
              const Snapshot& snapshot = *request.snapshot;
              const int layer = request.heads.front().layer;
              require_memory(flow_bytes(snapshot.queries(layer), snapshot.keys(layer), request.heads.size(), request.settings),
                             allowed_memory(),
                             {.problem = "the text is too long for these maps to become one", .hint = "Type a shorter text."});
              return FlowFound{
                  request.snapshot, request.heads, request.settings,
                  std::make_shared<const FlowMap>(make_flow(snapshot.trace, request.heads, request.settings, context.progress))};
            }),
      pictures_(worker.desk(), [](const PictureRequest& request, StepContext&) {
        const FlowFound& found = *request.found;
        Style style;
        style.hidden = request.hidden;
        style.hiding = request.hiding;
        return FlowPicture{request.found, picture_of_derived(*found.snapshot, style, found.heads.front().layer, found.map->values,
                                                             found.map->mask, has_weight_rows(found.settings.reduction))};
      }) {}

std::shared_ptr<const FlowPicture> FlowStudies::ask(const std::shared_ptr<const Snapshot>& snapshot, const std::vector<HeadId>& heads,
                                                    const FlowSettings& settings, const Style& style) {
  const std::shared_ptr<const FlowFound> found = maps_.ask({snapshot, heads, settings});
  return found ? pictures_.ask({found, style.hidden, style.hiding}) : pictures_.result();
}

void FlowStudies::rest() {
  if (maps_.asked()) maps_.let_go();
  if (pictures_.asked()) pictures_.let_go();
}

}  // namespace headlight
