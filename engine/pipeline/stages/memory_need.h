// How much memory a query needs, from the sizes alone: checked before anything is allocated.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/forward/forward.h"

namespace headlight {

/// Stated limits; above them a query is refused (Error, limit) before anything is allocated.
struct PipelineLimits {
  /// Bytes of trace and working memory, over all queries that are kept; what they share counts once. None: what allowed_memory (core) says
  /// when a query is run, which is of the memory that the others have left free.
  std::optional<std::size_t> bytes = {};
};

/// Tokens of the text and, in encoder–decoder models, of the decoder's.
struct TokenCounts {
  Index text = 0, decoder = 0;
};

/// The rows and columns of a layer's maps.
struct MapSize {
  double queries = 0, keys = 0;
  double cells() const { return queries * keys; }
};
MapSize map_size(const ModelConfig& config, int layer, TokenCounts tokens);

/// The nearest layer below of the same stack, whose masks have the same size; none for the first of a stack.
std::optional<int> below_in_stack(const ModelConfig& config, int layer);

/// What a run holds at once: the traces of all its layers, or one and that of the layer below it.
enum class LayersKept : std::uint8_t { all, two };

/// Bytes that a run keeps and needs while it runs, with one map of its longest text and a copy. SIZE_MAX where the number is larger.
std::size_t bytes_of_run(const ModelConfig& config, int heads, TokenCounts tokens, LayersKept kept = LayersKept::all);

/// Bytes a query would keep (trace, masks, summaries) and need while it runs, from the sizes alone: masks that differ by layer or head, and
/// more threads, add to it. SIZE_MAX where the number is larger than that. decoder_tokens: 0 unless the model is an encoder–decoder.
std::size_t estimate_bytes(const ModelConfig& config, int heads, Index tokens, Index decoder_tokens = 0);

/// Throws Error (limit) with both numbers where the layers would need more than `limits`, or than this machine allows, has for them.
/// `held`: bytes that other queries keep and these layers do not share. They count against limits.bytes; what the machine has free is
/// already without them.
void check_limit(const ModelConfig& config, const std::vector<LayerRequest>& requests, TokenCounts tokens, int threads,
                 const PipelineLimits& limits, std::size_t held = 0, LayersKept kept = LayersKept::all);

}  // namespace headlight
