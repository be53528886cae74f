// What it costs to find the effect of every head, beside as many forward passes.
#pragma once

#include "engine/core/parallel.h"

namespace headlight {

/// For a model of 12 layers of 12 heads: the time of switching off each of its 144 heads in turn, as a share of 144 passes, both with the
/// target's logits.
void bench_importance(ThreadPool& pool);

}  // namespace headlight
