// Heads as points over two columns: a drag brushes those in a rectangle.
#pragma once

#include "app/gui/columns/shown_columns.h"
#include "engine/figure/heads/scatter.h"

namespace headlight {

/// `heads`: those that are points.
void draw_scatter_plot(Panel& panel, const ShownColumns& shown, const std::vector<HeadId>& heads, const Box& box);

}  // namespace headlight
