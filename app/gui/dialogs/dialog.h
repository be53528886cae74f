// A dialog over the window: the background dims; Esc or a click outside closes it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "app/gui/panel/panel.h"

namespace headlight {

enum class DialogContent : std::uint8_t { controls, text };

/// `is_open` says whether it should be open; the dialog resets it when it closes. Call end_dialog only after true.
bool begin_dialog(const Look& look, const char* title, float width, bool& is_open, DialogContent content = DialogContent::controls);
void end_dialog(bool is_open);
/// The same in the middle of the window, of a fixed size in points, or as large as the window where that is smaller. It lays itself out in
/// the box that is returned, in pixels, and draws its own title; nullopt: it is closed. end_dialog after a box.
std::optional<Box> begin_large_dialog(const Look& look, const char* title, ImVec2 size, bool& is_open);

/// Whether a button that writes `target` may write now. If the file exists already, the first press only sets `asked`: the dialog then
/// shows draw_replace_question, and the next press for the same target writes.
bool may_write(const std::filesystem::path& target, std::filesystem::path& asked);
/// What it says, for a dialog that sets it by itself.
std::string replace_question(const std::filesystem::path& target, const char* button);
/// `button`: the one whose next press replaces the file.
void draw_replace_question(const Look& look, const std::filesystem::path& target, const char* button);

}  // namespace headlight
