// Heads as points over two columns: a drag brushes those in a rectangle.
#pragma once

#include "app/gui/columns/shown_columns.h"

namespace headlight {

/// Round numbers between two ends, at most `most` steps apart.
std::vector<double> round_ticks(double low, double high, int most);

void draw_scatter_plot(Panel& panel, const ShownColumns& shown, const Box& box);

}  // namespace headlight
