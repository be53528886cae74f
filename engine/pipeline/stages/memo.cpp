#include "engine/pipeline/stages/memo.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace headlight {

bool is_same_model(const ModelChoice& a, const ModelChoice& b) {
  return a == b || (a.name == b.name && a.name != "sandbox");
}

std::size_t bytes_of(const std::vector<HeadSummary>& summaries) {
  std::size_t bytes = 0;
  for (const HeadSummary& summary : summaries) {
    bytes +=
        static_cast<std::size_t>(summary.pooled.size()) * sizeof(float) + static_cast<std::size_t>(summary.sums.size()) * sizeof(double);
  }
  return bytes;
}

void Memo::drop_layers(std::size_t first) {
  if (layers.size() > first) {
    earlier.resize(std::max(earlier.size(), layers.size()));
    for (std::size_t layer = first; layer < layers.size(); ++layer) earlier[layer] = {std::move(layers[layer]), memory, {}};
    if (final_hidden) earlier[layers.size() - 1]->final_hidden = final_hidden;
    layers.resize(first);
  }
  if (model && first < static_cast<std::size_t>(model->config.stacks.encoder_layers)) memory.reset();
  final_hidden.reset();
}

void Memo::forget_layers() {
  drop_layers(0);
  earlier.clear();
}

std::size_t Memo::shared_layers(const TokenStage& wanted, const std::vector<LayerRequest>& requests) const {
  if (numbers != wanted.numbers) return 0;
  const auto is_same = [](const LayerStage& stage, const LayerRequest& request) { return stage.request == request; };
  const auto same = std::mismatch(layers.begin(), layers.end(), requests.begin(), requests.end(), is_same).first - layers.begin();
  const auto encoder_layers = static_cast<std::size_t>(model->config.stacks.encoder_layers);
  const bool has_same_decoder = !wanted.decoder_numbers || decoder_numbers == wanted.decoder_numbers;
  return has_same_decoder ? static_cast<std::size_t>(same) : std::min(static_cast<std::size_t>(same), encoder_layers);
}

bool Memos::is_kept(const Query& query) const {
  return std::find(kept_.begin(), kept_.end(), query) != kept_.end();
}

void Memos::keep(std::span<const Query> queries) {
  kept_.assign(queries.begin(), queries.end());
  const bool has_all = std::all_of(kept_.begin(), kept_.end(), [&](const Query& query) {
    return std::any_of(memos_.begin(), memos_.end(), [&](const Memo& memo) { return memo.query == query; });
  });
  if (has_all && !kept_.empty()) memos_.remove_if([&](const Memo& memo) { return !is_kept(memo.query); });
}

std::shared_ptr<const Model> Memos::find_model(const ModelChoice& choice) const {
  const auto match =
      std::find_if(memos_.begin(), memos_.end(), [&](const Memo& memo) { return memo.choice && is_same_model(*memo.choice, choice); });
  return match == memos_.end() ? nullptr : match->model;
}

const TokenStage* Memos::find_tokens(const Model& model, const TokenKey& key) const {
  const auto match = std::find_if(memos_.begin(), memos_.end(),
                                  [&](const Memo& memo) { return memo.model.get() == &model && memo.tokens && memo.tokens->key == key; });
  return match == memos_.end() ? nullptr : &*match->tokens;
}

const Memo* Memos::find_dump(const Query& query) const {
  const auto match = std::find_if(memos_.begin(), memos_.end(), [&](const Memo& memo) {
    const bool is_same_item = query.item == memo.dump_item || (memo.dump_file && query.item && query.item == memo.dump_file->item);
    return memo.dump_file && memo.dump_name == query.model.name && is_same_item;
  });
  return match == memos_.end() ? nullptr : &*match;
}

Memos::Start Memos::find_start(const Query& query, const std::shared_ptr<const Model>& model, const TokenStage& tokens,
                               const std::vector<LayerRequest>& requests) const {
  Start start;
  std::tuple<bool, std::size_t, bool, bool> most;
  for (const Memo& memo : memos_) {
    if (memo.model != model) continue;
    const std::size_t layers = memo.shared_layers(tokens, requests);
    // Among equals, one that need not be copied.
    const std::tuple sharing{memo.numbers == tokens.numbers, layers, memo.query == query, !is_kept(memo.query)};
    if (start.best && sharing <= most) continue;
    start = {&memo, layers};
    most = sharing;
  }
  return start;
}

std::size_t Memos::bytes_beside(const Query& query, const Start& start) const {
  std::set<std::shared_ptr<const Matrix>> matrices;
  std::set<std::shared_ptr<const LayerTrace>> counted;
  const std::size_t shared = start.best ? start.layers : 0;
  for (std::size_t layer = 0; layer < shared; ++layer) counted.insert(start.best->layers[layer].trace);
  Trace rest;
  std::size_t bytes = 0;
  for (const Memo& memo : memos_) {
    if (!is_kept(memo.query) || memo.query == query) continue;
    const auto add = [&](const std::shared_ptr<const Matrix>& matrix) {
      if (matrix && matrices.insert(matrix).second) bytes += static_cast<std::size_t>(matrix->size()) * sizeof(float);
    };
    add(memo.memory);
    for (const SharedRows& rows : {memo.embedded, memo.decoder_embedded, memo.final_hidden.value_or(SharedRows())})
      rows.for_each_owner(add);
    for (const LayerStage& stage : memo.layers) {
      if (!counted.insert(stage.trace).second) continue;
      rest.layers.push_back(stage.trace);
      bytes += bytes_of(*stage.summaries);
    }
    if (memo.dump) bytes += memo.dump->cost.bytes;
  }
  return bytes + bytes_of(rest);
}

Memo& Memos::begin(const Query& query) {
  auto place = std::find_if(memos_.begin(), memos_.end(), [&](const Memo& memo) { return memo.query == query; });
  if (place == memos_.end()) place = std::find_if(memos_.begin(), memos_.end(), [&](const Memo& memo) { return !is_kept(memo.query); });
  if (place == memos_.end()) place = memos_.insert(memos_.end(), Memo{});
  place->query = query;
  return *place;
}

Memo& Memos::begin(const Query& query, const Start& start) {
  const auto best = std::find_if(memos_.begin(), memos_.end(), [&](const Memo& memo) { return &memo == start.best; });
  const bool is_free = best != memos_.end() && (best->query == query || !is_kept(best->query));
  Memo* memo = nullptr;
  if (is_free) {
    best->query = query;
    memo = &*best;
  } else {
    memo = &begin(query);
    if (start.best) *memo = *start.best;
    memo->query = query;
  }
  // Drop what can no longer help before more is computed.
  memos_.remove_if([&](const Memo& each) { return &each != memo && (each.query == query || !is_kept(each.query)); });
  memo->dump.reset();
  memo->dump_file.reset();
  return *memo;
}

void Memos::end(const Query& query) {
  memos_.remove_if([&](const Memo& memo) { return memo.query != query && !is_kept(memo.query); });
}

void Memos::forget_measures() {
  for (Memo& memo : memos_) {
    memo.dump.reset();
    memo.forget_layers();
  }
}

}  // namespace headlight
