// The forward pass of well-known sizes beside what the machine can do at most.
#pragma once

#include "app/cli/bench/bench_line.h"
#include "engine/core/parallel.h"

namespace headlight {

/// A line for each of model_shapes at 16, 64, 256 and 512 tokens: time, GFLOP/s, and the share of the roofline.
void bench_shapes(const Bench& bench, ThreadPool& pool);

}  // namespace headlight
