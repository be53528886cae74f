// Which head does this, asked of the desk: heads ranked by a question, by the relations of an example, and by how alike they are to one head.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/work/compute/worker.h"
#include "engine/finding/alike_heads.h"
#include "engine/finding/head_ranking.h"
#include "engine/finding/missing_targets.h"

namespace headlight {

/// A question, and the run that is asked.
struct AskedQuestion {
  std::shared_ptr<const Snapshot> snapshot;
  HeadQuestion question;
  bool operator==(const AskedQuestion&) const = default;
};
struct AnsweredQuestion {
  AskedQuestion asked;
  HeadRanking ranking;
  std::optional<MissingTargets> missing = {};  ///< why no head is ranked, where none is
};

/// A head of the first run; all heads of the runs are compared with it.
struct AskedAlike {
  std::vector<std::shared_ptr<const Snapshot>> runs;
  HeadId head;
  bool operator==(const AskedAlike&) const = default;
};
struct AnsweredAlike {
  AskedAlike asked;
  std::vector<AlikeHead> heads;
};

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

/// Each keeps the last answer until the next one is there. Thread contract: the UI thread only.
class HeadRankings {
 public:
  explicit HeadRankings(Worker& worker);
  /// The last answer, which may be to the question before; null before the first. A question of nothing is not asked.
  std::shared_ptr<const AnsweredQuestion> ask(const AskedQuestion& question) { return questions_.ask(question); }
  std::shared_ptr<const AnsweredAlike> ask(const AskedAlike& alike) { return alike_.ask(alike); }
  /// Null until this very question is answered.
  std::shared_ptr<const Ranking> ask(const RankingRequest& request);

  /// Nothing is asked any more: forgets what it holds.
  void rest_question() { let_go(questions_); }
  void rest_alike() { let_go(alike_); }
  void rest_frames() { let_go(frames_); }

 private:
  template <typename Asked>
  static void let_go(Asked& study) {
    if (study.asked()) study.let_go();
  }

  Study<AskedQuestion, AnsweredQuestion> questions_;
  Study<AskedAlike, AnsweredAlike> alike_;
  Study<RankingRequest, Ranking> frames_;
};

}  // namespace headlight
