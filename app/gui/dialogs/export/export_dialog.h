// Writing a figure: how it is set, its preview at print size, the command that does the same, and where the file goes.
#pragma once

#include "app/gui/dialogs/dialog_states.h"
#include "app/gui/panel/panel.h"

namespace headlight {

/// Enter writes, ctrl+C copies the command, Esc closes.
void draw_export_dialog(Panel& panel, ExportChoice& choice);

}  // namespace headlight
