// Heads as points over two columns: a drag brushes those in a rectangle.
#pragma once

#include "app/gui/columns/shown_columns.h"

namespace headlight {

/// Round numbers between two ends, at most `most` steps apart.
std::vector<double> round_ticks(double low, double high, int most);

/// `heads`: those that are points.
void draw_scatter_plot(Panel& panel, const ShownColumns& shown, const std::vector<HeadId>& heads, const Box& box);

}  // namespace headlight
