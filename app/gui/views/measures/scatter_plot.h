// Heads as points over two columns: a drag brushes those in a rectangle. Not drawn from the scene of the exported plot
// (engine/figure/heads/scatter.h): menus take the place of its axis names, names are those of brushed heads alone, and a point that
// is pointed at grows a ring. Both take their axes and their points from the same request (shown_measures) and the same spread_of.
#pragma once

#include "app/gui/columns/shown_columns.h"
#include "engine/figure/heads/scatter.h"

namespace headlight {

/// `heads`: those that are points.
void draw_scatter_plot(Panel& panel, const ShownColumns& shown, const std::vector<HeadId>& heads, const Box& box);

/// A head as a dot, in pixels.
struct ScatterPoint {
  HeadId head;
  ImVec2 at;
  float radius = 0;
};
/// Where the name of one of the points has room: inside the field, `between` pixels beside, over or under it, on no point and no name that
/// is `taken`. nullopt: nowhere.
std::optional<Box> box_of_name(const Box& field, const std::vector<ScatterPoint>& points, const ScatterPoint& point, ImVec2 size,
                               float between, const std::vector<Box>& taken);

}  // namespace headlight
