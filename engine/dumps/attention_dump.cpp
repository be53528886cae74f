#include "engine/dumps/attention_dump.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/number_runs.h"
#include "engine/dumps/dump_layers.h"
#include "engine/dumps/dump_masks.h"
#include "engine/dumps/dump_steps.h"
#include "engine/dumps/dump_sums.h"
#include "engine/dumps/dump_tensors.h"
#include "engine/dumps/dump_tokens.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<LayerTrace> make_layer(const LayerMaps& maps, const Watch& watch) {
  auto layer = std::make_shared<LayerTrace>();
  layer->heads = layer->kv_heads = static_cast<int>(maps.heads);
  HeadRule rule;
  rule.mask = std::make_shared<Mask>(maps.queries, maps.keys, true, watch);
  const std::int64_t size = maps.queries * maps.keys;
  for (std::int64_t head = 0; head < maps.heads; ++head) {
    GivenMap given;
    given.cells = std::make_shared<const Matrix>(copy_numbers(maps.values + head * size, maps.queries, maps.keys, watch));
    given.sums = sums_of(given.weights(), maps.type, watch);
    layer->given.push_back(std::move(given));
    layer->rules.push_back(rule);
  }
  return layer;
}

/// One sentence for each kind of row that is not attention weights.
void note_sums(const AttentionDump& dump, std::vector<std::string>& notices) {
  std::int64_t heads = 0, odd_heads = 0, nan_heads = 0, infinite_heads = 0, negative_heads = 0;
  GivenSums all;
  for (const auto& layer : dump.layers) {
    for (const GivenMap& map : layer->given) {
      ++heads;
      odd_heads += map.sums.odd_rows > 0;
      nan_heads += map.sums.nan_rows > 0;
      infinite_heads += map.sums.infinite_rows > 0;
      negative_heads += map.sums.negative_rows > 0;
      all.add(map.sums);
    }
  }
  if (odd_heads > 0) {
    notices.push_back(
        fmt::format("Not normalised: rows of {} of {} heads do not sum to 1 (sums from {:.4g} to {:.4g}). They are shown as they are.",
                    odd_heads, heads, all.lowest, all.highest));
  }
  const auto note = [&](std::int64_t count, const char* what) {
    if (count > 0) notices.push_back(fmt::format("{} of {} heads {} {}.", count, heads, count == 1 ? "holds" : "hold", what));
  };
  note(nan_heads, "NaN");
  note(infinite_heads, "infinities");
  note(negative_heads, "numbers below 0");
}

std::shared_ptr<const Model> make_model(const fs::path& path, ModelConfig config, std::shared_ptr<const Tokenizer> tokenizer,
                                        std::optional<int> item) {
  auto model = std::make_shared<Model>();
  model->name = printable(path.filename().string());
  model->source = "maps from " + printable(path.string(), 4096);
  if (item) model->source += fmt::format(", item {}", *item);
  model->tokenizer = std::move(tokenizer);
  config.family = "attention maps";
  config.mask.is_causal = false;  // whatever the mask was, the maps hold it
  config.positions.kind = PositionKind::none;
  model->config = std::move(config);
  return model;
}

DumpAxes axes_of(const DumpFile& file, const std::vector<LayerMaps>& layers) {
  return {.texts = layers.front().batch, .is_first_unnamed = !note_on_axes(file, {}).empty()};
}

std::vector<std::string> assumed_in(const DumpFile& file, const DumpAxes& axes, const DumpTokens& tokens, std::optional<int> item) {
  std::vector<std::string> assumed;
  if (axes.is_first_unnamed && !item) assumed.emplace_back("first axis taken as layers");
  if (file.are_steps_assumed) assumed.emplace_back("arrays taken as steps");
  if (file.steps.size() > 1) assumed.push_back(fmt::format("rows of {} steps joined", file.steps.size()));
  assumed.insert(assumed.end(), tokens.assumed.begin(), tokens.assumed.end());
  return assumed;
}

}  // namespace

bool names_attention_dump(const std::string& model_name) {
  std::error_code ignored;
  const fs::path path(model_name);
  if (!is_dump_name(path) || !fs::is_regular_file(path, ignored)) return false;
  return path.extension() != ".json" || speaks_of_attention(path);
}

AttentionDump read_attention_dump(const fs::path& path, Progress& progress, std::optional<int> item, UnchosenItem unchosen) {
  const DumpFile file = read_dump_file(path, progress);
  if (!item && unchosen == UnchosenItem::first && holds_batch(file)) item = 0;
  const std::vector<LayerMaps> found = find_layers(file, item);
  const ModelConfig config = config_of(found);
  const DumpLengths lengths = check_sides(file, found, config);
  AttentionDump dump;
  dump.axes = axes_of(file, found);
  DumpTokens tokens = name_tokens(path, file, lengths, {item.value_or(0), dump.axes.texts}, config.place(0).stack == Stack::only);
  if (dump.axes.texts > 1) dump.item = item;
  dump.model = make_model(path, config, std::move(tokens.tokenizer), dump.item);
  dump.axes.assumed = assumed_in(file, dump.axes, tokens, item);
  dump.encoding = std::move(tokens.encoding);
  dump.decoder_encoding = std::move(tokens.decoder_encoding);
  dump.notices = std::move(tokens.notices);
  if (const std::string note = note_on_axes(file, item); !note.empty()) dump.notices.push_back(note);
  if (!file.unread_mask.empty()) {
    dump.notices.push_back(
        fmt::format("{} was ignored because it only marks padding. To say which keys each query may attend to, add an array `mask` of "
                    "shape [query, key].",
                    printable(file.unread_mask)));
  }
  if (const std::string note = note_on_steps(file); !note.empty()) dump.notices.push_back(note);
  for (const LayerMaps& layer : found) {
    progress.step(static_cast<double>(dump.layers.size()) / static_cast<double>(found.size()), "reading maps");
    auto trace = make_layer(layer, progress);
    give_masks(*trace, layer, file, item, layer.queries == layer.keys || tokens.is_one_text, progress);
    dump.layers.push_back(std::move(trace));
  }
  note_sums(dump, dump.notices);
  return dump;
}

}  // namespace headlight
