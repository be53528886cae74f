// Which head does this? All heads of a run in the order of a measure (engine/measures/measure.h).
#pragma once

#include <span>
#include <vector>

#include "engine/forward/trace.h"
#include "engine/measures/measure.h"

namespace headlight {

/// A head, and the mean of the measure over the rows in which it has a value.
struct RankedHead {
  HeadId head;
  double value = 0;
  double even = 0;  ///< what a head would have whose rows share out their attention evenly among the allowed keys
  Index rows = 0;   ///< that were counted
  bool operator==(const RankedHead&) const = default;
};

/// The highest first; of equals, the lower layer and head. Heads without a value are left out. `frames`: blocks of cells, of a map of the
/// text with itself, that a measure such as kFramedWeight asks about (CellBlock::is_allowed means nothing here); `layers` whose maps are of another size are left out. Reports progress
/// and throws Cancelled.
std::vector<RankedHead> rank_heads(const Trace& trace, const Measure& measure, std::span<const CellBlock> frames, Progress& progress);

}  // namespace headlight
