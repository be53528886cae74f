// The map on which every measure's row of the table is worked out: four tokens "a b a b", causal.
#pragma once

#include <string>
#include <string_view>

#include "engine/attention/mask.h"
#include "engine/measures/measure.h"
#include "engine/text/tokenizer.h"

namespace headlight {

/// [[1, 0, 0, 0], [.5, .5, 0, 0], [.2, .3, .5, 0], [.1, .15, .5, .25]]. What heads write there is the row itself: V and W_O are 1.
Matrix worked_map();
Mask worked_mask();
std::vector<Token> worked_tokens();

/// For measures that look ahead: the same turned round, queries and keys from the other end. A token may attend to itself and what follows.
inline constexpr std::string_view kTurnedRound = "the map turned round: tokens see themselves and what follows";
Matrix turned_map();
Mask turned_mask();

/// "Its map is causal, over the tokens a b a b, with rows 1 / 0.5 0.5 / … ; V and W_O are the identity, …".
std::string worked_map_text();

/// "a b a b, 4 × 4", with the measure's parameter and what it is worked out on besides.
std::string worked_on(const Measure& measure);

}  // namespace headlight
