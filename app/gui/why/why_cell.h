// Why this cell: the score of the cell that is looked at, as a sum over what its query and its key are made of.
#pragma once

#include <memory>

#include "app/gui/panel/focus.h"

namespace headlight {

inline constexpr const char* kWhySection = "Why this cell";
/// Its section of the inspector is open. While it is not, nothing is computed.
bool explains_cell(const Panel& panel);

/// The section with its title: shares of q·k by the query's parts and by the key's parts, the largest first, as bars that run on from each
/// other and end in the score; then the pairs of parts that add most. Pressing a head goes to it. `run`: whose cell it is; `cell`: none is
/// looked at. `is_dense`: in the drawer.
void draw_why_cell(Panel& panel, const std::shared_ptr<const Snapshot>& run, HeadId head, const std::optional<Cell>& cell, bool is_dense);

}  // namespace headlight
