// The answer to a question as columns of heads: pattern mass, and its lift over a uniform head and over the best fixed offset.
#pragma once

#include <string>

#include "engine/finding/head_ranking.h"
#include "engine/measures/columns/head_column.h"

namespace headlight {

/// Ids of the columns, the same whatever is asked: sorts and filters go on to the next question.
inline constexpr char kMassColumn[] = "question:mass", kLiftColumn[] = "question:lift", kFixedLiftColumn[] = "question:fixed-lift";

/// `name`: of what is asked, "follow → horse"; `measured_on`: "this text, 13 tokens".
HeadColumns columns_of(const HeadRanking& ranking, const std::string& name, const std::string& measured_on);

}  // namespace headlight
