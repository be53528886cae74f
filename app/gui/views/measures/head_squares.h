// All heads as squares, a row for each layer, tinted by a column: where in the model its values are.
#pragma once

#include "app/gui/columns/shown_columns.h"

namespace headlight {

inline constexpr float kLeastSquaresHeight = 110;  ///< points: in less room they are left out

void draw_head_squares(Panel& panel, const ShownColumns& shown, const Box& box);

}  // namespace headlight
