#include "engine/figure/painters/map_cells.h"

#include <fmt/core.h>

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

CellWindow whole_window(const WholeCells& cells) {
  return {static_cast<float>(cells.row), static_cast<float>(cells.row + cells.rows), static_cast<float>(cells.column),
          static_cast<float>(cells.column + cells.columns)};
}

/// A pixel for each cell; that of a masked one is clear.
Image painted_cells(const SceneMap& map, const WholeCells& cells) {
  Image image = blank(cells.columns, cells.rows);
  const HatchStyle clear{{0, 0, 0, 0}, {0, 0, 0, 0}};
  paint_map(*map.picture, whole_window(cells), map.scale, clear, image, {0, 0, cells.columns, cells.rows});
  return image;
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

std::size_t shown_cells(const SceneMap& map) {
  const WholeCells cells = whole_cells(map.window);
  return static_cast<std::size_t>(cells.rows) * static_cast<std::size_t>(cells.columns);
}

CellState state_of_cell(const MapPicture& picture, Index row, Index column) {
  if (picture.mask() && !picture.mask()->allows(row, column)) return CellState::masked;
  const LeftOut* left_out = picture.left_out().get();
  const auto key = static_cast<std::size_t>(column);
  return left_out && key < left_out->keys.size() && left_out->keys[key] != 0 ? CellState::left_out : CellState::number;
}

std::string cell_text(const SceneMap& map, int row, int column) {
  const auto label = [](const MapWords::Labels& labels, int place) {
    const auto at = static_cast<std::size_t>(place);
    return labels && at < labels->size() ? fmt::format("“{}” ({})", (*labels)[at], place) : std::to_string(place);
  };
  const auto y = static_cast<float>(row), x = static_cast<float>(column);
  const CellState state = state_of_cell(*map.picture, row, column);
  const std::string value = state == CellState::masked     ? "masked"
                            : state == CellState::left_out ? "left out"
                                                           : fmt::format("{}", map.picture->value(y, y + 1, x, x + 1));
  return fmt::format("{} → {}: {}", label(map.words->rows, row), label(map.words->columns, column), value);
}

bool has_few_cells(const Scene& scene) {
  std::size_t cells = 0;
  for (const SceneItem& item : scene.items) {
    const auto* map = std::get_if<SceneMap>(&item);
    if (map == nullptr || !map->picture || !has_few_cells(*map)) continue;
    cells += shown_cells(*map);
  }
  return cells <= kMostRectangles;
}

std::optional<Image> cell_image(const SceneMap& map) {
  const WholeCells cells = whole_cells(map.window);
  const bool is_whole = whole_window(cells) == map.window;
  const bool are_seen = static_cast<float>(cells.rows) <= map.box.height * kPixelsPerPoint &&
                        static_cast<float>(cells.columns) <= map.box.width * kPixelsPerPoint;
  if (!is_whole || !are_seen) return std::nullopt;
  return painted_cells(map, cells);
}

bool has_clear_pixels(const Image& image) {
  for (std::size_t alpha = 3; alpha < image.pixels.size(); alpha += 4) {
    if (image.pixels[alpha] == 0) return true;
  }
  return false;
}

std::vector<CellRun> cell_runs(const SceneMap& map, bool is_merged) {
  const WholeCells cells = whole_cells(map.window);
  const Image image = painted_cells(map, cells);
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
      while (end < cells.columns && (end == begin || is_merged) && pixel_at(image, end, row) == colour) ++end;
      runs.push_back({{x_of(begin), y_of(row), x_of(end) - x_of(begin), y_of(row + 1) - y_of(row)},
                      colour,
                      colour.alpha == 0,
                      cells.row + row,
                      cells.column + begin});
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
  paint_map(*map.picture, window, map.scale, hatch, image, {0, 0, image.width, image.height});
  return image;
}

}  // namespace headlight
