#include "engine/pipeline/stages/stages.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "engine/core/memory_reserve.h"
#include "engine/pipeline/stages/memory_need.h"

namespace headlight {

void StageClock::note(std::string stage) {
  const auto now = std::chrono::steady_clock::now();
  constexpr double kNothing = 0.005;
  const double milliseconds = std::chrono::duration<double, std::milli>(now - last_).count();
  last_ = now;
  if (milliseconds < kNothing) return;
  const auto known = std::find_if(times_.begin(), times_.end(), [&](const StageTime& time) { return time.stage == stage; });
  if (known != times_.end()) {
    known->milliseconds += milliseconds;
  } else {
    times_.push_back({std::move(stage), milliseconds});
  }
}

TokenStage make_tokens(const Model& model, const Query& query, TokenKey key) {
  const bool has_decoder = model.config.is_encoder_decoder();
  auto encoding = std::make_shared<Encoding>(encode_text(*model.tokenizer, query, has_decoder ? std::nullopt : query.text_pair));
  TokenStage tokens;
  tokens.is_cut = cut_to_positions(*encoding, model.config);
  tokens.key = std::move(key);
  tokens.numbers = numbers_of(*encoding);
  tokens.encoding = std::move(encoding);
  if (!has_decoder) return tokens;
  auto decoder = std::make_shared<Encoding>(encode_decoder_text(model, query));
  tokens.is_cut = cut_to_positions(*decoder, model.config) || tokens.is_cut;
  tokens.decoder_numbers = numbers_of(*decoder);
  tokens.decoder_encoding = std::move(decoder);
  return tokens;
}

namespace {

/// From the first on; of texts that the embedding sees alike.
Index count_same_tokens(const std::optional<TokenNumbers>& a, const TokenNumbers& b) {
  if (!a) return 0;
  const std::size_t most = std::min(a->ids.size(), b.ids.size());
  std::size_t token = 0;
  while (token < most && a->ids[token] == b.ids[token] && a->types[token] == b.types[token]) ++token;
  return static_cast<Index>(token);
}

}  // namespace

void Stages::keep_embedding(const Watch& watch) {
  const TokenStage& tokens = *memo_.tokens;
  const auto embed_below = [&](const Encoding& encoding, bool is_decoder, const SharedRows& before, Index known) {
    return before.continued(known, embed(*memo_.model, encoding.tokens, is_decoder, watch, known));
  };
  if (memo_.numbers != tokens.numbers) {
    const Index known = count_same_tokens(memo_.numbers, tokens.numbers);
    memo_.embedded = embed_below(*tokens.encoding, false, memo_.embedded, known);
    memo_.numbers = tokens.numbers;
    memo_.drop_layers(0);
  }
  if (!tokens.decoder_encoding || memo_.decoder_numbers == tokens.decoder_numbers) return;
  const Index known = count_same_tokens(memo_.decoder_numbers, *tokens.decoder_numbers);
  memo_.decoder_embedded = embed_below(*tokens.decoder_encoding, true, memo_.decoder_embedded, known);
  memo_.decoder_numbers = tokens.decoder_numbers;
  memo_.drop_layers(static_cast<std::size_t>(memo_.model->config.stacks.encoder_layers));
}

MaskContext Stages::mask_context(Stack stack) const {
  const Index tokens = memo_.embedded.rows(), decoder_tokens = memo_.decoder_embedded.rows();
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

SharedRows Stages::resid_pre_of(int layer) const {
  if (layer == 0) return memo_.embedded;
  if (memo_.model->config.is_encoder_decoder() && layer == memo_.model->config.stacks.encoder_layers) return memo_.decoder_embedded;
  return memo_.layers.back().trace->resid_post;
}

/// Those above share no more rows with the earlier run than this one does, which is none.
void Stages::forget_earlier(int layer, Index known) {
  const auto number = static_cast<std::size_t>(layer);
  if (number < memo_.earlier.size()) memo_.earlier[number].reset();
  if (known == 0 && memo_.model->config.place(layer).stack == Stack::only) memo_.earlier.clear();
}

LayerInput Stages::input_of(int layer, const LayerRequest& request, const Watch& watch) const {
  LayerInput input{stream_after_edits(request.edits, layer, resid_pre_of(layer)), memo_.memory.get(), edited_masks(layer, request, watch)};
  if (input.resid_pre.rows() > kMostTokensWithQueries) input.projects_queries_again = memo_.model;
  const bool stays_on_map = request.mask_reach == MaskReach::this_head && !request.mask.rules.empty();
  if (stays_on_map) input.own_masks = masks_for(layer, request, {}, watch);
  return input;
}

void Stages::add_layer(int layer, const LayerRequest& request, Progress& progress) {
  const int count = memo_.model->config.layers;
  const std::string what = fmt::format("layer {} of {}", layer + 1, count);
  const bool is_cross = memo_.model->config.place(layer).stack == Stack::cross;
  LayerInput input = input_of(layer, request, progress);
  input.below = [this](int number) -> const LayerTrace& { return *memo_.layers[static_cast<std::size_t>(number)].trace; };
  // What lies unused between what is kept of the layers below is a tenth of the peak at 4,096 tokens.
  if (input.projects_queries_again) give_unused_memory_back();

  std::vector<HeadMeter> meters;
  meters.reserve(input.masks.size());
  for (const auto& mask : input.masks) meters.emplace_back(*mask, MeterSettings{measures_, !is_cross});
  const auto number = static_cast<std::size_t>(layer);
  std::optional<EarlierLayer> earlier = number < memo_.earlier.size() ? memo_.earlier[number] : std::nullopt;
  if (earlier) begin_after(*earlier, {layer, request, input.resid_pre, input.masks, memo_.memory}, input, meters);
  if (input.known_rows == 0) {
    forget_earlier(layer, 0);
    earlier.reset();
  }

  std::atomic<int> heads_done = 0;
  const HeadObserver observer = [&](int head, const HeadRows& rows) {
    meters[static_cast<std::size_t>(head)].add(rows, progress);
    const bool is_last = rows.first_query + rows.weights.rows() == input.resid_pre.rows();
    if (is_last) progress.step((layer + static_cast<double>(++heads_done) / (request.counts.heads + 1)) / count, what);
  };
  auto trace = run_layer(*memo_.model, layer, request, input, pool_, observer, progress);
  auto summaries = std::make_shared<std::vector<HeadSummary>>(meters.size());
  pool_.for_each(std::ssize(meters),
                 [&](Index head) { (*summaries)[static_cast<std::size_t>(head)] = meters[static_cast<std::size_t>(head)].finish(); });
  if (layer + 1 == memo_.model->config.stacks.encoder_layers) {
    memo_.memory = std::make_shared<const Matrix>(make_memory(*memo_.model, *trace->resid_post.whole(), pool_, progress));
  }
  if (layer + 1 == count) keep_final_hidden(*trace, earlier ? &*earlier : nullptr, progress);
  rows_computed_ = std::max(rows_computed_, input.resid_pre.rows() - input.known_rows);
  memo_.layers.push_back({request, std::move(trace), std::move(summaries)});
  forget_earlier(layer, input.known_rows);
}

void Stages::begin_after(const EarlierLayer& earlier, const WantedLayer& wanted, LayerInput& input, std::vector<HeadMeter>& meters) const {
  const Index known = count_known_rows(*memo_.model, earlier, wanted);
  if (known == 0) return;
  input.before = earlier.stage.trace.get();
  input.known_rows = known;
  input.first_map_row = known;
  for (std::size_t head = 0; head < meters.size(); ++head) {
    input.first_map_row = std::min(input.first_map_row, meters[head].begin_after((*earlier.stage.summaries)[head], known));
  }
}

void Stages::keep_final_hidden(const LayerTrace& last, const EarlierLayer* earlier, const Watch& watch) {
  Index known = 0;
  if (earlier != nullptr && earlier->final_hidden) known = earlier->stage.trace->resid_post.same_rows(last.resid_post);
  Matrix rows = apply_final_norm(*memo_.model, *last.resid_post.from_row(known), pool_, watch);
  memo_.final_hidden = known > 0 ? earlier->final_hidden->continued(known, std::move(rows)) : SharedRows(std::move(rows));
}

int Stages::keep_layers(const std::vector<LayerRequest>& requests, StageClock& clock, Progress& progress, const AfterLayer& after_layer) {
  const int reusable = keep_first_layers(requests, requests.size(), clock, progress, after_layer);
  if (!memo_.final_hidden) {
    keep_final_hidden(*memo_.layers.back().trace, nullptr, progress);
    clock.note("final norm");
  }
  memo_.earlier.clear();
  return reusable;
}

int Stages::keep_first_layers(const std::vector<LayerRequest>& requests, std::size_t end, StageClock& clock, Progress& progress,
                              const AfterLayer& after_layer) {
  const std::size_t reusable = memo_.shared_layers(*memo_.tokens, requests);
  if (reusable < end) memo_.drop_layers(reusable);
  for (std::size_t layer = reusable; layer < end; ++layer) {
    progress.step(static_cast<double>(layer) / static_cast<double>(requests.size()), "computing");
    add_layer(static_cast<int>(layer), requests[layer], progress);
    clock.note(fmt::format("layer {} of {}", layer + 1, requests.size()));
    if (after_layer && layer + 1 < requests.size()) after_layer();
  }
  return static_cast<int>(reusable);
}

bool needs_more_than_its_layer(const LayerRequest& request) {
  return std::any_of(request.edits.begin(), request.edits.end(),
                     [](const LayerEdit& edit) { return row_of(edit.kind).need != InterventionNeed::nothing; });
}

namespace {

/// Of a layer that was not computed: how many heads it has, and their masks where they are given.
LayerStage heads_alone(const LayerRequest& request, const LayerMasks& masks = {}) {
  auto trace = std::make_shared<LayerTrace>();
  trace->heads = request.counts.heads;
  trace->kv_heads = request.counts.kv_heads;
  for (const auto& mask : masks) trace->rules.push_back({.mask = mask});
  return {request, std::move(trace), std::make_shared<std::vector<HeadSummary>>(static_cast<std::size_t>(request.counts.heads))};
}

/// What is left of a layer that nobody looks at: how many heads it has, their masks, which the next layer shares, and what it reads.
LayerStage without_matrices(const LayerRequest& request, const LayerTrace& whole, SharedRows resid_post = {}) {
  auto trace = std::make_shared<LayerTrace>();
  trace->resid_post = std::move(resid_post);
  trace->heads = whole.heads;
  trace->kv_heads = whole.kv_heads;
  trace->rules = whole.rules;
  for (HeadRule& rule : trace->rules) rule.placed_weights = nullptr;
  return {request, std::move(trace), std::make_shared<std::vector<HeadSummary>>(static_cast<std::size_t>(whole.heads))};
}

}  // namespace

void Stages::keep_one_layer(const std::vector<LayerRequest>& requests, int layer, Progress& progress) {
  memo_.forget_layers();
  for (int number = 0; number < layer; ++number) {
    const LayerRequest& request = requests[static_cast<std::size_t>(number)];
    progress.step(static_cast<double>(number) / (layer + 1), fmt::format("layer {} of {}", number + 1, layer + 1));
    const auto trace = run_layer(*memo_.model, number, request, input_of(number, request, progress), pool_, {}, progress);
    if (number > 0) memo_.layers.back() = without_matrices(memo_.layers.back().request, *memo_.layers.back().trace);
    memo_.layers.push_back(without_matrices(request, *trace, trace->resid_post));
  }
  add_layer(layer, requests[static_cast<std::size_t>(layer)], progress);
  for (auto number = static_cast<std::size_t>(layer) + 1; number < requests.size(); ++number) {
    const LayerRequest& request = requests[number];
    memo_.layers.push_back(heads_alone(request, edited_masks(static_cast<int>(number), request, progress)));
  }
}

std::shared_ptr<Snapshot> Stages::take_snapshot(const Query& query) const {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->query = query;
  snapshot->model = memo_.model;
  snapshot->encoding = memo_.tokens->encoding;
  snapshot->decoder_encoding = memo_.tokens->decoder_encoding;
  snapshot->trace.embedded = memo_.embedded;
  if (memo_.final_hidden) snapshot->trace.final_hidden = *memo_.final_hidden;
  snapshot->cost.rows_computed = rows_computed_;
  for (const LayerStage& stage : memo_.layers) {
    snapshot->trace.layers.push_back(stage.trace);
    snapshot->summaries.push_back(stage.summaries);
    snapshot->cost.bytes += bytes_of(*stage.summaries);
  }
  snapshot->cost.add_memory(snapshot->trace);
  return snapshot;
}

std::shared_ptr<Snapshot> Stages::take_part(const Query& query, const std::vector<LayerRequest>& requests) const {
  std::shared_ptr<Snapshot> snapshot = take_snapshot(query);
  for (std::size_t layer = memo_.layers.size(); layer < requests.size(); ++layer) {
    const LayerStage stage = heads_alone(requests[layer]);
    snapshot->trace.layers.push_back(stage.trace);
    snapshot->summaries.push_back(stage.summaries);
  }
  return snapshot;
}

}  // namespace headlight
