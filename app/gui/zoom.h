// Zoom and pan of a map, in cells.
#pragma once

#include "engine/figure/figures.h"

namespace headlight {

/// The window that is shown: `zoom` where it makes sense for a map of `tokens` × `tokens`, else all of it.
CellWindow shown_window(const CellWindow& zoom, Index tokens);

/// `factor` above 1 comes nearer; the cell under (`query`, `key`) stays where it is. The whole map is the empty window.
CellWindow zoomed_about(const CellWindow& zoom, Index tokens, float query, float key, float factor);

/// Moved by cells, never past the edge.
CellWindow panned(const CellWindow& zoom, Index tokens, float queries, float keys);

}  // namespace headlight
