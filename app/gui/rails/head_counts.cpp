#include "app/gui/rails/head_counts.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "engine/forward/surgery.h"

namespace headlight {

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

TypedHeadCount read_head_count(const ModelConfig& config, const std::string& typed) {
  int count = 0;
  const auto [end, failure] = std::from_chars(typed.data(), typed.data() + typed.size(), count);
  const bool is_number = failure != std::errc::invalid_argument && end == typed.data() + typed.size();
  if (!is_number) return {0, "A head count is a whole number."};
  if (failure == std::errc::result_out_of_range && typed.front() == '-') return {0, "There has to be at least 1 head."};
  if (failure == std::errc::result_out_of_range) {
    return {0, fmt::format("{} heads are more than the {} columns that they share.", typed, config.heads.count * config.heads.d_head)};
  }
  const std::string problem = problem_of_head_count(config, count);
  return problem.empty() ? TypedHeadCount{count, {}} : TypedHeadCount{0, problem + "."};
}

std::string describe_left_out(const ModelConfig& config) {
  const int width = config.heads.count * config.heads.d_head;
  std::vector<int> left_out;
  for (int count = 1; count <= width; ++count) {
    if (width % count == 0 && !problem_of_head_count(config, count).empty()) left_out.push_back(count);
  }
  if (left_out.empty()) return {};
  return fmt::format("Not {}: {}.", fmt::join(left_out, ", "), problem_of_head_count(config, left_out.front()));
}

}  // namespace headlight
