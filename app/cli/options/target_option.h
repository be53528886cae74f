// --target: which number of the output is watched.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "engine/targets/target.h"

namespace headlight {

/// Adds --target, whose text is read once it is given; throws Error (usage) for a text that is not a target. `more`: a sentence for the help.
CLI::Option* add_target(CLI::App& command, std::optional<Target>& target, const std::string& more);

}  // namespace headlight
