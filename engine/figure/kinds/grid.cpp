// Every head of every layer as a small map, with a number under each.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/figure/figure_notes.h"
#include "engine/figure/figures.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/kinds/page.h"
#include "engine/figure/pictures.h"

namespace headlight {
namespace {

void add_grid_bar(Page& page, const ColourScale& scale, Point at, float height, const MeasureText& measure) {
  page.add(SceneRamp{{at.x, at.y, kBarWidth, height}, scale});
  std::vector<std::string> numbers;
  for (const float place : {0.0F, 0.25F, 0.5F, 0.75F, 1.0F}) numbers.push_back(bar_number(scale.value_at(place), scale));
  const LabelStyle style{FontFace::mono, kCaptionSize};
  const float right = at.x + kBarWidth + 8 + widest(numbers, 200, style, measure);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Point point{right, at.y + height * (1 - static_cast<float>(i) / 4)};
    page.add(SceneText{point, numbers[i], style.face, style.size, page.colours().text_second, AlignX::right});
  }
}

Scene make_grid(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  constexpr int kColumns = 16;
  constexpr float kBarRoom = 88;
  GridFigureRequest grid = grid_of(snapshot, request);
  const int columns = std::min(snapshot.heads(), kColumns);
  grid.tile = std::clamp(std::floor(960 / static_cast<float>(columns)) - 8, 72.0F, 112.0F);
  const float label_width = layer_label_width(snapshot, measure) + 24;
  grid.area = {kPageMargin, 0, label_width + static_cast<float>(columns) * (grid.tile + 8), 1e9F};
  const bool has_bar = request.style.range == RangeKind::unit || request.style.range == RangeKind::fixed;
  const std::string title = snapshot.model->name + " · " + sizes_of(snapshot);
  Page page(title, sentence_of(snapshot), request.style, grid.area.width + (has_bar ? kBarRoom : 0), measure);
  grid.area.y = page.top();
  const GridFigure figure = make_grid_figure(snapshot, grid, measure);
  page.add(figure.scene);
  if (has_bar) {
    const float height = std::min(figure.content_height - 20, std::max(grid.tile, 160.0F));
    add_grid_bar(page, scale_of_head(snapshot, request.style, {}), {grid.area.right() + 12, page.top()}, height, measure);
  }
  page.move_down(figure.content_height);
  return page.finish(fmt::format("{} · {}", grid_number_text(), notes_of(snapshot, request.style)));
}

std::string grid_caption(const Snapshot& snapshot, const FigureRequest&) {
  return fmt::format("All {} heads", snapshot.layers() * snapshot.heads());
}

std::vector<ComparedHead> all_heads(const Snapshot& snapshot, const FigureRequest&) {
  std::vector<ComparedHead> heads;
  for (int layer = 0; layer < snapshot.layers(); ++layer) {
    for (int head = 0; head < snapshot.heads(layer); ++head) heads.push_back({{layer, head}});
  }
  return heads;
}

std::vector<std::int64_t> layers_and_heads(const Snapshot& snapshot, const FigureRequest&) {
  return {snapshot.layers(), snapshot.heads()};
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
    .needs = {},
    .caption = grid_caption,
    .scene = make_grid,
    .numbers = {all_heads, layers_and_heads},
};

}  // namespace headlight
