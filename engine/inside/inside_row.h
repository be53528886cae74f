// The scores of one query, from the score function to the weights.
#pragma once

#include "engine/inside/inside.h"

namespace headlight {

/// maps: of one query alone, by `rule`, which is of that query alone (rule_of_rows).
InsideRow row_of(const HeadMaps& maps, const HeadRule& rule);

}  // namespace headlight
