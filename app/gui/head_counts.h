// Which head counts are offered at one press, and what is wrong with a typed one.
#pragma once

#include <string>
#include <vector>

namespace headlight {

/// Every number that divides `d_model`, ascending.
std::vector<int> legal_head_counts(int d_model);
/// At most five of the legal ones: the powers of two people know, and the model's own. They do not change while others are chosen.
std::vector<int> offered_head_counts(const std::vector<int>& legal, int own);
/// A typed count: the number, or what is wrong with it, naming both numbers.
struct TypedHeadCount {
  int count = 0;
  std::string problem;
};
TypedHeadCount read_head_count(int d_model, const std::vector<int>& legal, const std::string& typed);

}  // namespace headlight
