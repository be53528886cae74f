#include "engine/figure/figure_source.h"

#include "engine/figure/pictures.h"

namespace headlight {

std::vector<ComparedHead> compared(std::span<const HeadId> heads) {
  std::vector<ComparedHead> result;
  for (const HeadId head : heads) result.push_back({head});
  return result;
}

std::shared_ptr<const HeadMaps> FreshMaps::maps(const ComparedHead& head) {
  return std::make_shared<const HeadMaps>(run_of(head, own_).maps(head.head));
}

std::shared_ptr<const MapPicture> FreshMaps::small_picture(const ComparedHead& head) {
  return picture_of_summary(run_of(head, own_), head.head);
}

std::shared_ptr<const MapPicture> FreshMaps::stage(const std::shared_ptr<const HeadMaps>& maps, Stage stage) {
  return make_stage_picture(*maps, stage);
}

std::shared_ptr<const MapPicture> FreshMaps::difference(const std::shared_ptr<const HeadMaps>& a,
                                                        const std::shared_ptr<const HeadMaps>& b) {
  return picture_of_difference(*a, *b);
}

AxisLabels FreshMaps::labels(const Snapshot& snapshot, const Encoding& encoding) {
  return axis_labels(snapshot, encoding);
}

}  // namespace headlight
