// `headlight lesson`: lessons listed, or played without a window.
#pragma once

#include "app/cli/action.h"

namespace headlight {

void add_lesson(CLI::App& command, Action& action);

}  // namespace headlight
