// The map that is drawn for a head to learn, as the view that shows it needs it.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// The wanted map of the head that is looked at: 1 where painted and not masked. Empty where nothing is.
const WishMap& wish_here(const Panel& panel);
/// The head that is looked at is one that can be fitted: not cross-attention.
bool can_be_wished(const Panel& panel);
/// A brush stroke that says what a head should be taught; a wish for another head is begun anew.
void paint_wish(PaintedWish& wish, HeadId head, Stroke& stroke, Brush brush, bool erases, Cell cell);

}  // namespace headlight
