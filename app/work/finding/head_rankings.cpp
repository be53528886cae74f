#include "app/work/finding/head_rankings.h"

#include <algorithm>
#include <map>

namespace headlight {
namespace {

/// The mean of each head over the frames in which it has a value: a head that follows one of three relations is not the one that follows
/// all.
std::vector<RankedHead> mean_of(const std::vector<std::vector<RankedHead>>& by_frame) {
  struct Sum {
    RankedHead ranked;
    double frames = 0;
  };
  std::map<HeadId, Sum> sums;
  for (const std::vector<RankedHead>& heads : by_frame) {
    for (const RankedHead& each : heads) {
      Sum& sum = sums[each.head];
      sum.ranked.head = each.head;
      sum.ranked.value += each.value;
      sum.ranked.even += each.even;
      sum.ranked.rows += each.rows;
      ++sum.frames;
    }
  }
  std::vector<RankedHead> ranked;
  for (auto& [head, sum] : sums) {
    sum.ranked.value /= sum.frames;
    sum.ranked.even /= sum.frames;
    ranked.push_back(sum.ranked);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const RankedHead& a, const RankedHead& b) { return a.value > b.value; });
  return ranked;
}

Ranking rank(const RankingRequest& request, Progress& progress) {
  const Measure& measure = measure_of(all_measures(), kFramedWeight);
  const auto parts = static_cast<double>(request.frames.size());
  Ranking ranking{request, {}, {}};
  for (std::size_t i = 0; i < request.frames.size(); ++i) {
    PartProgress part(progress, static_cast<double>(i) / parts, static_cast<double>(i + 1) / parts);
    ranking.by_frame.push_back(rank_heads(request.snapshot->trace, measure, std::span(&request.frames[i], 1), part));
  }
  ranking.together = mean_of(ranking.by_frame);
  return ranking;
}

}  // namespace

bool carries(const RankedHead& head) {
  return head.value >= kLeastCarried && head.value >= kLeastLift * head.even;
}

HeadRankings::HeadRankings(Worker& worker)
    : study_(worker.desk(), [](const RankingRequest& request, StepContext& context) { return rank(request, context.progress); }) {}

std::shared_ptr<const Ranking> HeadRankings::ask(const RankingRequest& request) {
  std::shared_ptr<const Ranking> found = study_.ask(request);
  return found && found->request == request ? found : nullptr;
}

}  // namespace headlight
