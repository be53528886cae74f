#include "engine/figure/painters/map_cells.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace headlight {
namespace {

constexpr int kMostCells = 100;
constexpr float kPixelsPerPoint = 2;

/// The window widened to whole cells.
struct WholeCells {
  int row = 0, column = 0, rows = 0, columns = 0;
};

WholeCells whole_cells(const CellWindow& window) {
  const auto down = [](float at) { return static_cast<int>(std::floor(at)); };
  const auto up = [](float at) { return static_cast<int>(std::ceil(at)); };
  const int row = down(window.row_begin), column = down(window.column_begin);
  return {row, column, up(window.row_end) - row, up(window.column_end) - column};
}

Image blank(int width, int height) {
  return {width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4)};
}

Colour pixel_at(const Image& image, int x, int y) {
  const std::size_t at = (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x)) * 4;
  return {image.pixels[at], image.pixels[at + 1], image.pixels[at + 2], image.pixels[at + 3]};
}

int pixels_for(float cells, float points) {
  const float wanted = points * kPixelsPerPoint;
  if (cells > wanted) return static_cast<int>(std::ceil(wanted));
  return static_cast<int>(std::lround(cells * std::ceil(wanted / cells)));
}

}  // namespace

bool has_few_cells(const SceneMap& map) {
  const WholeCells cells = whole_cells(map.window);
  return cells.rows <= kMostCells && cells.columns <= kMostCells;
}

std::vector<CellRun> cell_runs(const SceneMap& map) {
  const WholeCells cells = whole_cells(map.window);
  Image image = blank(cells.columns, cells.rows);
  const CellWindow whole{static_cast<float>(cells.row), static_cast<float>(cells.row + cells.rows), static_cast<float>(cells.column),
                         static_cast<float>(cells.column + cells.columns)};
  const HatchStyle clear{{0, 0, 0, 0}, {0, 0, 0, 0}};  // a masked cell is a pixel without colour
  paint_map(*map.picture, whole, map.scale, clear, image, 0, 0, cells.columns, cells.rows);

  const CellWindow& window = map.window;
  const auto x_of = [&](int column) {
    const float share = (static_cast<float>(cells.column + column) - window.column_begin) / (window.column_end - window.column_begin);
    return map.box.x + std::clamp(share, 0.0F, 1.0F) * map.box.width;
  };
  const auto y_of = [&](int row) {
    const float share = (static_cast<float>(cells.row + row) - window.row_begin) / (window.row_end - window.row_begin);
    return map.box.y + std::clamp(share, 0.0F, 1.0F) * map.box.height;
  };
  std::vector<CellRun> runs;
  for (int row = 0; row < cells.rows; ++row) {
    for (int begin = 0, end = 0; begin < cells.columns; begin = end) {
      const Colour colour = pixel_at(image, begin, row);
      while (end < cells.columns && pixel_at(image, end, row) == colour) ++end;
      runs.push_back({{x_of(begin), y_of(row), x_of(end) - x_of(begin), y_of(row + 1) - y_of(row)}, colour, colour.alpha == 0});
    }
  }
  return runs;
}

Image map_image(const SceneMap& map) {
  const CellWindow& window = map.window;
  Image image = blank(pixels_for(window.column_end - window.column_begin, map.box.width),
                      pixels_for(window.row_end - window.row_begin, map.box.height));
  HatchStyle hatch = map.hatch;
  hatch.spacing *= static_cast<float>(image.width) / map.box.width;
  paint_map(*map.picture, window, map.scale, hatch, image, 0, 0, image.width, image.height);
  return image;
}

}  // namespace headlight
