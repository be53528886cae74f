// One head's map, at any stage.
#include <fmt/core.h>

#include "engine/figure/axes.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/kinds/page.h"

namespace headlight {
namespace {

Scene make_heatmap(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  MapFigureRequest map;
  map.picture = make_stage_picture(snapshot.maps(request.head), request.stage);
  map.scale = scale_of_stage(snapshot, request.style, request.head, request.stage, *map.picture);
  map.has_bar = request.stage != Stage::mask;
  map.query_labels = axis_labels(snapshot, snapshot.query_tokens(request.head.layer));
  map.key_labels = axis_labels(snapshot, snapshot.key_tokens(request.head.layer));
  map.titles = axis_titles(snapshot, request.head.layer);
  map.theme = request.style.theme;
  const SizedMap placed = size_map(std::move(map), kLargestMap, measure);
  Page page(snapshot, request.style, snapshot.model->name + " · " + name_of_head(snapshot, request.head), placed.size().x, measure);
  page.add(draw_sized(placed, {kPageMargin, page.top()}, measure));
  page.move_down(placed.size().y);
  const std::string stage = stage_text(snapshot, request.head, request.stage);
  return page.finish(stage + (stage.empty() ? "" : " · ") + notes_of(snapshot, request.style, request.head));
}

std::string heatmap_caption(const Snapshot&, const FigureRequest& request) {
  return fmt::format("{}, with labels", name_of(request.stage));
}

std::vector<HeadId> heatmap_head(const Snapshot&, const FigureRequest& request) {
  return {request.head};
}

std::vector<std::int64_t> no_axes(const Snapshot&, const FigureRequest&) {
  return {};
}

}  // namespace

constexpr FigureKind kHeatmapFigure = {
    .name = "heatmap",
    .noun = "a heatmap",
    .what = "one head",
    .file_name = "head",
    .needs = {.has_head = true, .has_stage = true},
    .caption = heatmap_caption,
    .scene = make_heatmap,
    .numbers = {heatmap_head, no_axes},
};

}  // namespace headlight
