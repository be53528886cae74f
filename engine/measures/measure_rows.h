// The rows of the table of measures, by subject; all_measures joins them.
#pragma once

#include "engine/kernels/instruction_set.h"
#include "engine/measures/measure.h"

namespace headlight {

Measures shape_measures();     ///< how a row's weights are shared out: metrics, section 1
Measures position_measures();  ///< where they go: section 2
Measures pattern_measures();   ///< previous tokens, copies, what followed copies: section 3
Measures other_measures();     ///< what is not said by the rows of one map

/// instruction_set(), which is asked for several times for every row: without a call.
inline const InstructionSet& row_instructions() {
  static const InstructionSet& chosen = instruction_set();
  return chosen;
}

}  // namespace headlight
