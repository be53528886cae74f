// What a command does when it is chosen, and the options that it is given.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>

namespace headlight {

/// Returns the exit status, or throws Error.
using Action = std::function<int()>;

/// Keeps `Options`, constructed from the command and `given`, alive, and calls `run(const Options&)` when the command is chosen.
template <typename Options, typename Run, typename... Given>
void keep_options(CLI::App& command, Action& action, Run run, Given... given) {
  auto options = std::make_shared<Options>(command, given...);
  command.callback([options, &action, run] { action = [options, run] { return run(*options); }; });
}

}  // namespace headlight
