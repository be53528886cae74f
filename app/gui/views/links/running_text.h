// The band under the lines: the text as people read it, each word tinted by what it gets or gives.
#pragma once

#include "app/gui/views/links/shown_lines.h"

namespace headlight {

/// In points: open, or a line that opens it where the view is low. `room`: the height of the view.
float running_text_height(const Panel& panel, float room);
/// The word under its pointer is Pointed::word in the next frame.
void draw_running_text(Panel& panel, const ShownLines& shown, const Box& box);

}  // namespace headlight
