// Zoom and pan of a map, in cells.
#pragma once

#include "engine/figure/figures.h"

namespace headlight {

struct MapShape {
  Index queries = 0, keys = 0;
  bool operator==(const MapShape&) const = default;
};
inline MapShape shape_of(const Snapshot& snapshot, int layer) {
  return {snapshot.queries(layer), snapshot.keys(layer)};
}

/// The window that is shown: for each axis, the part that `zoom` names if that makes sense, else all of it.
CellWindow shown_window(const CellWindow& zoom, MapShape shape);
bool is_whole(const CellWindow& zoom, MapShape shape);

/// `factor` above 1 zooms in; the cell under (`query`, `key`) stays where it is. The whole map is the empty window. An axis with fewer
/// cells reaches its limit first.
CellWindow zoomed_about(const CellWindow& zoom, MapShape shape, float query, float key, float factor);

/// Moved by cells, never past the edge.
CellWindow panned(const CellWindow& zoom, MapShape shape, float queries, float keys);

}  // namespace headlight
