// The export command over any table of figures.
#pragma once

#include "app/cli/commands/commands.h"
#include "engine/figure/kinds/figure_kinds.h"

namespace headlight {

/// add_export (commands.h) with the figures of `kinds`, which outlive the program.
void add_export_of(CLI::App& command, Action& action, FigureKinds kinds);

}  // namespace headlight
