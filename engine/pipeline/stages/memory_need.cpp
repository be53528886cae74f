#include "engine/pipeline/stages/memory_need.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "engine/core/memory_limit.h"

namespace headlight {
namespace {

constexpr auto kMostBytes = std::numeric_limits<std::size_t>::max();

/// Cells of the masks beyond one for each stack. Every layer whose masks are not those of the layer below holds one for all heads and one
/// for each head of its own.
double more_mask_cells(const ModelConfig& config, const std::vector<LayerRequest>& requests, TokenCounts tokens) {
  double cells = 0;
  for (int layer = 0; layer < config.layers; ++layer) {
    const auto request = requests.begin() + layer;
    const std::optional<int> below = below_in_stack(config, layer);
    if (below && request->mask == requests[static_cast<std::size_t>(*below)].mask) continue;
    cells += static_cast<double>(request->mask.rules.size() + (below ? 1 : 0)) * map_size(config, layer, tokens).cells();
  }
  return cells;
}

/// Maps that edits put in place stay with their heads, and while one is made there are its own, the other's and the scores.
double placed_map_bytes(const ModelConfig& config, const std::vector<LayerRequest>& requests, TokenCounts tokens) {
  double cells = 0, largest = 0;
  for (int layer = 0; layer < config.layers; ++layer) {
    for (const LayerEdit& edit : requests[static_cast<std::size_t>(layer)].edits) {
      if (row_of(edit.kind).replaces != ReplacedPart::weights) continue;
      const double of_map = map_size(config, layer, tokens).cells();
      cells += static_cast<double>(edit.heads.size()) * of_map;
      largest = std::max(largest, of_map);
    }
  }
  return sizeof(float) * (cells + 3 * largest);
}

/// What a layer leaves behind: its trace, and the summaries of its heads.
double layer_bytes(const ModelConfig& config, int layer, int heads, TokenCounts tokens) {
  const MapSize map = map_size(config, layer, tokens);
  const auto side = static_cast<double>(kPooledSide);
  const double width = config.d_model;
  const double of_queries = map.queries > kMostTokensWithQueries ? 2 : 3;  // z and resid_post, and q; resid_pre is the layer below's
  const double trace = width * (of_queries * map.queries + 2 * map.keys);  // k and v
  const double pooled = std::min(map.queries, side) * std::min(map.keys, side) * heads;
  const double sums = std::min(map.queries, side) * static_cast<double>(3 + 2 * head_measures().size()) * heads;
  return sizeof(float) * (trace + pooled) + sizeof(double) * sums;
}

double run_bytes(const ModelConfig& config, int heads, TokenCounts tokens, LayersKept kept) {
  const double n = static_cast<double>(tokens.text), m = static_cast<double>(tokens.decoder);
  const double longest = std::max(n, m);
  const double width = config.d_model;
  const double matrices = 3 * n * width + 2 * m * width;  // embedded, final_hidden, what cross-attention reads
  double of_layers = 0, largest = 0;
  for (int layer = 0; layer < config.layers; ++layer) {
    const double bytes = layer_bytes(config, layer, heads, tokens);
    of_layers += bytes;
    largest = std::max(largest, bytes);
  }
  if (kept == LayersKept::two) of_layers = std::min(of_layers, 2 * largest);
  const double working =
      longest * (config.feed_forward.d_ff + 8 * width) + 2 * longest * longest;  // feed-forward, norms; one map and its copy
  const double masks = n * n + m * m + m * n;                                    // one for each stack
  return sizeof(float) * (matrices + working) + of_layers + masks;
}

}  // namespace

MapSize map_size(const ModelConfig& config, int layer, TokenCounts tokens) {
  const Stack stack = config.place(layer).stack;
  const bool has_decoder_queries = stack == Stack::decoder || stack == Stack::cross;
  return {static_cast<double>(has_decoder_queries ? tokens.decoder : tokens.text),
          static_cast<double>(stack == Stack::decoder ? tokens.decoder : tokens.text)};
}

std::optional<int> below_in_stack(const ModelConfig& config, int layer) {
  LayerPlace place = config.place(layer);
  --place.number;
  const int step = place.stack == Stack::only || place.stack == Stack::encoder ? 1 : 2;
  if (place.number < 0) return std::nullopt;
  return layer - step;
}

std::size_t bytes_of_run(const ModelConfig& config, int heads, TokenCounts tokens, LayersKept kept) {
  const double bytes = run_bytes(config, heads, tokens, kept);
  return bytes < static_cast<double>(kMostBytes) ? static_cast<std::size_t>(bytes) : kMostBytes;
}

void check_limit(const ModelConfig& config, const std::vector<LayerRequest>& requests, TokenCounts tokens, int threads,
                 const PipelineLimits& limits, std::size_t held, LayersKept kept) {
  const int heads = requests.front().counts.heads;
  const double longest = static_cast<double>(std::max(tokens.text, tokens.decoder));
  const double more_masks = more_mask_cells(config, requests, tokens);
  const double at_work =
      2.0 * std::min(threads, heads) * longest * config.heads.d_head * sizeof(float);  // keys and values of heads as panels
  const double needed = run_bytes(config, heads, tokens, kept) + more_masks + at_work + placed_map_bytes(config, requests, tokens);
  const std::string decoder = config.is_encoder_decoder() ? fmt::format(" and {} of the decoder", tokens.decoder) : "";
  ErrorDetail refusal{.field = "tokens",
                      .problem = fmt::format("{} tokens{} in {} layers of {} heads need more memory than allowed", tokens.text, decoder,
                                             config.layers, heads),
                      .hint = "Use a shorter text or a smaller model."};
  if (held > 0) {
    refusal.found = fmt::format("besides {} held for comparing", memory_text(static_cast<double>(held)));
    refusal.hint = "Close another text, clear the baseline or unpin frozen heads; or use a shorter text or a smaller model.";
  }
  require_memory(needed, limits.bytes ? MemoryAllowance{*limits.bytes - std::min(held, *limits.bytes)} : allowed_memory(), refusal);
}

std::size_t estimate_bytes(const ModelConfig& config, int heads, Index tokens, Index decoder_tokens) {
  return bytes_of_run(config, heads, {tokens, decoder_tokens});
}

}  // namespace headlight
