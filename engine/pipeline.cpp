#include "engine/pipeline.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>

#include "engine/attention/attention_dump.h"
#include "engine/attention/forward.h"
#include "engine/core/error.h"
#include "engine/core/memory_limit.h"
#include "engine/dump_snapshot.h"
#include "engine/formats/gguf.h"

namespace headlight {
namespace {

constexpr auto kMostBytes = std::numeric_limits<std::size_t>::max();

/// What decides the tokens besides the model.
struct TokenKey {
  std::string text;
  std::optional<std::string> text_pair, decoder_text;
  std::vector<std::int64_t> ids;
  bool reads_special_text = true;
  bool operator==(const TokenKey&) const = default;
};

/// What the layers see of the tokens.
struct TokenNumbers {
  std::vector<std::int64_t> ids;
  std::vector<int> types, sentences;
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
    numbers.types.push_back(token.type_id);
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

/// The model's own text, or its encoder's.
Encoding encode_text(const Tokenizer& tokenizer, const Query& query, const std::optional<std::string>& text_pair) {
  return query.ids.empty() ? tokenizer.encode(query.text, text_pair, {.reads_special_text = query.reads_special_text})
                           : encode_ids(tokenizer, query.ids);
}

/// What the decoder reads: the model's start token, where it has one, and the text without special tokens. Where nothing is said: the
/// second sentence, or the same as the encoder.
Encoding encode_decoder_text(const Model& model, const Query& query) {
  const Tokenizer& tokenizer = *model.tokenizer;
  const std::int64_t start = model.config.decoder_start;
  const std::optional<std::string>& text = query.decoder_text ? query.decoder_text : query.text_pair;
  if (!text && !query.ids.empty()) return encode_ids(tokenizer, query.ids);
  const EncodeOptions options{.adds_special = start < 0, .reads_special_text = query.reads_special_text, .is_target = true};
  Encoding encoding = tokenizer.encode(text.value_or(query.text), std::nullopt, options);
  if (start < 0) return encoding;
  Token first;
  first.id = start;
  first.text = tokenizer.token_of(start).value_or(fmt::format("#{}", start));
  first.is_special = true;
  encoding.tokens.insert(encoding.tokens.begin(), std::move(first));
  return encoding;
}

/// Learned positions end somewhere; others go on, though the model was not made for it.
void cut_to_positions(Encoding& encoding, const ModelConfig& config) {
  const int max_positions = config.max_positions;
  const std::size_t tokens = encoding.tokens.size();
  const auto limit = static_cast<std::size_t>(max_positions);
  if (max_positions == 0 || tokens <= limit) return;
  if (config.positions != PositionKind::learned) {
    encoding.notices.push_back(fmt::format("{} tokens are more than the {} that the model was made for.", tokens, max_positions));
    return;
  }
  encoding.tokens.resize(limit);
  encoding.notices.push_back(fmt::format("Showing the first {} of {} tokens: the model has no positions for more.", max_positions, tokens));
}

double milliseconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// Tokens of the text and, in encoder–decoder models, of the decoder's.
struct TokenCounts {
  Index text = 0, decoder = 0;
};

/// The rows and columns of a layer's maps.
struct MapSize {
  double queries = 0, keys = 0;
  double cells() const { return queries * keys; }
};
MapSize map_size(const ModelConfig& config, int layer, TokenCounts tokens) {
  const Stack stack = config.place(layer).stack;
  const bool has_decoder_queries = stack == Stack::decoder || stack == Stack::cross;
  return {static_cast<double>(has_decoder_queries ? tokens.decoder : tokens.text),
          static_cast<double>(stack == Stack::decoder ? tokens.decoder : tokens.text)};
}

/// The nearest layer below of the same stack, whose masks have the same size; none for the first of a stack.
std::optional<int> below_in_stack(const ModelConfig& config, int layer) {
  LayerPlace place = config.place(layer);
  --place.number;
  const int step = place.stack == Stack::only || place.stack == Stack::encoder ? 1 : 2;
  if (place.number < 0) return std::nullopt;
  return layer - step;
}

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

void check_limit(const ModelConfig& config, const std::vector<LayerRequest>& requests, TokenCounts tokens, int threads,
                 const PipelineLimits& limits) {
  const int heads = requests.front().counts.heads;
  const double longest = static_cast<double>(std::max(tokens.text, tokens.decoder));
  const double more_masks = more_mask_cells(config, requests, tokens);
  const double more_maps = 2.0 * (std::min(threads, heads) - 1) * longest * longest * sizeof(float);
  const double needed = static_cast<double>(estimate_bytes(config, heads, tokens.text, tokens.decoder)) + more_masks + more_maps;
  const std::string decoder = config.is_encoder_decoder() ? fmt::format(" and {} of the decoder", tokens.decoder) : "";
  require_memory(needed, limits.bytes ? MemoryAllowance{*limits.bytes} : allowed_memory(),
                 {.field = "tokens",
                  .problem = fmt::format("{} tokens{} in {} layers of {} heads need more memory than allowed", tokens.text, decoder,
                                         config.layers, heads),
                  .hint = "Use a shorter text or a smaller model."});
}

/// Edits of heads that this model does not have: they do nothing, and stay for a model that has them.
void note_absent_heads(const Query& query, const ModelConfig& config, int heads, std::vector<std::string>& notices) {
  const int layers = config.layers;
  const auto note = [&](const char* what, HeadId head, bool has_head) {
    const std::string where = has_head ? fmt::format("head {}.{}", head.layer, head.head) : fmt::format("layer {}", head.layer);
    notices.push_back(fmt::format("{} {} does nothing: there are {} layers of {} heads, counted from 0.", what, where, layers, heads));
  };
  for (const HeadId& head : query.silenced) {
    if (head.layer < 0 || head.layer >= layers || head.head < 0 || head.head >= heads) note("Silencing", head, true);
  }
  for (const MaskRule& rule : query.mask.rules) {
    const HeadId& where = rule.scope.where;
    if (rule.scope.kind == Scope::Kind::stack && !config.is_encoder_decoder()) {
      notices.push_back(
          fmt::format("The mask of the {} heads does nothing: this model has one stack of layers.", name_of(rule.scope.stack)));
    }
    const bool has_layer = rule.scope.kind == Scope::Kind::layer || rule.scope.kind == Scope::Kind::head;
    const bool has_head = rule.scope.kind == Scope::Kind::head;
    const bool is_absent =
        (has_layer && (where.layer < 0 || where.layer >= layers)) || (has_head && (where.head < 0 || where.head >= heads));
    if (is_absent) note("The mask of", where, has_head);
  }
}

/// "3", "3-5" or "*": a side of a block of cells, as --deny takes it.
std::string range_text(int begin, int end) {
  if (begin == 0 && end == std::numeric_limits<int>::max()) return "*";
  return end == begin + 1 ? std::to_string(begin) : fmt::format("{}-{}", begin, end - 1);
}

/// The first of the cells that lie outside every map that they are for, and how many more do. They stay for a longer text.
void note_cells_outside(const Snapshot& snapshot, std::vector<std::string>& notices) {
  std::vector<std::string> outside;
  std::string sizes;
  for (const MaskRule& rule : snapshot.query.mask.rules) {
    std::vector<int> layers;
    for (int layer = 0; layer < snapshot.layers(); ++layer) {
      const Stack stack = snapshot.model->config.place(layer).stack;
      if (rule.scope.contains({layer, rule.scope.where.head}, stack)) layers.push_back(layer);
    }
    for (const CellBlock& block : rule.strokes) {
      const auto is_outside = [&](int layer) {
        return block.query_begin >= snapshot.queries(layer) || block.key_begin >= snapshot.keys(layer);
      };
      if (layers.empty() || !std::all_of(layers.begin(), layers.end(), is_outside)) continue;
      if (outside.empty()) sizes = fmt::format("{} queries and {} keys", snapshot.queries(layers.front()), snapshot.keys(layers.front()));
      outside.push_back(fmt::format("{}:{}", range_text(block.query_begin, block.query_end), range_text(block.key_begin, block.key_end)));
    }
  }
  if (outside.empty() || snapshot.tokens() == 0) return;
  const std::string more = outside.size() > 1 ? fmt::format(" and {} more painted cells or blocks do", outside.size() - 1) : " does";
  notices.push_back(fmt::format("The mask's {}{} nothing: the map has {}, counted from 0.", outside.front(), more, sizes));
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

/// Edits that maps from a file cannot follow: there is nothing to compute anew. A mask says which keys count.
bool has_edits(const Query& query) {
  const bool has_surgery = query.heads || query.kv_heads || !query.silenced.empty();
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

  std::string dump_name;  // of the file that `dump_file` was read from, and its item
  std::optional<int> dump_item;
  std::optional<AttentionDump> dump_file;
  std::shared_ptr<const Snapshot> dump;  // its maps under the mask edits of the last query

  /// The file is read once, and measured anew when the mask edits change.
  std::shared_ptr<Snapshot> show_dump(const Query& query, Progress& progress) {
    const bool is_read = dump_file && dump_name == query.model.name && dump_item == query.item;
    if (!is_read) {
      dump.reset();
      dump_file = read_attention_dump(query.model.name, progress, query.item);
      dump_name = query.model.name;
      dump_item = query.item;
    }
    const bool is_measured = dump && dump->query.mask == query.mask;
    if (!is_measured) dump = make_dump_snapshot(*dump_file, query, pool, progress);
    auto snapshot = std::make_shared<Snapshot>(*dump);
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
      embedded = std::move(rows);
      numbers = std::move(fresh);
      drop_layers(0);
    }
    if (!decoder_encoding) return;
    TokenNumbers fresh_decoder = numbers_of(*decoder_encoding);
    if (decoder_numbers == fresh_decoder) return;
    Matrix rows = embed(*model, decoder_encoding->tokens, true, watch);
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
    const bool is_cross = model->config.place(layer).stack == Stack::cross;
    const HeadObserver observer = [&](int head, const Matrix& weights, const Mask& mask) {
      (*summaries)[static_cast<std::size_t>(head)] =
          is_cross ? summarise_cross_head(weights, mask, progress) : summarise_head(weights, mask, progress);
      progress.step((layer + static_cast<double>(++heads_done) / (heads + 1)) / count, what);
    };
    LayerInput input{resid_pre_of(layer), memory ? &*memory : nullptr, edited_masks(layer, request, progress)};
    const bool stays_on_map = request.mask_reach == MaskReach::this_head && !request.mask.rules.empty();
    if (stays_on_map) input.own_masks = masks_for(layer, request, {}, progress);
    auto trace = run_layer(*model, layer, request, input, pool, observer, progress);
    if (layer + 1 == model->config.encoder_layers) memory = make_memory(*model, trace->resid_post, progress);
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
    if (!final_hidden) final_hidden = apply_final_norm(*model, layers.back().trace->resid_post, progress);
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

std::size_t estimate_bytes(const ModelConfig& config, int heads, Index tokens, Index decoder_tokens) {
  const TokenCounts counts{tokens, decoder_tokens};
  const double n = static_cast<double>(tokens), m = static_cast<double>(decoder_tokens);
  const double longest = std::max(n, m);
  const double width = config.d_model;
  double matrices = 3 * n * width + 2 * m * width;  // embedded, final_hidden, what cross-attention reads
  double pooled = 0;                                // HeadSummary
  for (int layer = 0; layer < config.layers; ++layer) {
    const MapSize map = map_size(config, layer, counts);
    matrices += width * (4 * map.queries + 2 * map.keys);  // LayerTrace
    const auto side = static_cast<double>(kPooledSide);
    pooled += std::min(map.queries, side) * std::min(map.keys, side) * heads;
  }
  const double working = longest * (config.d_ff + 8 * width) + 2 * longest * longest;  // feed-forward, norms; one map and its copy
  const double masks = n * n + m * m + m * n;                                          // one for each stack
  const double bytes = sizeof(float) * (matrices + pooled + working) + masks;
  return bytes < static_cast<double>(kMostBytes) ? static_cast<std::size_t>(bytes) : kMostBytes;
}

}  // namespace headlight
