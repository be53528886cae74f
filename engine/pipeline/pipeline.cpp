#include "engine/pipeline/pipeline.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "engine/formats/gguf/gguf.h"
#include "engine/model/files/load_model.h"
#include "engine/pipeline/dump_snapshot.h"
#include "engine/pipeline/notices.h"
#include "engine/pipeline/other_runs.h"
#include "engine/pipeline/stages/early_layers.h"
#include "engine/pipeline/stages/memo.h"
#include "engine/pipeline/stages/memory_need.h"
#include "engine/pipeline/stages/run_estimate.h"
#include "engine/pipeline/stages/stages.h"

namespace headlight {
namespace {

double milliseconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// Whether there are edits that maps from a file cannot follow, since they cannot be recomputed. A mask is none: it says which keys count.
bool has_edits(const Query& query) {
  const bool has_surgery = query.heads || query.kv_heads || !query.switched_off.empty() || !query.interventions.empty();
  return has_surgery || query.score != ScoreSettings{} || query.block != BlockSwitches{};
}

TokenKey token_key_of(const Query& query) {
  return {query.text, query.text_pair, query.decoder_text, query.ids, query.reads_special_text};
}

TokenCounts counts_of(const TokenStage& tokens) {
  return {std::ssize(tokens.encoding->tokens), tokens.decoder_encoding ? std::ssize(tokens.decoder_encoding->tokens) : 0};
}

void note_model_tokens_and_edits(const TokenStage& tokens, Snapshot& snapshot) {
  std::vector<std::string>& notices = snapshot.notices;
  notices = snapshot.model->notices;
  for (const Encoding* encoding : {tokens.encoding.get(), tokens.decoder_encoding.get()}) {
    if (encoding) notices.insert(notices.end(), encoding->notices.begin(), encoding->notices.end());
  }
  if (tokens.encoding->tokens.empty()) notices.emplace_back("The text has no tokens.");
  if (tokens.decoder_encoding && tokens.decoder_encoding->tokens.empty()) notices.emplace_back("The decoder's text has no tokens.");
  note_absent_heads(snapshot.query, snapshot.model->config, snapshot.heads(), notices);
  note_cells_outside(snapshot, notices);
}

}  // namespace

struct Pipeline::State {
  State(int threads, PipelineLimits stated, UnchosenItem wanted) : pool(threads), limits(stated), unchosen(wanted) {}

  ThreadPool pool;
  PipelineLimits limits;
  UnchosenItem unchosen;
  Measures measures = head_measures();
  Memos memos;
  OtherRuns others;
  std::function<void(const RunEstimate&)> tell;
  LayersShown::Show show;
  std::optional<double> speed;  // of this machine, measured once: a run that was allowed is not asked for again where others want the cores

  /// The file is read once, and measured anew when the mask edits change.
  std::shared_ptr<Snapshot> show_dump(const Query& query, Progress& progress) {
    const Memo* found = memos.find_dump(query);
    const std::shared_ptr<const AttentionDump> file = found ? found->dump_file : nullptr;
    const std::optional<int> item = found ? found->dump_item : query.item;
    std::shared_ptr<const Snapshot> dump = found && found->dump && found->dump->query.mask == query.mask ? found->dump : nullptr;
    const bool is_measured = dump != nullptr;
    Memo& memo = memos.begin(query);
    memo.dump.reset();
    memo.dump_file =
        file ? file : std::make_shared<const AttentionDump>(read_attention_dump(query.model.name, progress, query.item, unchosen));
    memo.dump_item = item;
    memo.dump_name = query.model.name;
    if (!dump) dump = make_dump_snapshot(*memo.dump_file, query, measures, pool, progress);
    memo.dump = dump;
    memos.end(query);
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

  /// A query's model, and how many layers of the query were computed while it was read.
  struct OpenedModel {
    std::shared_ptr<const Model> model;
    int layers = 0;
  };

  OpenedModel keep_model(const Query& query, LayersShown& shown, StageClock& clock, Progress& progress) {
    if (std::shared_ptr<const Model> model = memos.find_model(query.model)) return {std::move(model)};
    std::optional<EarlyLayers> early;
    const ReadLayers compute = [&](const std::shared_ptr<const Model>& model, int layers) {
      clock.note("model");
      if (layers == 1) early = begin_early(query, model, progress);
      if (early) early->compute(layers, pool, measures, shown, clock, progress);
    };
    std::shared_ptr<const Model> loaded = load_model(query.model, pool, progress, shown.is_watched() ? compute : ReadLayers());
    Memo& memo = memos.begin(query);
    const int layers = early ? early->layers() : 0;
    memo = early ? early->take() : Memo();
    memo.query = query;
    memo.choice = query.model;
    memo.model = loaded;
    clock.note("model");
    return {std::move(loaded), layers};
  }

  /// Nothing where the run first has to ask, reads other runs, or is refused: it says so once the model is there.
  std::optional<EarlyLayers> begin_early(const Query& query, const std::shared_ptr<const Model>& model, const Watch& watch) {
    try {
      EarlyLayers early(query, model, token_key_of(query));
      const std::vector<LayerRequest>& requests = early.requests();
      const TokenCounts tokens = counts_of(early.tokens());
      if (!can_begin_early(model->config, requests)) return std::nullopt;
      const double work = work_of_layers(*model, requests, tokens, 0, 1) * static_cast<double>(requests.size());
      if (tell && work >= kWorkWorthTelling) return std::nullopt;
      const Memos::Start start = memos.find_start(query, model, early.tokens(), requests);
      check_limit(model->config, requests, tokens, pool.threads(), limits, memos.bytes_beside(query, start) + others.bytes());
      watch.check();
      return early;
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  /// Of the layers from `known` to before `end`.
  void tell_cost(const Memo& memo, const std::vector<LayerRequest>& requests, std::size_t known, std::size_t end, LayersKept kept,
                 const Watch& watch) {
    if (!tell) return;
    const Model& model = *memo.model;
    const TokenCounts tokens = counts_of(*memo.tokens);
    const double work = work_of_layers(model, requests, tokens, known, end);
    if (work < kWorkWorthTelling) return;
    const int heads = requests.front().counts.heads;
    if (!speed) speed = speed_of_machine(pool, watch);
    tell({.tokens = std::max(tokens.text, tokens.decoder),
          .layers = static_cast<int>(end - known),
          .heads = heads,
          .seconds = work / *speed,
          .bytes = bytes_of_run(model.config, heads, tokens, kept)});
  }

  /// The memo of a query with all stages that are there already. Throws Error (limit) before more is allocated than there may be.
  Memo& begin(const Query& query, const std::shared_ptr<const Model>& model, const std::vector<LayerRequest>& requests,
              LayersKept kept = LayersKept::all) {
    TokenKey key = token_key_of(query);
    const TokenStage* known = memos.find_tokens(*model, key);
    TokenStage tokens = known ? *known : make_tokens(*model, query, std::move(key));
    const TokenCounts counts = counts_of(tokens);
    const Memos::Start start = memos.find_start(query, model, tokens, requests);
    check_limit(model->config, requests, counts, pool.threads(), limits, memos.bytes_beside(query, start) + others.bytes(), kept);
    Memo& memo = memos.begin(query, start);
    memo.tokens = std::move(tokens);
    return memo;
  }
};

Pipeline::Pipeline(int threads, PipelineLimits limits, UnchosenItem unchosen)
    : state_(std::make_unique<State>(threads, limits, unchosen)) {}
Pipeline::~Pipeline() = default;

void Pipeline::measure_by(Measures table) {
  state_->measures = table;
  state_->memos.forget_measures();
}

void Pipeline::tell_cost(std::function<void(const RunEstimate&)> tell) {
  state_->tell = std::move(tell);
}

void Pipeline::show_layers(std::function<void(const std::shared_ptr<const Snapshot>&)> show) {
  state_->show = std::move(show);
}

void Pipeline::keep(std::span<const Query> queries) {
  state_->memos.keep(queries);
}

void Pipeline::forget_files() {
  state_->memos.clear();
  state_->others.clear();
}

ThreadPool& Pipeline::pool() {
  return state_->pool;
}

std::shared_ptr<const Snapshot> Pipeline::run(const Query& query, Progress& progress) {
  const auto begin = std::chrono::steady_clock::now();
  State& state = *state_;
  if (names_attention_dump(query.model.name)) {
    std::shared_ptr<Snapshot> snapshot = state.show_dump(query, progress);
    snapshot->cost.milliseconds = milliseconds_since(begin);
    return snapshot;
  }
  StageClock clock;
  LayersShown shown(state.show, query);
  const auto [model, early] = state.keep_model(query, shown, clock, progress);
  std::vector<LayerRequest> requests = requests_of_layers(query, *model);
  state.others.find(query, model, state.limits, requests, state.pool, progress);
  clock.note("other texts");
  Memo& memo = state.begin(query, model, requests);
  clock.note("tokens");
  state.tell_cost(memo, requests, memo.shared_layers(*memo.tokens, requests), requests.size(), LayersKept::all, progress);
  Stages stages(memo, state.pool, state.measures);
  stages.keep_embedding(progress);
  clock.note("embedding");
  const int reused = stages.keep_layers(requests, clock, progress, [&] { shown.after_layer(stages, requests); }) - early;
  state.memos.end(query);

  std::shared_ptr<Snapshot> snapshot = stages.take_snapshot(query);
  snapshot->cost.layers_reused = reused;
  snapshot->cost.layers_computed = model->config.layers - reused;
  if (early > 0) snapshot->cost.rows_computed = snapshot->tokens();
  snapshot->cost.stages = clock.take();
  note_model_tokens_and_edits(*memo.tokens, *snapshot);
  note_uniform_heads(*snapshot, snapshot->notices);
  snapshot->cost.milliseconds = milliseconds_since(begin);
  return snapshot;
}

std::shared_ptr<const Snapshot> Pipeline::run_layer_alone(const Query& query, int layer, Progress& progress) {
  const auto begin = std::chrono::steady_clock::now();
  State& state = *state_;
  if (names_attention_dump(query.model.name)) return run(query, progress);
  const LayersShown::Show none;
  LayersShown unseen(none, query);
  StageClock untold;
  const std::shared_ptr<const Model> model = state.keep_model(query, unseen, untold, progress).model;
  if (model->config.is_encoder_decoder() || layer < 0 || layer >= model->config.layers) return run(query, progress);
  const std::vector<LayerRequest> requests = requests_of_layers(query, *model);
  if (std::any_of(requests.begin(), requests.end(), needs_more_than_its_layer)) return run(query, progress);
  Memo& memo = state.begin(query, model, requests, LayersKept::two);
  state.tell_cost(memo, requests, 0, static_cast<std::size_t>(layer) + 1, LayersKept::two, progress);
  Stages stages(memo, state.pool, state.measures);
  stages.keep_embedding(progress);
  stages.keep_one_layer(requests, layer, progress);
  std::shared_ptr<Snapshot> snapshot = stages.take_snapshot(query);
  memo.forget_layers();
  state.memos.end(query);
  snapshot->cost.layers_computed = layer + 1;
  note_model_tokens_and_edits(*memo.tokens, *snapshot);
  snapshot->cost.milliseconds = milliseconds_since(begin);
  return snapshot;
}

bool names_model_file(const std::string& path) {
  return is_gguf(path) || names_attention_dump(path);
}

}  // namespace headlight
