// What of a grid is inside its area, for what is drawn and for what a pointer can hit.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/figure/grid/grid_figure.h"

namespace headlight {

inline bool is_flowing(const GridFigureRequest& request) {
  return request.arrangement && request.arrangement->is_flowing;
}

/// What of a grid is inside its area.
class GridSight {
 public:
  GridSight(const Snapshot& snapshot, const GridFigureRequest& request, const GridLayout& layout)
      : snapshot_(snapshot), request_(request), layout_(layout) {}

  /// Calls `visit` with every layer that may have a tile in sight.
  template <typename Visit>
  void each_layer(const Visit& visit) const {
    if (layout_.is_in_columns) {
      for (int layer = 0; layer < snapshot_.layers(); ++layer) visit(layer);
      return;
    }
    // From the layer that holds the area's top on.
    const std::vector<GridLayout::Layer>& layers = layout_.layers;
    const float top = request_.area.y - layout_.first.y;
    const auto is_below = [](float y, const GridLayout::Layer& layer) { return y < layer.top; };
    const auto next = std::upper_bound(layers.begin(), layers.end(), top, is_below);
    const auto end = std::lower_bound(next, layers.end(), top + request_.area.height,
                                      [](const GridLayout::Layer& layer, float y) { return layer.top - layer.keys < y; });
    const auto number = [&](auto layer) { return static_cast<int>(layer - layers.begin()); };
    for (int layer = std::max(0, number(next) - 1); layer < number(end); ++layer) visit(layer);
  }

  /// Calls `visit` with the heads of a layer in sight and their tiles.
  template <typename Visit>
  void each_tile(int layer, const Visit& visit) const {
    const GridLayout::Layer& placed = layout_.layers[static_cast<std::size_t>(layer)];
    for (int head = 0; head < layout_.heads; ++head) {
      const Box tile = layout_.box_of({layer, head});
      if (tile.y - placed.keys >= request_.area.bottom()) break;
      if (sees(tile, placed) && snapshot_.contains({layer, head})) visit(HeadId{layer, head}, tile);
    }
  }

  bool sees(const Box& box, const GridLayout::Layer& layer) const {
    return box.y - layer.keys + layer.line_step > request_.area.y && box.y - layer.keys < request_.area.bottom() &&
           box.x < request_.area.right();
  }

  /// The place of a head that a filter leaves out.
  bool is_left_out(HeadId head) const {
    if (!request_.arrangement) return false;
    const std::vector<HeadId>& heads = request_.arrangement->heads;
    return std::find(heads.begin(), heads.end(), head) == heads.end();
  }

  /// Every head that has a tile in sight, with it.
  std::vector<std::pair<HeadId, Box>> tiles() const {
    std::vector<std::pair<HeadId, Box>> tiles;
    if (is_flowing(request_)) {
      for (std::size_t place = 0; place < layout_.flow.size(); ++place) {
        const Box tile = layout_.box_at(place);
        const bool is_in_sight = tile.y < request_.area.bottom() && tile.bottom() + layout_.caption > request_.area.y;
        if (is_in_sight) tiles.emplace_back(layout_.flow[place], tile);
      }
      return tiles;
    }
    each_layer([&](int layer) {
      each_tile(layer, [&](HeadId head, const Box& tile) {
        if (!is_left_out(head)) tiles.emplace_back(head, tile);
      });
    });
    return tiles;
  }

 private:
  const Snapshot& snapshot_;
  const GridFigureRequest& request_;
  const GridLayout& layout_;
};

}  // namespace headlight
