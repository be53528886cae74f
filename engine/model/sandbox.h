// The model that needs no file: random weights from a seed, any sizes.
//
// Every parameter matrix [in, out] is one stream of engine/core/random.h, row by row: "layer.0.q", .k, .v, .o, .ff_in, .ff_out and
// "positions"; a token's vector is the stream "embedding." + its id. Biases of q, k, v and o, where they are drawn, are streams of their
// own ("layer.0.q.bias"), so that all other numbers stay. Norms are plain, and the feed-forward part has no biases.
#pragma once

#include "engine/core/parallel.h"
#include "engine/model/model.h"

namespace headlight {

/// As make_sandbox in model.h, for sizes that take a while: the same bits by any number of threads.
std::shared_ptr<const Model> make_sandbox(const SandboxSpec& spec, ThreadPool& pool, Progress& progress);

}  // namespace headlight
