// One head's map, at any stage.
#include <fmt/core.h>

#include <algorithm>

#include "engine/figure/axes.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/kinds/page.h"

namespace headlight {
namespace {

/// " · framed: …": what the frames of a file mean, which no one can point at.
std::string frames_text(const std::vector<MapFrame>& frames) {
  const auto has = [&](FrameKind kind) {
    return std::any_of(frames.begin(), frames.end(), [&](const MapFrame& frame) { return frame.kind == kind; });
  };
  std::string text;
  if (has(FrameKind::wish)) text = "the map that was drawn for this head";
  if (has(FrameKind::relation)) text += std::string(text.empty() ? "" : ", and ") + "relations that a reader sees in the text";
  return text.empty() ? text : " · framed: " + text;
}

Scene make_heatmap(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  FreshMaps source(snapshot);
  const SizedMap placed = size_map(head_map(snapshot, request, source), kLargestMap, measure);
  const std::string title = snapshot.model->name + " · " + name_of_head(snapshot, request.head);
  Page page(title, sentence_of(snapshot), request.style, placed.size().x, measure);
  page.add(draw_sized(placed, {kPageMargin, page.top()}, measure).scene);
  page.move_down(placed.size().y);
  const std::string stage = stage_text(snapshot, request.head, request.stage);
  const std::string notes = notes_of(snapshot, request.style, request.head) + frames_text(request.frames);
  return page.finish(stage + (stage.empty() ? "" : " · ") + notes);
}

std::string heatmap_caption(const Snapshot&, const FigureRequest& request) {
  return fmt::format("{}, with labels{}", name_of(request.stage), request.frames.empty() ? "" : " and frames");
}

std::vector<ComparedHead> heatmap_head(const Snapshot&, const FigureRequest& request) {
  return {{request.head}};
}

std::vector<std::int64_t> no_axes(const Snapshot&, const FigureRequest&) {
  return {};
}

}  // namespace

MapFigureRequest head_map(const Snapshot& snapshot, const FigureRequest& request, FigureSource& source) {
  MapFigureRequest map;
  const std::shared_ptr<const HeadMaps> maps = source.maps({request.head});
  // Until the maps are made the small picture of the weights stands for every stage.
  const Stage stage = maps ? request.stage : Stage::weights;
  map.picture = maps ? source.stage(maps, stage) : source.small_picture({request.head});
  map.scale = scale_of_stage(snapshot, request.style, request.head, stage, *map.picture);
  map.has_bar = stage != Stage::mask;  // there are no numbers between may and may not
  const int layer = request.head.layer;
  map.query_labels = source.labels(snapshot, snapshot.query_tokens(layer));
  map.key_labels = source.labels(snapshot, snapshot.key_tokens(layer));
  map.titles = axis_titles(snapshot, layer);
  map.frames = request.frames;
  map.theme = request.style.theme;
  return map;
}

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
