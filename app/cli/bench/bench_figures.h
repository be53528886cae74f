// Writing figures, once their run is there.
#pragma once

#include "app/cli/bench/bench_line.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {

/// A map of 2,048 tokens and 144 maps of 64, drawn and written as files of each kind, with what their sizes are.
void bench_figures(const Bench& bench, Pipeline& pipeline);

}  // namespace headlight
