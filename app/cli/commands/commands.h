// The subcommands. Each add_ function adds its subcommand to the program and sets `action` to what is to be done when that one was chosen;
// the action returns the exit status or throws Error.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "app/cli/commands/command_line.h"

namespace headlight {

using Action = std::function<int()>;

/// Exit status: computed, and it differs from what it was compared with. Not a refusal, so ErrorKind has no such kind.
inline constexpr int kDiffersStatus = 7;

void add_export(CLI::App& program, Action& action);
void add_trace(CLI::App& program, Action& action);
void add_attend(CLI::App& program, Action& action);
void add_tokenize(CLI::App& program, Action& action);
void add_predict(CLI::App& program, Action& action);
void add_save(CLI::App& program, Action& action);
void add_inspect(CLI::App& program, Action& action);
void add_models(CLI::App& program, Action& action);
void add_bench(CLI::App& program, Action& action, const OpenWindow& open_window);
void add_gui(CLI::App& program, Action& action, const OpenWindow& open_window);

/// A subcommand that keeps `Options` (constructed from its CLI::App, then what is `given`) alive and calls `run(const Options&)` when it was chosen. `example`
/// works as typed and closes its --help.
template <typename Options, typename Run, typename... Given>
void add_command(CLI::App& program, Action& action, const char* name, const char* what, const char* example, Run run, Given... given) {
  CLI::App* command = program.add_subcommand(name, what);
  command->footer(std::string("Example:\n  ") + example);
  auto options = std::make_shared<Options>(*command, given...);
  command->callback([options, &action, run] { action = [options, run] { return run(*options); }; });
}

}  // namespace headlight
