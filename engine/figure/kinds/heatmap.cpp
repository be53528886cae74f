// One head's map, at any stage.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "engine/figure/axes.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/kinds/map_page.h"
#include "engine/figure/pictures.h"

namespace headlight {
namespace {

/// " · framed: …": what the frames of a file mean, since nobody can point at them there.
std::string frames_text(const std::vector<MapFrame>& frames) {
  const auto has = [&](FrameKind kind) {
    return std::any_of(frames.begin(), frames.end(), [&](const MapFrame& frame) { return frame.kind == kind; });
  };
  std::string text;
  const auto add = [&](FrameKind kind, const char* what) {
    if (has(kind)) text += std::string(text.empty() ? "" : ", and ") + what;
  };
  add(FrameKind::drawn_map, "the map that was drawn for this head");
  add(FrameKind::relation, "relations that a reader sees in the text");
  add(FrameKind::asked, "the cells that all heads are ranked by");
  return text.empty() ? text : " · framed: " + text;
}

Scene make_heatmap(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  FreshMaps source(snapshot, shown_stage(request) != Stage::weights);
  const MapFigureRequest map = head_map(snapshot, request, source);
  const Snapshot& run = request.moment == Moment::before ? *request.baseline : snapshot;
  const std::string title = run.model->name + " · " + name_of_head(run, request.head) + moment_text(request.moment);
  const bool is_difference = request.moment == Moment::difference;
  const std::string stage = is_difference ? difference_notes(snapshot, request, map) : stage_text(run, request.head, request.stage);
  const bool has_keys = map.columns == MapColumns::keys;
  const std::string part = part_text(request, map.picture->rows(), map.picture->columns(), has_keys ? "keys" : "numbers");
  const std::string notes = notes_of(run, request.style, request.head) + frames_text(map.frames) + (part.empty() ? "" : " · " + part);
  const auto with_stage = [&](const std::string& rest) { return stage + (stage.empty() || rest.empty() ? "" : " · ") + rest; };
  const std::string kept = with_stage(badge_of(run, request.style, request.head));
  return make_map_page({title, sentence_of(run)}, {with_stage(notes), kept}, map, request, measure);
}

std::string heatmap_caption(const Snapshot&, const FigureRequest& request) {
  const bool has_frames = !request.frames.empty() && row_of(shown_stage(request)).columns == MapColumns::keys;
  const std::string frames =
      std::string(has_frames ? " and frames" : "") + (request.part == CellWindow{} ? "" : ", the part that is shown");
  if (request.moment == Moment::difference) return "now − before, with labels" + frames;
  return fmt::format("{}{}, with labels{}", request.moment == Moment::before ? "before: " : "", name_of(request.stage), frames);
}

ComparedHead head_before(const FigureRequest& request) {
  return {.head = request.head, .of = request.baseline, .subject = "before"};
}

/// A difference names both maps, and what is left follows them: a negative number is not a weight.
std::vector<ComparedHead> heatmap_heads(const Snapshot&, const FigureRequest& request) {
  if (request.moment == Moment::before) return {head_before(request)};
  if (request.moment == Moment::difference) return {{.head = request.head, .subject = "now"}, head_before(request)};
  return {{request.head}};
}

std::vector<std::int64_t> heatmap_axes(const Snapshot&, const FigureRequest& request) {
  return request.moment == Moment::difference ? std::vector<std::int64_t>{3} : std::vector<std::int64_t>{};
}

bool has_heatmap_difference(const FigureRequest& request) {
  return request.moment == Moment::difference;
}

/// Now − before, once both maps are there.
void subtract_before(MapFigureRequest& map, const FigureRequest& request, const std::shared_ptr<const HeadMaps>& now,
                     FigureSource& source) {
  const std::shared_ptr<const HeadMaps> before = source.maps(head_before(request));
  if (!now || !before) return;
  map.picture = source.difference({{.head = request.head}, now}, {head_before(request), before}, request.style);
  map.scale = scale_of_difference(request.style, *map.picture);
}

/// The labels of both runs along one axis: "cat / horse" where the words are not the same, now and before.
AxisLabels both_labels(const AxisLabels& now, const AxisLabels& before) {
  if (now == before || *now == *before || now->size() != before->size()) return now;
  std::vector<std::string> labels = *now;
  for (std::size_t token = 0; token < labels.size(); ++token) {
    if (labels[token] != (*before)[token]) labels[token] += " / " + (*before)[token];
  }
  return std::make_shared<const std::vector<std::string>>(std::move(labels));
}

}  // namespace

std::string moment_text(Moment moment) {
  switch (moment) {
    case Moment::now:
      return "";
    case Moment::before:
      return " · before";
    case Moment::difference:
      return " · now − before";
  }
  return "";
}

std::string difference_notes(const Snapshot& now, const FigureRequest& request, const MapFigureRequest& map) {
  if (request.moment != Moment::difference) return {};
  std::string notes;
  const auto add = [&](const std::string& note) { notes += (notes.empty() ? "" : " · ") + note; };
  const MapPicture& picture = *map.picture;
  const float farthest = picture.value(0, static_cast<float>(picture.rows()), 0, static_cast<float>(picture.columns()));
  if (picture.is_difference() && farthest == 0) add("Nothing changed: every weight is as before");
  const HeadId head = request.head;
  const int heads = now.heads(head.layer), heads_before = request.baseline->heads(head.layer);
  if (heads != heads_before) {
    add(fmt::format("head {0}.{1} of {2} − head {0}.{1} of {3}", head.layer, head.head, heads, heads_before));
  }
  const auto has_other_words = [&](const Encoding& is, const Encoding& was) { return &is != &was && is.tokens != was.tokens; };
  if (has_other_words(now.query_tokens(head.layer), request.baseline->query_tokens(head.layer)) ||
      has_other_words(now.key_tokens(head.layer), request.baseline->key_tokens(head.layer))) {
    add("the texts differ: word now / word before");
  }
  return notes;
}

MapFigureRequest head_map(const Snapshot& snapshot, const FigureRequest& request, FigureSource& source) {
  MapFigureRequest map;
  const ComparedHead head = request.moment == Moment::before ? head_before(request) : ComparedHead{.head = request.head};
  const Snapshot& run = run_of(head, snapshot);
  const std::shared_ptr<const HeadMaps> maps = source.maps(head);
  // Until the maps are made, every stage shows the small picture of the weights.
  const Stage stage = maps ? shown_stage(request) : Stage::weights;
  ShownMaps& shown = source.shown(head, request.style);
  map.picture = maps ? source.stage(head, maps, stage, request.style) : shown.small(head.head);
  map.scale = stage == Stage::weights ? shown.scale(head.head, map.picture.get()) : scale_of_stage(request.style, stage, *map.picture);
  map.has_bar = stage != Stage::mask;  // a mask has no values between 0 and 1
  if (request.moment == Moment::difference) subtract_before(map, request, maps, source);
  const int layer = request.head.layer;
  map.query_labels = source.labels(run, run.query_tokens(layer));
  map.titles = axis_titles(run, layer);
  map.second_queries = second_sentence(run.query_tokens(layer));
  map.theme = request.style.theme;
  map.columns = row_of(stage).columns;
  map.window = part_of(request, map.picture->rows(), map.picture->columns());
  const MarkedTokens marked = marked_in(request.marked, snapshot, run, layer);
  map.pinned_query = marked.query;
  if (map.columns == MapColumns::numbers) {  // frames are of keys
    map.key_labels = number_labels(map.picture->columns());
    map.titles.key = fmt::format("numbers of {}", row_of(stage).name);
    return map;
  }
  map.key_labels = source.labels(run, run.key_tokens(layer));
  if (request.moment == Moment::difference) {
    const Snapshot& before = *request.baseline;
    map.query_labels = both_labels(map.query_labels, source.labels(before, before.query_tokens(layer)));
    map.key_labels = both_labels(map.key_labels, source.labels(before, before.key_tokens(layer)));
  }
  map.second_keys = second_sentence(run.key_tokens(layer));
  map.pinned_key = marked.key;
  map.frames = request.frames;
  return map;
}

constexpr FigureKind kHeatmapFigure = {
    .name = "heatmap",
    .noun = "a heatmap",
    .what = "one head",
    .file_name = "head",
    .needs = {.has_head = true, .has_stage = true, .shows_part = true, .marks_tokens = true, .has_bar = true, .has_cells = true},
    .caption = heatmap_caption,
    .scene = make_heatmap,
    .numbers = {heatmap_heads, heatmap_axes, has_heatmap_difference},
};

}  // namespace headlight
