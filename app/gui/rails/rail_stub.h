// The left rail when it is folded: the names of its sections, each of which opens beside it.
#pragma once

#include "app/gui/rails/rails.h"

namespace headlight {

void draw_stub(Panel& panel, const Box& box, LeftRail& rail);

}  // namespace headlight
