// What can be done with what is pointed at or pinned: the context menu, and ctrl+C.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// Opens the context menu that a view asked for (ask_menu, focus.h) or that its key asks for, draws it, and carries out what is chosen: an
/// edit is one undo step. "Explain this" puts the explanation in the menu's place. Call it every frame, after the views.
void draw_context_menu(Panel& panel);

/// Carries out ctrl+C (Panel::wants_copy): the cell under the pointer, else the pinned row, else the map that is shown. Also takes over
/// what was made for it since the last frame, so call it every frame.
void answer_copy(Panel& panel);

}  // namespace headlight
