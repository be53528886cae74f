#include "engine/pipeline.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>

#include "engine/attention/forward.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr auto kMostBytes = std::numeric_limits<std::size_t>::max();

/// What decides the tokens besides the model.
struct TokenKey {
  std::string text;
  std::optional<std::string> text_pair, decoder_text;
  std::vector<std::int64_t> ids;
  bool operator==(const TokenKey&) const = default;
};

/// What the layers see of the tokens.
struct TokenNumbers {
  std::vector<std::int64_t> ids;
  std::vector<int> sentences;
  bool operator==(const TokenNumbers&) const = default;
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

TokenNumbers numbers_of(const Encoding& encoding) {
  TokenNumbers numbers;
  for (const Token& token : encoding.tokens) {
    numbers.ids.push_back(token.id);
    // A special token such as [SEP] closes the sentence before it. Type ids would not do: RoBERTa's are all 0.
    const int before = numbers.sentences.empty() ? 0 : numbers.sentences.back();
    numbers.sentences.push_back(token.is_special ? before : token.sequence);
  }
  return numbers;
}

Encoding encode_ids(const Tokenizer& tokenizer, const std::vector<std::int64_t>& ids) {
  Encoding encoding;
  for (const std::int64_t id : ids) {
    Token token;
    token.id = id;
    token.text = tokenizer.token_of(id).value_or(fmt::format("#{}", id));
    encoding.tokens.push_back(std::move(token));
  }
  return encoding;
}

/// What the decoder reads where nothing is said: the second sentence, or the first one again.
const std::string& decoder_text_of(const Query& query) {
  if (query.decoder_text) return *query.decoder_text;
  return query.text_pair ? *query.text_pair : query.text;
}

void cut_to_positions(Encoding& encoding, int max_positions) {
  const std::size_t tokens = encoding.tokens.size();
  const auto limit = static_cast<std::size_t>(max_positions);
  if (max_positions == 0 || tokens <= limit) return;
  encoding.tokens.resize(limit);
  encoding.notices.push_back(fmt::format("Showing the first {} of {} tokens: the model has no positions for more.", max_positions, tokens));
}

std::string gibibytes(double bytes) {
  return fmt::format("{:.1f} GiB", bytes / static_cast<double>(1U << 30U));
}

double map_bytes(Index tokens) {
  return static_cast<double>(tokens) * static_cast<double>(tokens) * sizeof(float);
}

/// Every layer whose masks are not those of the layer below holds one for all heads and one for each head of its own.
std::size_t count_masks(const std::vector<LayerRequest>& requests) {
  std::size_t masks = 0;
  for (std::size_t layer = 0; layer < requests.size(); ++layer) {
    const bool is_shared = layer > 0 && requests[layer].mask == requests[layer - 1].mask;
    if (!is_shared) masks += 1 + requests[layer].mask.rules.size();
  }
  return masks;
}

void check_limit(const ModelConfig& config, const std::vector<LayerRequest>& requests, Index tokens, int threads, std::size_t allowed) {
  const int heads = requests.front().counts.heads;
  const double more_masks = static_cast<double>(count_masks(requests) - 1) * map_bytes(tokens) / sizeof(float);
  const double more_maps = 2.0 * (std::min(threads, heads) - 1) * map_bytes(tokens);
  const double needed = static_cast<double>(estimate_bytes(config, heads, tokens)) + more_masks + more_maps;
  if (needed <= static_cast<double>(allowed)) return;
  throw Error({.kind = ErrorKind::limit,
               .field = "tokens",
               .problem = fmt::format("{} tokens in {} layers of {} heads need more memory than allowed", tokens, config.layers, heads),
               .found = gibibytes(needed),
               .expected = fmt::format("at most {}", gibibytes(static_cast<double>(allowed))),
               .hint = "Use a shorter text or a smaller model."});
}

/// Edits of heads that this model does not have: they do nothing, and stay for a model that has them.
void note_absent_heads(const Query& query, int layers, int heads, std::vector<std::string>& notices) {
  const auto note = [&](const char* what, HeadId head, bool has_head) {
    const std::string where = has_head ? fmt::format("head {}.{}", head.layer, head.head) : fmt::format("layer {}", head.layer);
    notices.push_back(fmt::format("{} {} does nothing: there are {} layers of {} heads, counted from 0.", what, where, layers, heads));
  };
  for (const HeadId& head : query.silenced) {
    if (head.layer < 0 || head.layer >= layers || head.head < 0 || head.head >= heads) note("Silencing", head, true);
  }
  for (const MaskRule& rule : query.mask.rules) {
    const HeadId& where = rule.scope.where;
    const bool has_layer = rule.scope.kind != Scope::Kind::all;
    const bool has_head = rule.scope.kind == Scope::Kind::head;
    const bool is_absent =
        (has_layer && (where.layer < 0 || where.layer >= layers)) || (has_head && (where.head < 0 || where.head >= heads));
    if (is_absent) note("The mask of", where, has_head);
  }
}

/// Trained heads are never all uniform; weights that were read wrongly, or left at zero, are.
void note_uniform_heads(const Snapshot& snapshot, std::vector<std::string>& notices) {
  if (snapshot.model->is_random) return;
  int informative = 0;
  for (const auto& layer : snapshot.summaries) {
    for (const HeadSummary& summary : *layer) {
      if (summary.informative_rows == 0) continue;
      if (!(summary.normalised_entropy > 0.9999)) return;
      ++informative;
    }
  }
  if (informative > 0) notices.emplace_back("Every head attends to all tokens alike: are these weights trained?");
}

std::size_t bytes_of(const std::vector<HeadSummary>& summaries) {
  std::size_t bytes = 0;
  for (const HeadSummary& summary : summaries) bytes += static_cast<std::size_t>(summary.pooled.size()) * sizeof(float);
  return bytes;
}

}  // namespace

/// The stages of the last query, in order; each is kept as long as its own inputs and all stages before it are unchanged.
struct Pipeline::Memo {
  Memo(int threads, PipelineLimits stated) : pool(threads), limits(stated) {}

  ThreadPool pool;
  PipelineLimits limits;

  std::optional<ModelChoice> choice;
  std::shared_ptr<const Model> model;

  std::optional<TokenKey> token_key;
  std::shared_ptr<const Encoding> encoding, decoder_encoding;

  std::optional<TokenNumbers> numbers, decoder_numbers;  // what `embedded` and `decoder_embedded` were made from
  Matrix embedded, decoder_embedded;
  std::vector<LayerStage> layers;
  std::optional<Matrix> memory;  // the encoder's output, once its last layer is there
  std::optional<Matrix> final_hidden;

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
    TokenKey key{query.text, query.text_pair, query.decoder_text, query.ids};
    if (token_key == key) return;
    const Tokenizer& tokenizer = *model->tokenizer;
    const bool has_decoder = model->config.is_encoder_decoder();
    const std::optional<std::string> text_pair = has_decoder ? std::nullopt : query.text_pair;
    auto fresh = std::make_shared<Encoding>(query.ids.empty() ? tokenizer.encode(query.text, text_pair) : encode_ids(tokenizer, query.ids));
    cut_to_positions(*fresh, model->config.max_positions);
    std::shared_ptr<Encoding> fresh_decoder;
    if (has_decoder) {
      fresh_decoder = std::make_shared<Encoding>(tokenizer.encode(decoder_text_of(query), std::nullopt));
      cut_to_positions(*fresh_decoder, model->config.max_positions);
    }
    encoding = std::move(fresh);
    decoder_encoding = std::move(fresh_decoder);
    token_key = std::move(key);
  }

  void keep_embedding() {
    TokenNumbers fresh = numbers_of(*encoding);
    if (numbers != fresh) {
      Matrix rows = embed(*model, encoding->tokens);
      embedded = std::move(rows);
      numbers = std::move(fresh);
      drop_layers(0);
    }
    if (!decoder_encoding) return;
    TokenNumbers fresh_decoder = numbers_of(*decoder_encoding);
    if (decoder_numbers == fresh_decoder) return;
    Matrix rows = embed(*model, decoder_encoding->tokens);
    decoder_embedded = std::move(rows);
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
    const Index tokens = embedded.rows(), decoder_tokens = decoder_embedded.rows();
    if (stack == Stack::cross) return {decoder_tokens, tokens, {}};
    if (stack == Stack::decoder) return {decoder_tokens, decoder_tokens, decoder_numbers->sentences};
    return {tokens, tokens, numbers->sentences};
  }

  LayerMasks masks_for(int layer, const LayerRequest& request, const MaskEdits& edits) const {
    const ModelConfig& config = model->config;
    return layer_masks(edits, 0, request.counts.heads, config.own_mask(layer), mask_context(config.place(layer).stack));
  }

  /// Layers with the same edits share the masks of the layer below.
  LayerMasks edited_masks(int layer, const LayerRequest& request) const {
    const LayerStage* below = layer > 0 ? &layers.back() : nullptr;
    const bool is_same = below && !model->config.is_encoder_decoder() && below->request.mask == request.mask &&
                         below->request.counts == request.counts && model->config.own_mask(layer) == model->config.own_mask(layer - 1);
    return is_same ? masks_of(*below->trace) : masks_for(layer, request, request.mask);
  }

  const Matrix& resid_pre_of(int layer) const {
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
    const HeadObserver observer = [&](int head, const Matrix& weights, const Mask& mask) {
      (*summaries)[static_cast<std::size_t>(head)] = summarise_head(weights, mask);
      progress.step((layer + static_cast<double>(++heads_done) / (heads + 1)) / count, what);
    };
    LayerInput input{resid_pre_of(layer), memory ? &*memory : nullptr, edited_masks(layer, request)};
    const bool stays_on_map = request.mask_reach == MaskReach::this_head && !request.mask.rules.empty();
    if (stays_on_map) input.own_masks = masks_for(layer, request, {});
    auto trace = run_layer(*model, layer, request, input, pool, observer);
    layers.push_back({request, std::move(trace), std::move(summaries)});
    if (layer + 1 == model->config.encoder_layers) memory = make_memory(*model, layers.back().trace->resid_post);
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
    if (!final_hidden) final_hidden = apply_final_norm(*model, layers.back().trace->resid_post);
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

Pipeline::Pipeline(int threads, PipelineLimits limits) : memo_(std::make_unique<Memo>(threads, limits)) {}
Pipeline::~Pipeline() = default;

ThreadPool& Pipeline::pool() {
  return memo_->pool;
}

std::shared_ptr<const Snapshot> Pipeline::run(const Query& query, Progress& progress) {
  const auto begin = std::chrono::steady_clock::now();
  Memo& memo = *memo_;
  memo.keep_model(query.model, progress);
  const ModelConfig& config = memo.model->config;

  std::vector<LayerRequest> requests;
  for (int layer = 0; layer < config.layers; ++layer) requests.push_back(request_of_layer(query, *memo.model, layer));
  memo.keep_tokens(query);
  const Index decoder_tokens = memo.decoder_encoding ? std::ssize(memo.decoder_encoding->tokens) : 0;
  const Index tokens = std::max<Index>(std::ssize(memo.encoding->tokens), decoder_tokens);
  check_limit(config, requests, tokens, memo.pool.threads(), memo.limits.bytes);
  memo.keep_embedding();
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
  note_absent_heads(query, snapshot->layers(), snapshot->heads(), notices);
  note_uniform_heads(*snapshot, notices);
  snapshot->cost.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return snapshot;
}

std::size_t estimate_bytes(const ModelConfig& config, int heads, Index tokens) {
  const auto n = static_cast<double>(tokens);
  const double width = config.d_model;
  const double pooled_side = std::min(n, static_cast<double>(kPooledSide));
  const double matrices = n * width * (6.0 * config.layers + 2);               // LayerTrace, embedded, final_hidden
  const double pooled = pooled_side * pooled_side * config.layers * heads;     // HeadSummary
  const double working = n * (config.d_ff + 8 * width) + 2 * n * n;            // feed-forward, norms; one map and its copy
  const double bytes = sizeof(float) * (matrices + pooled + working) + n * n;  // one mask
  return bytes < static_cast<double>(kMostBytes) ? static_cast<std::size_t>(bytes) : kMostBytes;
}

}  // namespace headlight
