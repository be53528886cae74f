// Showing an example: what a single head of a built-in model does, or a sentence to try.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// Puts in the example sentence of a head and shows that head with its row pinned.
void show_card_head(Panel& panel, const CardHead& told);
/// Puts in the sentence, in which the relations that a reader sees are framed.
void show_example(Panel& panel, const Example& example);

}  // namespace headlight
