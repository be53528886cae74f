// "Explain this": a cell, a token or a head in a few sentences with the numbers of the engine.
#pragma once

#include <vector>

#include "app/gui/panel/explained_here.h"

namespace headlight {

/// Paragraphs. A cell: what its query gives to its key. A token: where it looks, and who looks at it. A head: what its rows have in common.
std::vector<Explanation> explained(const Panel& panel, const MenuTarget& target);

}  // namespace headlight
