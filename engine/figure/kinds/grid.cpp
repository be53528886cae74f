// Every head of every layer as a small map, with a number under each.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/figure/figure_notes.h"
#include "engine/figure/figures.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/kinds/page.h"
#include "engine/figure/map_layout.h"
#include "engine/figure/pictures.h"

namespace headlight {
namespace {

Scene make_grid(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  constexpr int kColumns = 16;
  constexpr float kBarRoom = 88;
  GridFigureRequest grid = grid_of(snapshot, request);
  const int columns = std::min(snapshot.heads(), kColumns);
  grid.tile = std::clamp(std::floor(960 / static_cast<float>(columns)) - 8, 72.0F, 112.0F);
  constexpr float kEndless = 1e9F;
  const float width = make_grid_layout(snapshot, grid, grid_label_width(snapshot, measure), measure).content_width;
  grid.area = {kPageMargin, 0, width, kEndless};
  ShownMaps maps(snapshot, request.style);
  grid.maps = &maps;
  const bool has_bar = maps.has_one_scale();
  const std::string title = snapshot.model->name + " · " + sizes_of(snapshot);
  Page page(title, sentence_of(snapshot), request.style, grid.area.width + (has_bar ? kBarRoom : 0), measure);
  grid.area.y = page.top();
  const GridFigure figure = make_grid_figure(snapshot, grid, measure);
  page.add(figure.scene);
  if (has_bar) {
    const float height = std::min(figure.content_height - 20, std::max(grid.tile, 160.0F));
    const Box bar{grid.area.right() + kBarGap / 2, figure.layout.box_of({}).y, kBarWidth, height};
    const ColourScale scale = maps.scale_of_all();
    Scene part;
    part.items.emplace_back(SceneRamp{bar, scale});
    add_bar_marks(part, bar, scale, page.colours(), measure);
    page.add(part);
  }
  page.move_down(figure.content_height);
  return page.finish(fmt::format("{} · {}", grid_number_text(), notes_of(snapshot, request.style)));
}

std::string grid_caption(const Snapshot& snapshot, const FigureRequest&) {
  return fmt::format("All {} heads", snapshot.layers() * snapshot.heads());
}

std::vector<ComparedHead> all_heads(const Snapshot& snapshot, const FigureRequest&) {
  std::vector<ComparedHead> heads;
  for (const HeadId head : snapshot.all_heads()) heads.push_back({head});
  return heads;
}

std::vector<std::int64_t> layers_and_heads(const Snapshot& snapshot, const FigureRequest&) {
  return {snapshot.layers(), snapshot.heads()};
}

/// The small maps that are drawn.
std::vector<NumberTable> small_maps(const Snapshot& snapshot, const FigureRequest& request) {
  std::vector<NumberTable> tables;
  for (const ComparedHead& each : all_heads(snapshot, request)) {
    if (!snapshot.contains(each.head)) continue;
    tables.push_back({fmt::format("{}.{}", each.head.layer, each.head.head), 0, false, true, *snapshot.summary(each.head).pooled.whole()});
  }
  return tables;
}

}  // namespace

GridFigureRequest grid_of(const Snapshot& snapshot, const FigureRequest& request) {
  GridFigureRequest grid;
  constexpr HeadId kNone{-1, -1};  // a head of another run marks no tile
  grid.style = request.style;
  for (const ComparedHead& head : request.heads) grid.pinned.push_back(&run_of(head, snapshot) == &snapshot ? head.head : kNone);
  return grid;
}

constexpr FigureKind kGridFigure = {
    .name = "grid",
    .noun = "a grid",
    .what = "every head",
    .file_name = "heads",
    .needs = {.marks_heads = true},
    .caption = grid_caption,
    .scene = make_grid,
    .numbers = {.heads = all_heads, .axes = layers_and_heads, .pictured = small_maps},
};

}  // namespace headlight
