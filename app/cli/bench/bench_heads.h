// What it costs to measure every head while a text passes through a model.
#pragma once

#include "engine/core/parallel.h"

namespace headlight {

/// For models at 128 tokens: the time of a pass at which nobody looks, that of one which gathers the usual measures, or all, and the second's speed
/// as a share of the first's.
void bench_heads(ThreadPool& pool);

}  // namespace headlight
