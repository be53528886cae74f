// A name for the numbers of a figure: SHA-256 over them and over the tokens that they belong to.
#pragma once

#include <string>

#include "engine/figure/kinds/figure_kinds.h"

namespace headlight {

/// 64 hexadecimal digits; empty for a figure without numbers. Over, for each map in the order of written_maps: a line of JSON that says what
/// it is of, with the tokens of its rows and columns, then its rows and columns as 8 bytes each and its numbers as float32, all little-endian.
/// Tables (FigureNumbers::tables) likewise. `is_drawn`: of a picture, which may show less than all numbers (FigureNumbers::pictured).
/// Of a request that check_figure passes. Costs what making the maps costs.
std::string numbers_digest(const Snapshot& snapshot, const FigureRequest& request, bool is_drawn);

}  // namespace headlight
