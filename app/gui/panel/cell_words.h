// One cell of a map described in a sentence, for people who do not read numbers.
#pragma once

#include <vector>

#include "app/gui/kit/widgets.h"
#include "app/gui/state/pictures.h"
#include "engine/attention/head.h"

namespace headlight {

/// “it” gives 12 % of this head’s attention to “animal”; “The” gets the most, 80 %. The sentence is about the given cell, even if it is
/// not the largest of its row.
std::vector<Span> words_of_cell(const Palette& colours, const HeadMaps& maps, Cell cell, const TokenNames& queries, const TokenNames& keys,
                                bool is_mask_assumed = false);

}  // namespace headlight
