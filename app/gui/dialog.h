// A dialog over the window: the ground dims, Esc or a press beside it puts it away.
#pragma once

#include "app/gui/panel.h"

namespace headlight {

/// `is_open` says whether it should be open; the dialog resets it when it is put away. Call end_dialog only after true.
bool begin_dialog(const Look& look, const char* title, float width, bool& is_open);
void end_dialog(bool is_open);

}  // namespace headlight
