#include "engine/pipeline/passing_run.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/core/error.h"
#include "engine/pipeline/other_runs.h"
#include "engine/pipeline/stages/memory_need.h"
#include "engine/pipeline/stages/stages.h"

namespace headlight {

/// What one layer hands to the next.
struct PassingRun::Stream {
  SharedRows resid = {};
  std::shared_ptr<const Matrix> memory = {};                   ///< the encoder's output, once it is there
  std::vector<LayerMasks> masks = {};                          ///< [layer]: layers with equal edits share them
  std::vector<std::shared_ptr<const LayerTrace>> layers = {};  ///< where maps are taken from them
};

namespace {

void check_edits(const std::vector<LayerEdit>& edits) {
  const auto found = std::find_if(edits.begin(), edits.end(), [](const LayerEdit& edit) { return needs_other_run({edit}); });
  if (found == edits.end()) return;
  throw Error({.kind = ErrorKind::usage,
               .field = fmt::format("edit {}", row_of(found->kind).name),
               .problem = "it takes numbers from another text, which is not run here",
               .expected = "off, uniform, previous, self, first or map",
               .hint = "Take the edit away, or see what it does in one run: headlight predict"});
}

bool takes_from_below(const LayerRequest& request) {
  return std::any_of(request.edits.begin(), request.edits.end(), [](const LayerEdit& edit) { return edit.kind == InterventionKind::map; });
}

}  // namespace

PassingRun::PassingRun(std::shared_ptr<const Model> model, const Query& query, PipelineLimits limits)
    : model_(std::move(model)), limits_(limits) {
  ask(query);
  for (const LayerRequest& request : requests_) check_edits(request.edits);
}

PassingRun::PassingRun(std::shared_ptr<const Model> model, const Query& query, OtherRuns& others, ThreadPool& pool, Progress& progress,
                       PipelineLimits limits)
    : model_(std::move(model)), limits_(limits) {
  ask(query);
  others.find(query, model_, limits_, requests_, pool, progress);
}

void PassingRun::ask(const Query& query) {
  requests_ = requests_of_layers(query, *model_);
  keeps_layers_ = std::any_of(requests_.begin(), requests_.end(), takes_from_below);
}

TokenStage PassingRun::tokens_of(const Query& text) const {
  return make_tokens(*model_, text, {text.text, text.text_pair, text.decoder_text, text.ids, text.reads_special_text});
}

LayerMasks PassingRun::masks_for(int layer, const MaskEdits& edits, const TokenStage& tokens, const Watch& watch) const {
  const ModelConfig& config = model_->config;
  const Stack stack = config.place(layer).stack;
  const Index text = std::ssize(tokens.numbers.ids), decoder = tokens.decoder_numbers ? std::ssize(tokens.decoder_numbers->ids) : 0;
  MaskContext context{text, text, tokens.numbers.sentences};
  if (stack == Stack::cross) context = {decoder, text, {}};
  if (stack == Stack::decoder) context = {decoder, decoder, tokens.decoder_numbers->sentences};
  return layer_masks(edits, 0, requests_[static_cast<std::size_t>(layer)].counts.heads, config.own_mask(layer), context, watch);
}

void PassingRun::run_layer_of(int layer, const TokenStage& tokens, Stream& stream, ThreadPool& pool, LayerVisitor* visitor,
                              const Watch& watch) const {
  const ModelConfig& config = model_->config;
  const LayerRequest& request = requests_[static_cast<std::size_t>(layer)];
  if (config.is_encoder_decoder() && layer == config.stacks.encoder_layers) {
    stream.resid = embed(*model_, tokens.decoder_encoding->tokens, true, watch);
  }
  const std::optional<int> below = below_in_stack(config, layer);
  const bool is_same = below && requests_[static_cast<std::size_t>(*below)].mask == request.mask &&
                       requests_[static_cast<std::size_t>(*below)].counts == request.counts &&
                       config.own_mask(*below) == config.own_mask(layer);
  stream.masks.push_back(is_same ? stream.masks[static_cast<std::size_t>(*below)] : masks_for(layer, request.mask, tokens, watch));
  LayerInput input{stream_after_edits(request.edits, layer, stream.resid), stream.memory.get(), stream.masks.back()};
  if (keeps_layers_) input.below = [&](int number) -> const LayerTrace& { return *stream.layers[static_cast<std::size_t>(number)]; };
  const bool stays_on_map = request.mask_reach == MaskReach::this_head && !request.mask.rules.empty();
  if (stays_on_map) input.own_masks = masks_for(layer, {}, tokens, watch);
  if (visitor != nullptr) visitor->begin_layer(layer, input.masks);
  const HeadObserver observer =
      visitor == nullptr ? HeadObserver() : HeadObserver([&](int head, const HeadRows& rows) { visitor->add_rows(head, rows); });
  const auto trace = run_layer(*model_, layer, request, input, pool, observer, watch);
  if (visitor != nullptr) visitor->end_layer(layer, *trace);
  stream.resid = trace->resid_post;
  if (keeps_layers_) stream.layers.push_back(trace);
  if (layer + 1 == config.stacks.encoder_layers) {
    stream.memory = std::make_shared<const Matrix>(make_memory(*model_, *trace->resid_post.whole(), pool, watch));
  }
}

void PassingRun::check_memory(const TokenStage& tokens, int threads) const {
  constexpr std::size_t kAlwaysThere = std::size_t{8} << 20U;  // not worth asking the system, which takes longer than a short text
  const TokenCounts counts{std::ssize(tokens.encoding->tokens), tokens.decoder_encoding ? std::ssize(tokens.decoder_encoding->tokens) : 0};
  const ModelConfig& config = model_->config;
  if (!limits_.bytes && estimate_bytes(config, requests_.front().counts.heads, counts.text, counts.decoder) < kAlwaysThere) return;
  check_limit(config, requests_, counts, threads, limits_, 0, keeps_layers_ ? LayersKept::all : LayersKept::two);
}

SharedRows PassingRun::run(const TokenStage& tokens, ThreadPool& pool, LayerVisitor* visitor, const Watch& watch) const {
  check_memory(tokens, pool.threads());
  Stream stream{.resid = embed(*model_, tokens.encoding->tokens, false, watch)};
  for (int layer = 0; layer < model_->config.layers; ++layer) run_layer_of(layer, tokens, stream, pool, visitor, watch);
  return stream.resid;
}

}  // namespace headlight
