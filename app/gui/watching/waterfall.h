// Waterfalls: bars that run on from each other and end in their sum.
#pragma once

#include <span>

#include "app/gui/kit/widgets.h"

namespace headlight {

/// Numbers to pixels of the bars' column.
struct BarScale {
  double low = 0, high = 0;
  float left = 0, width = 0;
  float x(double value) const { return high > low ? left + static_cast<float>((value - low) / (high - low)) * width : left; }
};
/// Holds 0, the end of every bar, and what `scale` holds already, so that several waterfalls can be compared. The column stays that of
/// `scale`.
BarScale scale_of(std::span<const double> bars, BarScale scale = {});

struct RunningBar {
  double from = 0, to = 0;
  Colour colour;
  float half = 5;  ///< of its height, in points
};
/// One bar in a row, at least a point wide, and the line at 0.
void draw_running_bar(const Look& look, const Row& row, const BarScale& scale, const RunningBar& bar);

}  // namespace headlight
