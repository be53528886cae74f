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
      sum.ranked.mass += each.mass;
      sum.ranked.uniform += each.uniform;
      sum.ranked.rows += each.rows;
      ++sum.frames;
    }
  }
  std::vector<RankedHead> ranked;
  for (auto& [head, sum] : sums) {
    sum.ranked.mass /= sum.frames;
    sum.ranked.uniform /= sum.frames;
    ranked.push_back(sum.ranked);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const RankedHead& a, const RankedHead& b) { return a.mass > b.mass; });
  return ranked;
}

Ranking rank(const RankingRequest& request, StepContext& context) {
  const auto parts = static_cast<double>(request.frames.size());
  Ranking ranking{request, {}, {}};
  const Snapshot& run = *request.snapshot;
  for (std::size_t i = 0; i < request.frames.size(); ++i) {
    PartProgress part(context.progress, static_cast<double>(i) / parts, static_cast<double>(i + 1) / parts);
    const HeadQuestion question = question_of_cells({request.frames[i]}, tokens_of(run, 0));
    ranking.by_frame.push_back(rank_heads(run, question, context.pool, part).heads);
  }
  ranking.together = mean_of(ranking.by_frame);
  return ranking;
}

}  // namespace

bool carries(const RankedHead& head) {
  return head.mass >= kLeastCarried && head.lift() >= kLeastLift;
}

HeadRankings::HeadRankings(Worker& worker)
    : questions_(worker.desk(),
                 [](const AskedQuestion& asked, StepContext& context) {
                   AnsweredQuestion answer{asked, rank_heads(*asked.snapshot, asked.question, context.pool, context.progress)};
                   if (answer.ranking.heads.empty()) answer.missing = missing_targets(*asked.snapshot, asked.question, context.progress);
                   return answer;
                 }),
      alike_(worker.desk(),
             [](const AskedAlike& asked, StepContext& context) {
               return AnsweredAlike{asked, heads_alike(asked.runs, asked.head, context.pool, context.progress)};
             }),
      frames_(worker.desk(), [](const RankingRequest& request, StepContext& context) { return rank(request, context); }) {}

std::shared_ptr<const Ranking> HeadRankings::ask(const RankingRequest& request) {
  std::shared_ptr<const Ranking> found = frames_.ask(request);
  return found && found->request == request ? found : nullptr;
}

}  // namespace headlight
