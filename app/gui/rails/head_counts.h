// Which head counts are offered at one press, and what is wrong with a typed one.
#pragma once

#include <string>
#include <vector>

#include "engine/model/config.h"

namespace headlight {

/// At most five of the legal ones: the usual powers of two, and the model's own. They stay the same while others are chosen.
std::vector<int> offered_head_counts(const std::vector<int>& legal, int own);
/// A typed count: the number, or why the model cannot have it, in the engine's words (problem_of_head_count).
struct TypedHeadCount {
  int count = 0;
  std::string problem;
};
TypedHeadCount read_head_count(const ModelConfig& config, const std::string& typed);
/// The counts that divide the projections' width but are still not possible, with the reason for the first; empty: none.
std::string describe_left_out(const ModelConfig& config);

}  // namespace headlight
