// The map on which every measure's row of the table is worked out: four tokens "a b a b", causal.
#pragma once

#include "engine/attention/mask.h"
#include "engine/text/tokenizer.h"

namespace headlight {

/// [[1, 0, 0, 0], [.5, .5, 0, 0], [.2, .3, .5, 0], [.1, .15, .5, .25]]. What heads write there is the row itself: V and W_O are 1.
Matrix worked_map();
Mask worked_mask();
std::vector<Token> worked_tokens();

}  // namespace headlight
