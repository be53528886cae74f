// Rulers in millimetres along two sides of a figure's preview.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

inline constexpr float kRuler = 32;                         ///< its width, in points
inline constexpr float kScreenPointsPerMm = 96.0F / 25.4F;  ///< points of the window that a printed millimetre takes at print size

/// What the rulers measure, in pixels of the window.
struct Measured {
  ImVec2 origin;  ///< of the figure, which may be scrolled out of sight
  ImVec2 size;    ///< of the figure
  float mm = 1;   ///< a millimetre
};

/// Along the top and the left of `box`, whose rest is the figure's; the figure's edges are marked. In the current region.
void draw_rulers(const Look& look, const Box& box, const Measured& figure);

}  // namespace headlight
