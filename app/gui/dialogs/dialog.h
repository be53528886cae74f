// A dialog over the window: the ground dims, Esc or a press beside it puts it away.
#pragma once

#include <filesystem>

#include "app/gui/panel/panel.h"

namespace headlight {

/// `is_open` says whether it should be open; the dialog resets it when it is put away. Call end_dialog only after true.
bool begin_dialog(const Look& look, const char* title, float width, bool& is_open);
void end_dialog(bool is_open);

/// Whether a button that writes `target` may write now. A file that is there already is asked about first: then `asked` is set to it, the
/// dialog shows draw_replace_question, and the next press, for the same target, writes.
bool may_write(const std::filesystem::path& target, std::filesystem::path& asked);
/// `button`: the one whose next press replaces the file.
void draw_replace_question(const Look& look, const std::filesystem::path& target, const char* button);

}  // namespace headlight
