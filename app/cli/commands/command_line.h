// The subcommands of `headlight`.
#pragma once

#include <functional>
#include <span>

#include "app/session/window_options.h"

namespace headlight {

/// Opens the window and returns the exit status; empty in builds without a window. Passed in so that this room does not include gui.
using OpenWindow = std::function<int(const WindowOptions&)>;

struct CommandRow;
/// The program's own commands (commands.h), in the order of the help.
std::span<const CommandRow> all_commands();

/// Runs the program and returns its exit status. Errors are caught here and printed to stderr as one message.
int run_command_line(int argument_count, char** arguments, const OpenWindow& open_window,
                     std::span<const CommandRow> commands = all_commands());

}  // namespace headlight
