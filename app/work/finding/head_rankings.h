// Which heads carry the relations that are framed in a sentence: a study of the desk.
#pragma once

#include <memory>
#include <vector>

#include "app/work/compute/worker.h"
#include "engine/analysis/ranking.h"

namespace headlight {

/// Heads by their weight in the frames of a map of the text with itself.
struct RankingRequest {
  std::shared_ptr<const Snapshot> snapshot;
  std::vector<CellBlock> frames;
  bool operator==(const RankingRequest&) const = default;
};

struct Ranking {
  RankingRequest request;
  std::vector<RankedHead> together;               ///< by the mean of what they give each frame
  std::vector<std::vector<RankedHead>> by_frame;  ///< [frame]: by that frame alone; empty where every cell of it is masked in every head
};

/// A head carries what is framed if it gives it a quarter of its attention at least, and three times what an even head would.
inline constexpr double kLeastCarried = 0.25, kLeastLift = 3;
bool carries(const RankedHead& head);

/// Thread contract: the UI thread only.
class HeadRankings {
 public:
  explicit HeadRankings(Worker& worker);
  /// Null until this very question is answered.
  std::shared_ptr<const Ranking> ask(const RankingRequest& request);
  /// Nothing is framed any more: forgets what it holds.
  void rest() {
    if (study_.asked()) study_.let_go();
  }

 private:
  Study<RankingRequest, Ranking> study_;
};

}  // namespace headlight
