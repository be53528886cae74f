#include "app/gui/head_counts.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace headlight {

std::vector<int> legal_head_counts(int d_model) {
  std::vector<int> counts;
  for (int count = 1; count <= d_model; ++count) {
    if (d_model % count == 0) counts.push_back(count);
  }
  return counts;
}

std::vector<int> offered_head_counts(const std::vector<int>& legal, int own) {
  constexpr std::size_t kMost = 5;
  std::vector<int> offered{own};
  const auto offer = [&](int count) {
    if (offered.size() < kMost && std::find(offered.begin(), offered.end(), count) == offered.end()) offered.push_back(count);
  };
  for (const int count : {1, 2, 4, 8, 16}) {
    if (std::find(legal.begin(), legal.end(), count) != legal.end()) offer(count);
  }
  for (const int count : legal) offer(count);
  std::sort(offered.begin(), offered.end());
  return offered;
}

TypedHeadCount read_head_count(int d_model, const std::vector<int>& legal, const std::string& typed) {
  int count = 0;
  const auto [end, failure] = std::from_chars(typed.data(), typed.data() + typed.size(), count);
  if (failure != std::errc() || end != typed.data() + typed.size()) return {0, "A head count is a whole number."};
  if (count < 1) return {0, fmt::format("{} heads: there has to be at least 1.", count)};
  if (d_model % count != 0) return {0, fmt::format("{} does not divide {}, the width that the heads share.", count, d_model)};
  if (std::find(legal.begin(), legal.end(), count) != legal.end()) return {count, {}};
  return {0, fmt::format("{} heads of width {} do not fit this model's keys or positions.", count, d_model / count)};
}

}  // namespace headlight
