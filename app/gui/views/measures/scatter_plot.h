// Heads as points over two columns: a drag brushes those in a rectangle. Not drawn from the scene of the exported plot
// (engine/figure/heads/scatter.h): menus take the place of its axis names, names are those of brushed heads alone, and a point that
// is pointed at grows a ring. Both take their axes and their points from the same request (shown_measures) and the same spread_of.
#pragma once

#include "app/gui/columns/shown_columns.h"
#include "engine/figure/heads/scatter.h"

namespace headlight {

/// `heads`: those that are points.
void draw_scatter_plot(Panel& panel, const ShownColumns& shown, const std::vector<HeadId>& heads, const Box& box);

}  // namespace headlight
