// What a run will take, said before it begins: from the sizes of model and text, and from how fast this machine multiplies.
#pragma once

#include <vector>

#include "engine/core/parallel.h"
#include "engine/forward/forward.h"
#include "engine/pipeline/stages/memory_need.h"

namespace headlight {

/// Less is computed in under a second on any machine of today, and not worth a word.
inline constexpr double kWorkWorthTelling = 1e11;  // multiply-adds

/// Multiply-adds of the layers from `first` to before `end`. The cells that a model's own mask forbids are not computed, and do not count; a mask that
/// was edited is taken to allow all.
double work_of_layers(const Model& model, const std::vector<LayerRequest>& requests, TokenCounts tokens, std::size_t first,
                      std::size_t end);

/// Multiply-adds a second: of the fastest of three products, which take some milliseconds together.
double speed_of_machine(ThreadPool& pool, const Watch& watch = {});

}  // namespace headlight
