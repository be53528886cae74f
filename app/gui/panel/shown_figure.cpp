#include "app/gui/panel/shown_figure.h"

#include <algorithm>

#include "app/document/subjects.h"
#include "app/gui/panel/relations.h"
#include "app/gui/panel/wish_here.h"
#include "engine/figure/pictures.h"

namespace headlight {

ComparedPair chosen_pair(const Panel& panel) {
  const ViewState& view = panel.view;
  const int pins = static_cast<int>(panel.draft.pins.size());
  const auto is_pin = [&](int place) { return place >= 0 && place < pins; };
  if (!is_pin(view.compare_left) || !is_pin(view.compare_right)) return {};
  return {static_cast<std::size_t>(view.compare_left), static_cast<std::size_t>(view.compare_right)};
}

std::vector<MapFrame> frames_here(const Panel& panel) {
  std::vector<MapFrame> frames;
  if (panel.view.paints_wish) frames = wish_here(panel).frames;
  for (const ShownRelation& shown : shown_relations(panel)) frames.push_back(frame_of(shown));
  return frames;
}

FigureRequest shown_figure(const Panel& panel, const FigureKind& kind) {
  FigureRequest request;
  request.kind = &kind;
  request.head = panel.view.head;
  const bool is_head_shown = panel.view.view == View::head;
  if (kind.needs.has_stage && is_head_shown) request.stage = panel.view.stage;
  if (kind.needs.has_head && is_head_shown) request.frames = frames_here(panel);
  request.heads = compared(pins_of(panel.draft, panel.draft.focused));
  if (request.heads.size() >= 2) request.difference = chosen_pair(panel);
  request.has_own_scales = !panel.view.has_shared_scale;
  request.style = panel.draft.style;
  return request;
}

std::shared_ptr<const HeadMaps> KeptMaps::maps(const ComparedHead& head) {
  return panel_.context.session.worker().maps(head.of ? head.of : panel_.snapshot, head.head);
}

std::shared_ptr<const MapPicture> KeptMaps::small_picture(const ComparedHead& head) {
  return head.of ? picture_of_summary(*head.of, head.head) : panel_.view.pictures.summary(head.head);
}

std::shared_ptr<const MapPicture> KeptMaps::stage(const std::shared_ptr<const HeadMaps>& maps, Stage stage) {
  return panel_.view.pictures.stage(maps, stage);
}

std::shared_ptr<const MapPicture> KeptMaps::difference(const std::shared_ptr<const HeadMaps>& a, const std::shared_ptr<const HeadMaps>& b) {
  return panel_.view.pictures.difference(a, b);
}

AxisLabels KeptMaps::labels(const Snapshot& snapshot, const Encoding& encoding) {
  return &snapshot == panel_.snapshot.get() ? panel_.view.pictures.labels(encoding) : axis_labels(snapshot, encoding);
}

}  // namespace headlight
