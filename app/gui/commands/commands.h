// The commands of the program (app/gui/panel/window_command.h), and the keyboard that gives them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/gui/panel/panel.h"

namespace headlight {

/// The program's own, in the order of the help. A new command is a new row.
std::span<const WindowCommand> window_commands();

/// Why a command does nothing now, as a sentence; empty: it applies.
std::string why_not(const Panel& panel, const WindowCommand& row);
/// Does it, if it applies.
void give(Panel& panel, const WindowCommand& row);

/// Gives the commands whose keys were pressed: those of the shown view first, then the program's, then the views' own keys. A key gives one
/// command, the first that applies. Keys that would type a character wait while a text box or a popup has the keyboard. Call it before the
/// panels draw.
void answer_keyboard(Panel& panel);

/// What the palette offers of commands: views, the shown view's commands and places, and the program's own.
void add_commands(const Panel& panel, std::vector<Offer>& offers);

}  // namespace headlight
