// More like this: heads in the order of how alike they are to one head, by where they look and by what they write.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "engine/core/parallel.h"
#include "engine/snapshot.h"

namespace headlight {

struct AlikeHead {
  std::size_t run = 0;  ///< which of the runs it is a head of
  HeadId head;
  /// Jensen–Shannon divergence of their weights: 0 alike … ln 2 no key in common. Mean over rows that are informative in both heads.
  double divergence = 0;
  Index rows = 0;  ///< of those
  /// Mean cosine of their outputs z, over those rows, −1 … 1; NaN where only maps are known, widths differ, or every output is zero.
  double agreement = std::numeric_limits<double>::quiet_NaN();
  Index skipped = 0;  ///< rows with an output of zero
};

enum class AlikeBy : std::uint8_t { divergence, agreement };
/// The most alike first; heads without that number last, and of equals in the order of runs, layers and heads.
void sort_alike(std::vector<AlikeHead>& heads, AlikeBy by);

/// All heads of the runs but `head` of runs[0] itself, whose maps have as many queries and keys as its map, by divergence. One map is kept,
/// its own. Heads without a row to compare are left out. The same for any number of threads. Throws Cancelled.
std::vector<AlikeHead> heads_alike(std::span<const std::shared_ptr<const Snapshot>> runs, HeadId head, ThreadPool& pool,
                                   Progress& progress);

}  // namespace headlight
