// Showing an example: what a single head of a built-in model does, or a sentence to try.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// Puts in the example sentence of a head and shows that head with its row pinned.
void show_card_head(Panel& panel, const CardHead& told);
/// Puts in the sentence, in which the relations that a reader sees are framed; with the model in which they can be seen, unless the one
/// that is open is trained and sees both ways. The head that carries them follows, once it is known (settle_example).
void show_example(Panel& panel, const Example& example);
/// Shows the head that carries the relations of the example that was chosen last. Call it every frame, before the panels draw.
void settle_example(Panel& panel);

}  // namespace headlight
