// All heads of a run in the order of pattern mass: how much of its attention a head gives to the targets of a question, gathered while the
// rows of its map pass by. No map is kept.
//
//     R_D           informative rows (two or more allowed keys, not all zeros) with at least one target that the mask allows
//     pattern mass  mean over R_D of Σ A·D: 1 for a perfect head
//     uniform       mean over R_D of |D_i| / |K(i)|: the mass of a head that looks at all keys alike
//     fixed offset  the mass of the head that always looks at the key o tokens from the query, for the o that gives it most. It knows nothing
//                   of the words: a head that follows them must do better (as the baseline of Clark et al. 2019, arXiv 1906.04341, section 4.2)
//     lift          mass / uniform, and mass / fixed offset
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "engine/core/parallel.h"
#include "engine/finding/head_question.h"
#include "engine/measures/head_gauge.h"

namespace headlight {

struct RankedHead {
  HeadId head;
  double mass = 0;
  double uniform = 0;
  double fixed = std::numeric_limits<double>::quiet_NaN();  ///< NaN where queries and keys count different texts
  Index offset = 0;                                         ///< key − query of the fixed offset; of equal ones the nearest, before after
  Index rows = 0;                                           ///< |R_D|
  BestCell best = {};                                       ///< the target with most weight

  double lift() const { return mass / uniform; }
  double lift_over_fixed() const { return mass / fixed; }
};

struct HeadRanking {
  std::vector<RankedHead> heads;  ///< the highest mass first; of equals, the lower layer and head
  std::vector<HeadId> undefined;  ///< without a row that counts, or without attention weights; ascending
};

/// One head. Thread contract: one thread at a time.
class PatternGauge {
 public:
  /// `targets`: as targets_of; outlives the gauge. `shares_axis`: queries and keys count the same text.
  PatternGauge(const Mask& targets, std::shared_ptr<const MaskRows> masks, bool shares_axis);
  /// The rows below those that were added before.
  void add(const HeadRows& rows);
  /// nullopt: no row counted, or a row that did holds NaN.
  std::optional<RankedHead> found(HeadId head) const;

 private:
  const Mask& targets_;
  std::shared_ptr<const MaskRows> masks_;
  double mass_ = 0, uniform_ = 0;
  Index rows_ = 0;
  BestCell best_;
  std::vector<Index> by_offset_;  ///< [queries + keys − 1] rows that have this target, by key − query; empty: offsets mean nothing
};

/// One head's rows against a question. `targets`: as targets_of.
std::optional<RankedHead> rank_head(const LayerTrace& layer, HeadId head, const Mask& targets, bool shares_axis, const Watch& watch = {});

/// The same for any number of threads. Throws Cancelled.
HeadRanking rank_heads(const Snapshot& run, const HeadQuestion& question, ThreadPool& pool, Progress& progress);

}  // namespace headlight
