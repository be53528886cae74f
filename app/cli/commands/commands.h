// The subcommands, one row of a table each: help, "unknown command" and what is run come from the row.
#pragma once

#include <CLI/CLI.hpp>

#include "app/cli/action.h"
#include "app/cli/commands/command_line.h"

namespace headlight {

/// Exit status: computed, but the result differs from what it was compared with. That is not an error, so ErrorKind has no such kind.
inline constexpr int kDiffersStatus = 7;

struct CommandRow {
  const char* name;
  const char* what;     ///< in the list of commands, and above its own help
  const char* example;  ///< works as typed; shown at the end of its help
  /// Adds its options, and sets `action` to what runs when the command is chosen; the action returns the exit status or throws Error.
  void (*add)(CLI::App& command, Action& action, const OpenWindow& open_window);
};

void add_export(CLI::App& command, Action& action, const OpenWindow& open_window);
void add_verify(CLI::App& command, Action& action, const OpenWindow& open_window);
void add_trace(CLI::App& command, Action& action, const OpenWindow& open_window);
void add_attend(CLI::App& command, Action& action, const OpenWindow& open_window);
void add_tokenize(CLI::App& command, Action& action, const OpenWindow& open_window);
void add_heads(CLI::App& command, Action& action, const OpenWindow& open_window);
void add_importance(CLI::App& command, Action& action, const OpenWindow& open_window);
void add_attribute(CLI::App& command, Action& action, const OpenWindow& open_window);
void add_patch(CLI::App& command, Action& action, const OpenWindow& open_window);
void add_prune(CLI::App& command, Action& action, const OpenWindow& open_window);
void add_circuits(CLI::App& command, Action& action, const OpenWindow& open_window);
void add_merge(CLI::App& command, Action& action, const OpenWindow& open_window);
void add_predict(CLI::App& command, Action& action, const OpenWindow& open_window);
void add_save(CLI::App& command, Action& action, const OpenWindow& open_window);
void add_inspect(CLI::App& command, Action& action, const OpenWindow& open_window);
void add_models(CLI::App& command, Action& action, const OpenWindow& open_window);
void add_bench(CLI::App& command, Action& action, const OpenWindow& open_window);
void add_gui(CLI::App& command, Action& action, const OpenWindow& open_window);

}  // namespace headlight
