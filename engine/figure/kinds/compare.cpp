// Maps of named heads side by side on one scale, then A − B where there are two.
#include <fmt/core.h>

#include <algorithm>

#include "engine/figure/axes.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/kinds/page.h"
#include "engine/figure/pictures.h"

namespace headlight {
namespace {

constexpr float kLargestPanel = 360;
constexpr float kPanelGap = 32;
constexpr std::size_t kPanelsPerLine = 3;

/// One map of a comparison.
struct Panel {
  std::string letter, caption;
  SizedMap map;
  float caption_x = 0;  // from the panel's left
  float width = 0;
};

bool is_same_size(const HeadMaps& a, const HeadMaps& b) {
  return a.weights.rows() == b.weights.rows() && a.weights.cols() == b.weights.cols();
}

std::vector<Panel> make_panels(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  std::vector<HeadMaps> maps;
  MapFigureRequest common;
  common.theme = request.style.theme;
  for (const HeadId head : request.heads) {
    maps.push_back(snapshot.maps(head));
    const ColourScale scale = scale_of_head(snapshot, request.style, head);
    if (maps.size() == 1 || scale.high > common.scale.high) common.scale = scale;
  }
  std::vector<Panel> panels;
  const Encoding* queries_at_left = nullptr;
  const auto add = [&](std::string letter, std::string caption, int layer, MapFigureRequest map, bool has_bar) {
    const Encoding& queries = snapshot.query_tokens(layer);
    const bool begins_line = panels.size() % kPanelsPerLine == 0;
    if (begins_line || &queries != queries_at_left) map.query_labels = axis_labels(snapshot, queries);
    queries_at_left = &queries;
    map.key_labels = axis_labels(snapshot, snapshot.key_tokens(layer));
    map.titles = axis_titles(snapshot, layer);
    map.has_bar = has_bar;
    Panel panel{std::move(letter), std::move(caption), size_map(std::move(map), kLargestPanel, measure), 0, 0};
    panel.caption_x = panel.map.placed.margins.left + measure(panel.letter, FontFace::ui_bold, kTitleSize) + 10;
    panel.width = std::max(panel.map.size().x, panel.caption_x + measure(panel.caption, FontFace::ui, kCaptionSize));
    panels.push_back(std::move(panel));
  };
  for (std::size_t i = 0; i < maps.size(); ++i) {
    MapFigureRequest map = common;
    map.picture = picture_of_maps(maps[i]);
    const HeadId head = request.heads[i];
    add(i < 26 ? std::string(1, static_cast<char>('A' + i)) : std::to_string(i + 1), name_of_head(snapshot, head), head.layer,
        std::move(map), i + 1 == maps.size());
  }
  if (maps.size() == 2 && is_same_size(maps[0], maps[1])) {
    MapFigureRequest map = common;
    map.picture = picture_of_difference(maps[0], maps[1]);
    map.scale = scale_of_difference(request.style, *map.picture);
    std::string caption = fmt::format("zero-centred, ±{:.3g}", map.scale.high);
    add("A − B", std::move(caption), request.heads[0].layer, std::move(map), true);
  }
  return panels;
}

Scene make_compare(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  constexpr float kPanelTitle = 24;
  const std::vector<Panel> panels = make_panels(snapshot, request, measure);
  float width = 0;
  for (std::size_t i = 0; i < panels.size(); i += kPanelsPerLine) {
    float line = -kPanelGap;
    for (std::size_t j = i; j < std::min(i + kPanelsPerLine, panels.size()); ++j) line += panels[j].width + kPanelGap;
    width = std::max(width, line);
  }
  const std::string title = fmt::format("{} · {} heads compared", snapshot.model->name, request.heads.size());
  Page page(snapshot, request.style, title, width, measure);
  float x = kPageMargin, tallest = 0;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Panel& panel = panels[i];
    const Point at{x, page.top()};
    const float map_x = at.x + panel.map.placed.margins.left;
    page.add(SceneText{{map_x, at.y + 10}, panel.letter, FontFace::ui_bold, kTitleSize, page.colours().text});
    page.add(SceneText{{at.x + panel.caption_x, at.y + 10}, panel.caption, FontFace::ui, kCaptionSize, page.colours().text_second});
    page.add(draw_sized(panel.map, {at.x, at.y + kPanelTitle}, measure));
    x += panel.width + kPanelGap;
    tallest = std::max(tallest, panel.map.size().y);
    const bool is_last_of_line = (i + 1) % kPanelsPerLine == 0 || i + 1 == panels.size();
    if (!is_last_of_line) continue;
    page.move_down(kPanelTitle + tallest + (i + 1 < panels.size() ? kPanelGap : 0));
    x = kPageMargin;
    tallest = 0;
  }
  std::string notes = notes_of(snapshot, request.style, std::span(request.heads));
  if (request.heads.size() == 2 && panels.size() == 2) notes += " · no A − B: the maps are of different sizes";
  return page.finish(notes);
}

std::string compare_caption(const Snapshot&, const FigureRequest& request) {
  return request.heads.size() == 1 ? "The pinned head" : fmt::format("The {} pinned heads side by side", request.heads.size());
}

std::vector<HeadId> compared_heads(const Snapshot&, const FigureRequest& request) {
  return request.heads;
}

std::vector<std::int64_t> number_of_heads(const Snapshot&, const FigureRequest& request) {
  return {static_cast<std::int64_t>(request.heads.size())};
}

}  // namespace

constexpr FigureKind kCompareFigure = {
    .name = "compare",
    .noun = "a comparison",
    .what = "the pinned heads and A - B",
    .file_name = "compare",
    .needs = {.heads = 1, .named_heads = 2},
    .caption = compare_caption,
    .scene = make_compare,
    .numbers = {compared_heads, number_of_heads},
};

}  // namespace headlight
