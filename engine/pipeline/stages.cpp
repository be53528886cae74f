#include "engine/pipeline/stages.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "engine/pipeline/memory_need.h"

namespace headlight {

TokenStage make_tokens(const Model& model, const Query& query, TokenKey key) {
  const bool has_decoder = model.config.is_encoder_decoder();
  auto encoding = std::make_shared<Encoding>(encode_text(*model.tokenizer, query, has_decoder ? std::nullopt : query.text_pair));
  cut_to_positions(*encoding, model.config);
  TokenStage tokens;
  tokens.key = std::move(key);
  tokens.numbers = numbers_of(*encoding);
  tokens.encoding = std::move(encoding);
  if (!has_decoder) return tokens;
  auto decoder = std::make_shared<Encoding>(encode_decoder_text(model, query));
  cut_to_positions(*decoder, model.config);
  tokens.decoder_numbers = numbers_of(*decoder);
  tokens.decoder_encoding = std::move(decoder);
  return tokens;
}

void Stages::keep_embedding(const Watch& watch) {
  const TokenStage& tokens = *memo_.tokens;
  if (memo_.numbers != tokens.numbers) {
    auto rows = share(embed(*memo_.model, tokens.encoding->tokens, false, watch));
    memo_.embedded = std::move(rows);
    memo_.numbers = tokens.numbers;
    memo_.drop_layers(0);
  }
  if (!tokens.decoder_encoding || memo_.decoder_numbers == tokens.decoder_numbers) return;
  auto rows = share(embed(*memo_.model, tokens.decoder_encoding->tokens, true, watch));
  memo_.decoder_embedded = std::move(rows);
  memo_.decoder_numbers = tokens.decoder_numbers;
  memo_.drop_layers(static_cast<std::size_t>(memo_.model->config.stacks.encoder_layers));
}

MaskContext Stages::mask_context(Stack stack) const {
  const Index tokens = memo_.embedded->rows(), decoder_tokens = memo_.decoder_embedded ? memo_.decoder_embedded->rows() : 0;
  if (stack == Stack::cross) return {decoder_tokens, tokens, {}};
  if (stack == Stack::decoder) return {decoder_tokens, decoder_tokens, memo_.decoder_numbers->sentences};
  return {tokens, tokens, memo_.numbers->sentences};
}

LayerMasks Stages::masks_for(int layer, const LayerRequest& request, const MaskEdits& edits, const Watch& watch) const {
  const ModelConfig& config = memo_.model->config;
  return layer_masks(edits, 0, request.counts.heads, config.own_mask(layer), mask_context(config.place(layer).stack), watch);
}

/// Layers with the same edits share the masks of the layer below.
LayerMasks Stages::edited_masks(int layer, const LayerRequest& request, const Watch& watch) const {
  const std::optional<int> below = below_in_stack(memo_.model->config, layer);
  if (!below) return masks_for(layer, request, request.mask, watch);
  const LayerStage& stage = memo_.layers[static_cast<std::size_t>(*below)];
  const bool is_same = stage.request.mask == request.mask && stage.request.counts == request.counts &&
                       memo_.model->config.own_mask(layer) == memo_.model->config.own_mask(*below);
  return is_same ? masks_of(*stage.trace) : masks_for(layer, request, request.mask, watch);
}

SharedMatrix Stages::resid_pre_of(int layer) const {
  if (layer == 0) return memo_.embedded;
  if (memo_.model->config.is_encoder_decoder() && layer == memo_.model->config.stacks.encoder_layers) return memo_.decoder_embedded;
  return memo_.layers.back().trace->resid_post;
}

void Stages::add_layer(int layer, const LayerRequest& request, Progress& progress) {
  const int count = memo_.model->config.layers;
  const std::string what = fmt::format("layer {} of {}", layer + 1, count);
  const int heads = request.counts.heads;
  auto summaries = std::make_shared<std::vector<HeadSummary>>(static_cast<std::size_t>(heads));
  std::atomic<int> heads_done = 0;
  const bool is_cross = memo_.model->config.place(layer).stack == Stack::cross;
  const HeadObserver observer = [&](int head, const Matrix& weights, const Mask& mask) {
    (*summaries)[static_cast<std::size_t>(head)] =
        is_cross ? summarise_cross_head(weights, mask, progress, measures_) : summarise_head(weights, mask, progress, measures_);
    progress.step((layer + static_cast<double>(++heads_done) / (heads + 1)) / count, what);
  };
  LayerInput input{resid_pre_of(layer), memo_.memory.get(), edited_masks(layer, request, progress)};
  const bool stays_on_map = request.mask_reach == MaskReach::this_head && !request.mask.rules.empty();
  if (stays_on_map) input.own_masks = masks_for(layer, request, {}, progress);
  auto trace = run_layer(*memo_.model, layer, request, input, pool_, observer, progress);
  if (layer + 1 == memo_.model->config.stacks.encoder_layers) {
    memo_.memory = std::make_shared<const Matrix>(make_memory(*memo_.model, *trace->resid_post, progress));
  }
  memo_.layers.push_back({request, std::move(trace), std::move(summaries)});
}

int Stages::keep_layers(const std::vector<LayerRequest>& requests, Progress& progress) {
  const std::size_t reusable = memo_.shared_layers(*memo_.tokens, requests);
  if (reusable < requests.size()) memo_.drop_layers(reusable);
  for (std::size_t layer = reusable; layer < requests.size(); ++layer) {
    progress.step(static_cast<double>(layer) / static_cast<double>(requests.size()), "computing");
    add_layer(static_cast<int>(layer), requests[layer], progress);
  }
  if (!memo_.final_hidden) {
    memo_.final_hidden = std::make_shared<const Matrix>(apply_final_norm(*memo_.model, *memo_.layers.back().trace->resid_post, progress));
  }
  return static_cast<int>(reusable);
}

std::shared_ptr<Snapshot> Stages::take_snapshot(const Query& query) const {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->query = query;
  snapshot->model = memo_.model;
  snapshot->encoding = memo_.tokens->encoding;
  snapshot->decoder_encoding = memo_.tokens->decoder_encoding;
  snapshot->trace.embedded = memo_.embedded;
  snapshot->trace.final_hidden = *memo_.final_hidden;
  for (const LayerStage& stage : memo_.layers) {
    snapshot->trace.layers.push_back(stage.trace);
    snapshot->summaries.push_back(stage.summaries);
    snapshot->cost.bytes += bytes_of(*stage.summaries);
  }
  snapshot->cost.bytes += bytes_of(snapshot->trace);
  return snapshot;
}

}  // namespace headlight
