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

constexpr float kTileGap = 8, kLargestPageTile = 112;

/// As many tiles beside each other as have room for their names, and for their numbers where that does not make the figure too high.
float tile_of_width(const Snapshot& snapshot, GridFigureRequest grid, float width, const MeasureText& measure) {
  constexpr float kHigh = 1.5F, kLeastTile = 16;
  const auto length = [&](const std::string& text) { return std::ceil(measure(text, FontFace::mono, kCaptionSize)); };
  const float labels = grid_label_width(snapshot, measure);
  const float name = length(flow_name(snapshot, {snapshot.layers() - 1, snapshot.heads() - 1}));
  grid.area = {0, 0, width, 0};
  for (const float least : {name + kTileLabelGap + length("0.00"), name}) {
    const auto fitting = static_cast<int>((width - labels + kTileGap) / (least + kTileGap));
    const int lines = (snapshot.heads() + std::max(1, fitting) - 1) / std::max(1, fitting);
    const int columns = (snapshot.heads() + lines - 1) / lines;
    const auto count = static_cast<float>(columns);
    grid.tile = std::clamp(std::floor((width - labels + kTileGap) / count - kTileGap), kLeastTile, kLargestPageTile);
    GridLayout layout = make_grid_layout(snapshot, grid, labels, measure);
    for (; layout.content_width > width && grid.tile > kLeastTile; layout = make_grid_layout(snapshot, grid, labels, measure)) {
      grid.tile = std::max(kLeastTile, grid.tile - std::ceil((layout.content_width - width) / count));  // names of tokens take room
    }
    if (layout.content_height <= kHigh * width) break;
  }
  return grid.tile;
}

Scene make_grid(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  constexpr int kColumns = 16;
  constexpr float kUsualBarRoom = 88, kNarrowBarRoom = 68;
  GridFigureRequest grid = grid_of(snapshot, request);
  const int columns = std::min(snapshot.heads(), kColumns);
  ShownMaps maps(snapshot, request.style);
  grid.maps = &maps;
  const bool has_bar = maps.has_one_scale() && request.page.has(PagePart::bar);
  const float room = room_across(request.page);
  const bool is_narrow_bar = room > 0 && !(maps.scale_of_all().clipped > 0);
  const float bar_room = has_bar ? (is_narrow_bar ? kNarrowBarRoom : kUsualBarRoom) : 0;
  grid.tile = room > 0 ? tile_of_width(snapshot, grid, room - bar_room, measure)
                       : std::clamp(std::floor(960 / static_cast<float>(columns)) - kTileGap, 72.0F, kLargestPageTile);
  if (room > 0) grid.area.width = room - bar_room;
  constexpr float kEndless = 1e9F;
  const float width = make_grid_layout(snapshot, grid, grid_label_width(snapshot, measure), measure).content_width;
  grid.area = {0, 0, width, kEndless};
  const std::string title = snapshot.model->name + " · " + sizes_of(snapshot);
  Page page({title, sentence_of(snapshot)}, request.style, request.page, grid.area.width + bar_room, measure);
  grid.area.x = page.left();
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
    .needs = {.marks_heads = true, .has_bar = true},
    .caption = grid_caption,
    .scene = make_grid,
    .numbers = {.heads = all_heads, .axes = layers_and_heads, .pictured = small_maps},
};

}  // namespace headlight
