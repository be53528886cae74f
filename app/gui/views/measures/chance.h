// What chance gives of the measures in the table: the same text through random weights, and its tokens shuffled.
#pragma once

#include "app/gui/columns/shown_columns.h"

namespace headlight {

/// The columns with the baselines that were computed for them, where they are measured on the shown text. Small models are drawn at once; of
/// larger ones only once somebody asked (draw_chance_offer). Kept from frame to frame until either changes.
ShownColumns with_chance(Panel& panel, ShownColumns shown);
/// A button that asks for them, or how far they are; nothing where there are none to be had.
void draw_chance_offer(Panel& panel, const HeadColumn& column);

}  // namespace headlight
