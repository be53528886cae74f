// Which lesson to take.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// While OpenDialogs::lessons: every lesson with what one can say after it, and how long it takes.
void draw_lessons_dialog(Panel& panel);

}  // namespace headlight
