// What long texts cost: time and memory by tokens, layers and heads.
#pragma once

#include "app/cli/bench/bench_line.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {

/// A line for each length, number of layers and number of heads: milliseconds of a run, the memory that it had at most and that it keeps,
/// both above the weights, and what a token, layer or head more costs beside the line above. Then the maps of one head, rebuilt.
void bench_long(const Bench& bench, int threads);

}  // namespace headlight
