// How fast this machine is at most, measured now: what a computation can be compared with (Williams et al. 2009, "Roofline").
#pragma once

#include "engine/core/parallel.h"

namespace headlight {

struct MachineSpeed {
  double flops = 0;  ///< a second: float32 fused multiply-adds in registers, two operations each, on all threads of the pool
  double bytes = 0;  ///< a second: read from memory that no cache holds, on all threads

  /// The shortest time in seconds for this much arithmetic and reading, where both go on at once.
  double seconds_for(double operations, double read) const;
};

/// Takes about a tenth of a second, and 128 MiB for that long.
MachineSpeed measure_machine(ThreadPool& pool);

}  // namespace headlight
