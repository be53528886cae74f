#include "app/work/links/link_studies.h"

#include <utility>

namespace headlight {

LinkStudies::LinkStudies(Worker& worker)
    : maps_(worker.desk(),
            [](const MapsRequest& request, StepContext& context) {
              const std::shared_ptr<const MapsFound> found = request.before.lock();
              const LinkMaps* before = found ? found->maps.get() : nullptr;
              return MapsFound{request.snapshot, std::make_shared<const LinkMaps>(make_link_maps(*request.snapshot, request.heads,
                                                                                                 request.style, before, context.progress))};
            }),
      lines_(worker.desk(), [](const LinesRequest& request, StepContext& context) {
        const auto& [snapshot, maps] = *request.found;
        LinkLines lines = choose_lines(maps, link_texts(*snapshot, maps->heads.front().head.layer), request.filter, context.progress);
        return LinksFound{snapshot, std::make_shared<const LinkLines>(std::move(lines))};
      }) {}

std::shared_ptr<const LinksFound> LinkStudies::ask(const std::shared_ptr<const Snapshot>& snapshot, const std::vector<HeadId>& heads,
                                                   const LinkFilter& filter, const Style& style) {
  const std::shared_ptr<const MapsFound> maps = maps_.ask({snapshot, heads, style, maps_.result()});
  return maps ? lines_.ask({maps, filter}) : lines_.result();
}

void LinkStudies::rest() {
  if (maps_.asked()) maps_.let_go();
  if (lines_.asked()) lines_.let_go();
}

}  // namespace headlight
