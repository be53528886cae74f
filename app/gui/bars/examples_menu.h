// The menu of examples: what single heads of a built-in model do, and sentences to try.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// The width of its button in pixels; 0 where there is nothing to list. `is_named`: with the word, else as "e.g.".
float examples_width(Panel& panel, bool is_named);
void draw_examples(Panel& panel, float left, float top, float height, bool is_named);

}  // namespace headlight
