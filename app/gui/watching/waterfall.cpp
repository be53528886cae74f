#include "app/gui/watching/waterfall.h"

#include <algorithm>

#include "app/gui/kit/shapes.h"

namespace headlight {

BarScale scale_of(std::span<const double> bars, BarScale scale) {
  double at = 0;
  for (const double bar : bars) {
    at += bar;
    scale.low = std::min(scale.low, at), scale.high = std::max(scale.high, at);
  }
  return scale;
}

void draw_running_bar(const Look& look, const Row& row, const BarScale& scale, const RunningBar& bar) {
  const float zero = scale.x(0), half = look.px(bar.half), a = scale.x(bar.from), b = scale.x(bar.to);
  canvas().AddLine({zero, row.top}, {zero, row.top + row.height}, to_imgui(look.colours.line));
  fill(look, {std::min(a, b), row.middle() - half}, {std::max(std::max(a, b), std::min(a, b) + look.px(1)), row.middle() + half},
       bar.colour, 1);
}

}  // namespace headlight
