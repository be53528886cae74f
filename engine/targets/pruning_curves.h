// What a target becomes while heads are switched off one after another: numbers that windows, figures and files share.
#pragma once

#include <vector>

#include "engine/attention/mask.h"

namespace headlight {

struct PruningStep {
  HeadId removed;
  double value = 0;  ///< of the target, once this head and all before it are gone
};

struct PruningCurves {
  double whole = 0;               ///< the target with all heads
  std::vector<PruningStep> once;  ///< in an order that is found at the beginning
  std::vector<PruningStep> anew;  ///< in one that is found anew after each step
  /// Numbers are equal where their bits are: so is NaN.
  bool operator==(const PruningCurves& other) const;
};

}  // namespace headlight
