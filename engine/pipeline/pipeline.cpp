#include "engine/pipeline/pipeline.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "engine/dumps/attention_dump.h"
#include "engine/formats/gguf/gguf.h"
#include "engine/forward/forward.h"
#include "engine/model/files/load_model.h"
#include "engine/pipeline/dump_snapshot.h"
#include "engine/pipeline/memory_need.h"
#include "engine/pipeline/notices.h"
#include "engine/pipeline/tokens.h"

namespace headlight {
namespace {

/// What decides the tokens besides the model.
struct TokenKey {
  std::string text;
  std::optional<std::string> text_pair, decoder_text;
  std::vector<std::int64_t> ids;
  bool reads_special_text = true;
  bool operator==(const TokenKey&) const = default;
};

/// One finished layer and what it was made from, besides the layer below.
struct LayerStage {
  LayerRequest request;
  std::shared_ptr<const LayerTrace> trace;
  std::shared_ptr<const std::vector<HeadSummary>> summaries;
};

/// The sizes of the sandbox play no part in a model from a folder.
bool is_same_model(const ModelChoice& a, const ModelChoice& b) {
  return a == b || (a.name == b.name && a.name != "sandbox");
}

double milliseconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// Edits that maps from a file cannot follow: there is nothing to compute again. A mask says which keys count.
bool has_edits(const Query& query) {
  const bool has_surgery = query.heads || query.kv_heads || !query.switched_off.empty();
  return has_surgery || query.score != ScoreSettings{} || query.block != BlockSwitches{};
}

std::size_t bytes_of(const std::vector<HeadSummary>& summaries) {
  std::size_t bytes = 0;
  for (const HeadSummary& summary : summaries) bytes += static_cast<std::size_t>(summary.pooled.size()) * sizeof(float);
  return bytes;
}

}  // namespace

/// The stages of the last query, in order; each is kept as long as its own inputs and all stages before it are unchanged.
struct Pipeline::Memo {
  Memo(int threads, PipelineLimits stated, UnchosenItem wanted) : pool(threads), limits(stated), unchosen(wanted) {}

  ThreadPool pool;
  PipelineLimits limits;
  UnchosenItem unchosen;
  Measures measures = head_measures();

  std::optional<ModelChoice> choice;
  std::shared_ptr<const Model> model;

  std::optional<TokenKey> token_key;
  std::shared_ptr<const Encoding> encoding, decoder_encoding;

  std::optional<TokenNumbers> numbers, decoder_numbers;  // what `embedded` and `decoder_embedded` were made from
  SharedMatrix embedded = share({}), decoder_embedded = share({});
  std::vector<LayerStage> layers;
  std::optional<Matrix> memory;  // the encoder's output, once its last layer is there
  std::optional<Matrix> final_hidden;

  std::string dump_name;  // of the file that `dump_file` was read from, and the item that was asked for
  std::optional<int> dump_item;
  std::optional<AttentionDump> dump_file;
  std::shared_ptr<const Snapshot> dump;  // its maps under the mask edits of the last query

  /// The file is read once, and measured again when the mask edits change.
  std::shared_ptr<Snapshot> show_dump(const Query& query, Progress& progress) {
    const bool is_same_item = query.item == dump_item || (dump_file && query.item && query.item == dump_file->item);
    const bool is_read = dump_file && dump_name == query.model.name && is_same_item;
    if (!is_read) {
      dump.reset();
      dump_file = read_attention_dump(query.model.name, progress, query.item, unchosen);
      dump_name = query.model.name;
      dump_item = query.item;
    }
    const bool is_measured = dump && dump->query.mask == query.mask;
    if (!is_measured) dump = make_dump_snapshot(*dump_file, query, measures, pool, progress);
    auto snapshot = std::make_shared<Snapshot>(*dump);
    snapshot->query.item = query.item;
    (is_measured ? snapshot->cost.layers_reused : snapshot->cost.layers_computed) = snapshot->layers();
    note_absent_heads(snapshot->query, snapshot->model->config, snapshot->heads(), snapshot->notices);
    note_cells_outside(*snapshot, snapshot->notices);
    if (has_edits(query)) {
      snapshot->notices.emplace_back(
          "Edits do nothing here, except for the mask: the maps come from a file, without the weights that made them.");
    }
    return snapshot;
  }

  void keep_model(const ModelChoice& wanted, Progress& progress) {
    if (choice && is_same_model(*choice, wanted)) return;
    std::shared_ptr<const Model> loaded = load_model(wanted, progress);
    choice = wanted;
    model = std::move(loaded);
    token_key.reset();
    numbers.reset();
    decoder_numbers.reset();
    memory.reset();
  }

  void keep_tokens(const Query& query) {
    TokenKey key{query.text, query.text_pair, query.decoder_text, query.ids, query.reads_special_text};
    if (token_key == key) return;
    const Tokenizer& tokenizer = *model->tokenizer;
    const bool has_decoder = model->config.is_encoder_decoder();
    const std::optional<std::string> text_pair = has_decoder ? std::nullopt : query.text_pair;
    auto fresh = std::make_shared<Encoding>(encode_text(tokenizer, query, text_pair));
    cut_to_positions(*fresh, model->config);
    std::shared_ptr<Encoding> fresh_decoder;
    if (has_decoder) {
      fresh_decoder = std::make_shared<Encoding>(encode_decoder_text(*model, query));
      cut_to_positions(*fresh_decoder, model->config);
    }
    encoding = std::move(fresh);
    decoder_encoding = std::move(fresh_decoder);
    token_key = std::move(key);
  }

  void keep_embedding(const Watch& watch) {
    TokenNumbers fresh = numbers_of(*encoding);
    if (numbers != fresh) {
      Matrix rows = embed(*model, encoding->tokens, false, watch);
      embedded = share(std::move(rows));
      numbers = std::move(fresh);
      drop_layers(0);
    }
    if (!decoder_encoding) return;
    TokenNumbers fresh_decoder = numbers_of(*decoder_encoding);
    if (decoder_numbers == fresh_decoder) return;
    Matrix rows = embed(*model, decoder_encoding->tokens, true, watch);
    decoder_embedded = share(std::move(rows));
    decoder_numbers = std::move(fresh_decoder);
    drop_layers(static_cast<std::size_t>(model->config.encoder_layers));
  }

  /// Forgets the layers from `first` on, and what was made of them.
  void drop_layers(std::size_t first) {
    if (layers.size() > first) layers.resize(first);
    if (first < static_cast<std::size_t>(model->config.encoder_layers)) memory.reset();
    final_hidden.reset();
  }

  MaskContext mask_context(Stack stack) const {
    const Index tokens = embedded->rows(), decoder_tokens = decoder_embedded->rows();
    if (stack == Stack::cross) return {decoder_tokens, tokens, {}};
    if (stack == Stack::decoder) return {decoder_tokens, decoder_tokens, decoder_numbers->sentences};
    return {tokens, tokens, numbers->sentences};
  }

  LayerMasks masks_for(int layer, const LayerRequest& request, const MaskEdits& edits, const Watch& watch) const {
    const ModelConfig& config = model->config;
    return layer_masks(edits, 0, request.counts.heads, config.own_mask(layer), mask_context(config.place(layer).stack), watch);
  }

  /// Layers with the same edits share the masks of the layer below.
  LayerMasks edited_masks(int layer, const LayerRequest& request, const Watch& watch) const {
    const std::optional<int> below = below_in_stack(model->config, layer);
    if (!below) return masks_for(layer, request, request.mask, watch);
    const LayerStage& stage = layers[static_cast<std::size_t>(*below)];
    const bool is_same = stage.request.mask == request.mask && stage.request.counts == request.counts &&
                         model->config.own_mask(layer) == model->config.own_mask(*below);
    return is_same ? masks_of(*stage.trace) : masks_for(layer, request, request.mask, watch);
  }

  SharedMatrix resid_pre_of(int layer) const {
    if (layer == 0) return embedded;
    if (model->config.is_encoder_decoder() && layer == model->config.encoder_layers) return decoder_embedded;
    return layers.back().trace->resid_post;
  }

  void add_layer(int layer, const LayerRequest& request, Progress& progress) {
    const int count = model->config.layers;
    const std::string what = fmt::format("layer {} of {}", layer + 1, count);
    const int heads = request.counts.heads;
    auto summaries = std::make_shared<std::vector<HeadSummary>>(static_cast<std::size_t>(heads));
    std::atomic<int> heads_done = 0;
    const bool is_cross = model->config.place(layer).stack == Stack::cross;
    const HeadObserver observer = [&](int head, const Matrix& weights, const Mask& mask) {
      (*summaries)[static_cast<std::size_t>(head)] =
          is_cross ? summarise_cross_head(weights, mask, progress, measures) : summarise_head(weights, mask, progress, measures);
      progress.step((layer + static_cast<double>(++heads_done) / (heads + 1)) / count, what);
    };
    LayerInput input{resid_pre_of(layer), memory ? &*memory : nullptr, edited_masks(layer, request, progress)};
    const bool stays_on_map = request.mask_reach == MaskReach::this_head && !request.mask.rules.empty();
    if (stays_on_map) input.own_masks = masks_for(layer, request, {}, progress);
    auto trace = run_layer(*model, layer, request, input, pool, observer, progress);
    if (layer + 1 == model->config.encoder_layers) memory = make_memory(*model, *trace->resid_post, progress);
    layers.push_back({request, std::move(trace), std::move(summaries)});
  }

  /// Returns how many layers were reused.
  int keep_layers(const std::vector<LayerRequest>& requests, Progress& progress) {
    const auto is_same = [](const LayerStage& stage, const LayerRequest& request) { return stage.request == request; };
    const auto reusable = std::mismatch(layers.begin(), layers.end(), requests.begin(), requests.end(), is_same).first - layers.begin();
    const bool is_complete = reusable == std::ssize(requests);
    if (!is_complete) drop_layers(static_cast<std::size_t>(reusable));
    for (auto layer = static_cast<std::size_t>(reusable); layer < requests.size(); ++layer) {
      progress.step(static_cast<double>(layer) / static_cast<double>(requests.size()), "computing");
      add_layer(static_cast<int>(layer), requests[layer], progress);
    }
    if (!final_hidden) final_hidden = apply_final_norm(*model, *layers.back().trace->resid_post, progress);
    return static_cast<int>(reusable);
  }

  std::shared_ptr<Snapshot> take_snapshot(const Query& query) const {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->query = query;
    snapshot->model = model;
    snapshot->encoding = encoding;
    snapshot->decoder_encoding = decoder_encoding;
    snapshot->trace.embedded = embedded;
    snapshot->trace.final_hidden = *final_hidden;
    for (const LayerStage& stage : layers) {
      snapshot->trace.layers.push_back(stage.trace);
      snapshot->summaries.push_back(stage.summaries);
      snapshot->cost.bytes += bytes_of(*stage.summaries);
    }
    snapshot->cost.bytes += bytes_of(snapshot->trace);
    return snapshot;
  }
};

Pipeline::Pipeline(int threads, PipelineLimits limits, UnchosenItem unchosen) : memo_(std::make_unique<Memo>(threads, limits, unchosen)) {}
Pipeline::~Pipeline() = default;

void Pipeline::measure_by(Measures table) {
  memo_->measures = table;
  memo_->dump.reset();
  if (memo_->model) memo_->drop_layers(0);
}

ThreadPool& Pipeline::pool() {
  return memo_->pool;
}

std::shared_ptr<const Snapshot> Pipeline::run(const Query& query, Progress& progress) {
  const auto begin = std::chrono::steady_clock::now();
  Memo& memo = *memo_;
  if (names_attention_dump(query.model.name)) {
    std::shared_ptr<Snapshot> snapshot = memo.show_dump(query, progress);
    snapshot->cost.milliseconds = milliseconds_since(begin);
    return snapshot;
  }
  memo.dump.reset();
  memo.dump_file.reset();
  memo.keep_model(query.model, progress);
  const ModelConfig& config = memo.model->config;

  std::vector<LayerRequest> requests;
  requests.reserve(static_cast<std::size_t>(config.layers));
  for (int layer = 0; layer < config.layers; ++layer) requests.push_back(request_of_layer(query, *memo.model, layer));
  memo.keep_tokens(query);
  const TokenCounts tokens{std::ssize(memo.encoding->tokens), memo.decoder_encoding ? std::ssize(memo.decoder_encoding->tokens) : 0};
  check_limit(config, requests, tokens, memo.pool.threads(), memo.limits);
  memo.keep_embedding(progress);
  const int reused = memo.keep_layers(requests, progress);

  std::shared_ptr<Snapshot> snapshot = memo.take_snapshot(query);
  snapshot->cost.layers_reused = reused;
  snapshot->cost.layers_computed = config.layers - reused;
  std::vector<std::string>& notices = snapshot->notices;
  notices = memo.model->notices;
  notices.insert(notices.end(), memo.encoding->notices.begin(), memo.encoding->notices.end());
  if (memo.decoder_encoding) {
    const std::vector<std::string>& more = memo.decoder_encoding->notices;
    notices.insert(notices.end(), more.begin(), more.end());
  }
  if (snapshot->tokens() == 0) notices.emplace_back("The text has no tokens.");
  if (snapshot->decoder_encoding && snapshot->decoder_encoding->tokens.empty()) notices.emplace_back("The decoder's text has no tokens.");
  note_absent_heads(query, snapshot->model->config, snapshot->heads(), notices);
  note_cells_outside(*snapshot, notices);
  note_uniform_heads(*snapshot, notices);
  snapshot->cost.milliseconds = milliseconds_since(begin);
  return snapshot;
}

bool names_model_file(const std::string& path) {
  return is_gguf(path) || names_attention_dump(path);
}

}  // namespace headlight
