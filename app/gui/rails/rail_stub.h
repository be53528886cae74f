// The left rail when it is folded: the names of its sections, each of which opens beside it.
#pragma once

#include "app/gui/rails/rails.h"

namespace headlight {

void draw_stub(Panel& panel, const Box& box, LeftRail& rail);
/// While the rail is away, as it is while presenting: a section that is wanted opens at the lower right of the window.
void draw_wanted_section(Panel& panel, const Box& box, LeftRail& rail);

}  // namespace headlight
