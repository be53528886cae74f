#include <fmt/core.h>

#include "engine/figure/figure_notes.h"
#include "engine/figure/inside/inside_figure.h"
#include "engine/figure/stage.h"

namespace headlight {

InsideFigureRequest describe_inside(const Snapshot& snapshot, HeadId head) {
  InsideFigureRequest request;
  const LayerPlace place = snapshot.model->config.place(head.layer);
  request.head_name = place.stack == Stack::only ? fmt::format("{}.{}", place.number, head.head)
                                                 : fmt::format("{} {}.{}", name_of(place.stack), place.number, head.head);
  request.divisor = scale_label(snapshot, head);
  request.mask_text = mask_of_head(snapshot, head);
  return request;
}

}  // namespace headlight
