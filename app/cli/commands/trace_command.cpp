#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/encoding_json.h"
#include "app/cli/options/options.h"
#include "app/document/fields/interventions.h"
#include "engine/core/memory_limit.h"
#include "engine/formats/tensors/safetensors.h"
#include "engine/forward/forward.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {
namespace {

constexpr std::array<std::string_view, 8> kIncludes = {"raw_scores", "scores", "masked_scores", "q", "k", "v", "z", "resid_post"};

struct TraceOptions {
  explicit TraceOptions(CLI::App& command) : query(command) {
    command.add_option("-o,--output", output, "The file to write: .safetensors or .npz")->required()->type_name("FILE");
    command
        .add_option("--include", include,
                    "More tensors of every layer, separated by commas:\n"
                    "raw_scores (as the score function gives them: q·k), scores (scaled, and capped and biased where the\n"
                    "model does that), masked_scores (-inf where the mask forbids), q, k, v, z, resid_post")
        ->type_name("NAME,...");
  }
  QueryOptions query;
  std::string output;
  std::string include;
};

std::set<std::string, std::less<>> parse_include(const std::string& text) {
  std::set<std::string, std::less<>> names;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string name = text.substr(begin, end - begin);
    if (std::find(kIncludes.begin(), kIncludes.end(), name) == kIncludes.end()) {
      refuse_option("--include", "unknown tensor", "\"" + printable(name, 60) + "\"", fmt::format("{}", fmt::join(kIncludes, ", ")));
    }
    names.insert(name);
    begin = end + 1;
  }
  return names;
}

/// For maps from a file: causal is assumed again when they are read again.
bool is_assumed(const LayerTrace& trace) {
  return !trace.given.empty() && trace.given_mask.origin == GivenMask::Origin::assumed;
}

/// For every stack, the mask text that gives exactly the cells used by all its layers and heads; empty if none does.
using ToldMasks = std::map<Stack, std::optional<std::string>>;

ToldMasks told_masks(const Snapshot& snapshot) {
  ToldMasks told;
  std::map<const Mask*, std::optional<std::string>> known;  // heads and layers share masks
  for (int layer = 0; layer < snapshot.layers(); ++layer) {
    const LayerTrace& trace = snapshot.trace.layer(layer);
    const MaskContext context{snapshot.queries(layer), snapshot.keys(layer), {}, trace.given_mask.first_query};
    const bool has_text = trace.given.empty() || trace.given_mask.origin != GivenMask::Origin::cells;
    std::set<std::string> texts;
    if (has_text) texts.insert(snapshot.own_mask(layer));
    for (const MaskRule& rule : snapshot.query.mask.rules) {
      if (!rule.text.empty()) texts.insert(rule.text);
    }
    const auto text_of = [&](const Mask& mask) {
      const auto gives = [&](const std::string& text) { return MaskText(text).cells(context) == mask; };
      const auto found = std::find_if(texts.begin(), texts.end(), gives);
      return found == texts.end() ? std::nullopt : std::optional(*found);
    };
    for (const HeadRule& rule : trace.rules) {
      const auto [entry, is_new] = known.try_emplace(rule.mask.get());
      if (is_new && !is_assumed(trace)) entry->second = text_of(*rule.mask);
      const auto [stack, is_first] = told.try_emplace(snapshot.model->config.place(layer).stack, entry->second);
      if (!is_first && stack->second != entry->second) stack->second.reset();
    }
  }
  return told;
}

/// Collects the tensors of one file. Matrices of the snapshot are written straight from it; rebuilt and rearranged ones are kept here.
class TensorCollection {
 public:
  TensorCollection(const Snapshot& snapshot, ThreadPool& pool) : snapshot_(snapshot), pool_(pool) {}

  void add_matrix(std::string name, SharedRows rows) {
    const Matrix& matrix = *matrices_.emplace_back(rows.whole());
    tensors_.push_back({std::move(name), {matrix.rows(), matrix.cols()}, {matrix.data(), static_cast<std::size_t>(matrix.size())}});
  }
  void add_layer(int layer, const std::set<std::string, std::less<>>& include);
  void add_hidden();
  /// Masks that no text gives, as `mask.{layer}` [query, key], or [heads, query, key] where heads have their own.
  void add_masks(const ToldMasks& told);
  const std::vector<TensorToWrite>& tensors() const { return tensors_; }

 private:
  std::span<float> add_owned(std::string name, std::vector<std::int64_t> shape);
  void add_maps(int layer, const std::set<std::string, std::less<>>& include);
  void add_split(const std::string& name, const SharedRows::SharedMatrix& whole, int heads);

  const Snapshot& snapshot_;
  ThreadPool& pool_;
  std::vector<std::unique_ptr<std::vector<float>>> owned_;
  std::vector<SharedRows::SharedMatrix> matrices_;
  std::vector<TensorToWrite> tensors_;
};

std::span<float> TensorCollection::add_owned(std::string name, std::vector<std::int64_t> shape) {
  std::size_t count = 1;
  for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
  owned_.push_back(std::make_unique<std::vector<float>>(count));
  tensors_.push_back({std::move(name), std::move(shape), *owned_.back()});
  return *owned_.back();
}

/// "scores.3"; in encoder–decoder models "encoder.scores.3", "decoder.scores.0", "cross.scores.0".
std::string tensor_name(const Snapshot& snapshot, int layer, std::string_view what) {
  const LayerPlace place = snapshot.model->config.place(layer);
  if (place.stack == Stack::only) return fmt::format("{}.{}", what, place.number);
  return fmt::format("{}.{}.{}", name_of(place.stack), what, place.number);
}

/// attention, raw_scores, scores and masked_scores of one layer: [heads, query, key].
void TensorCollection::add_maps(int layer, const std::set<std::string, std::less<>>& include) {
  const Index queries = snapshot_.queries(layer), keys = snapshot_.keys(layer);
  const std::vector<std::int64_t> shape = {snapshot_.heads(layer), queries, keys};
  const auto map_size = static_cast<std::size_t>(queries * keys);
  const std::span<float> weights = add_owned(tensor_name(snapshot_, layer, "attention"), shape);
  std::span<float> raw, scores, masked;
  if (include.contains("raw_scores")) raw = add_owned(tensor_name(snapshot_, layer, "raw_scores"), shape);
  if (include.contains("scores")) scores = add_owned(tensor_name(snapshot_, layer, "scores"), shape);
  if (include.contains("masked_scores")) masked = add_owned(tensor_name(snapshot_, layer, "masked_scores"), shape);
  pool_.for_each(snapshot_.heads(layer), [&](Index head) {
    const HeadMaps maps = snapshot_.maps({layer, static_cast<int>(head)});
    const std::size_t begin = static_cast<std::size_t>(head) * map_size;
    std::copy_n(maps.weights.data(), map_size, weights.begin() + static_cast<std::ptrdiff_t>(begin));
    if (!raw.empty()) std::copy_n(maps.scores.data(), map_size, raw.begin() + static_cast<std::ptrdiff_t>(begin));
    for (Index query = 0; query < queries && !(scores.empty() && masked.empty()); ++query) {
      for (Index key = 0; key < keys; ++key) {
        const std::size_t cell = begin + static_cast<std::size_t>(query * keys + key);
        const float score = maps.final_score(query, key);
        if (!scores.empty()) scores[cell] = score;
        if (!masked.empty()) masked[cell] = maps.mask->allows(query, key) ? score : -std::numeric_limits<float>::infinity();
      }
    }
  });
}

/// [token, heads · d_head] as [heads, token, d_head].
void TensorCollection::add_split(const std::string& name, const SharedRows::SharedMatrix& whole, int heads) {
  const Matrix& joined = *whole;
  const Index width = joined.cols() / heads;
  float* next = add_owned(name, {heads, joined.rows(), width}).data();
  for (int head = 0; head < heads; ++head) {
    for (Index token = 0; token < joined.rows(); ++token) next = std::copy_n(&joined(token, head * width), width, next);
  }
}

void TensorCollection::add_layer(int layer, const std::set<std::string, std::less<>>& include) {
  const LayerTrace& trace = snapshot_.trace.layer(layer);
  const auto name = [&](std::string_view what) { return tensor_name(snapshot_, layer, what); };
  add_maps(layer, include);
  if (include.contains("q")) add_split(name("q"), trace.q.whole(), trace.heads);
  if (include.contains("k")) add_split(name("k"), trace.k.whole(), trace.kv_heads);
  if (include.contains("v")) add_split(name("v"), trace.v.whole(), trace.kv_heads);
  if (include.contains("z")) add_matrix(name("z"), trace.z);
  if (include.contains("resid_post")) add_matrix(name("resid_post"), trace.resid_post);
}

void TensorCollection::add_masks(const ToldMasks& told) {
  for (int layer = 0; layer < snapshot_.layers(); ++layer) {
    const LayerTrace& trace = snapshot_.trace.layer(layer);
    if (is_assumed(trace) || told.at(snapshot_.model->config.place(layer).stack)) continue;
    const std::vector<HeadRule>& rules = trace.rules;
    const auto is_first = [&](const HeadRule& rule) { return rule.mask == rules.front().mask || *rule.mask == *rules.front().mask; };
    const bool is_one = std::all_of(rules.begin(), rules.end(), is_first);
    const std::size_t count = is_one ? 1 : rules.size();
    std::vector<std::int64_t> shape = {snapshot_.queries(layer), snapshot_.keys(layer)};
    if (!is_one) shape.insert(shape.begin(), static_cast<std::int64_t>(count));
    float* next = add_owned(tensor_name(snapshot_, layer, "mask"), std::move(shape)).data();
    for (std::size_t head = 0; head < count; ++head) {
      const Mask& mask = *rules[head].mask;
      for (Index query = 0; query < mask.queries(); ++query) next = std::copy_n(mask.row(query), mask.keys(), next);
    }
  }
}

/// Masks that a text gives: "headlight.mask", of an encoder–decoder "headlight.mask.encoder" and so on.
void add_mask_texts(std::map<std::string, std::string>& metadata, const ToldMasks& told) {
  for (const auto& [stack, text] : told) {
    if (text) metadata[stack == Stack::only ? "headlight.mask" : fmt::format("headlight.mask.{}", name_of(stack))] = *text;
  }
}

/// hidden.N: N = 0 after the embedding, the last one after the final norm.
void TensorCollection::add_hidden() {
  const Trace& trace = snapshot_.trace;
  const auto resid_pre = [&](int layer) -> const SharedRows& { return trace.layer(layer).resid_pre; };
  const ModelConfig& config = snapshot_.model->config;
  if (!config.is_encoder_decoder()) {
    for (int layer = 0; layer < snapshot_.layers(); ++layer) add_matrix(fmt::format("hidden.{}", layer), resid_pre(layer));
    add_matrix(fmt::format("hidden.{}", snapshot_.layers()), trace.final_hidden);
    return;
  }
  for (int layer = 0; layer < snapshot_.layers(); ++layer) {
    if (config.place(layer).stack != Stack::cross) add_matrix(tensor_name(snapshot_, layer, "hidden"), resid_pre(layer));
  }
  ThreadPool alone(1);  // for one norm of each token
  const SharedRows& encoded = trace.layer(config.stacks.encoder_layers - 1).resid_post;
  add_matrix("encoder.hidden.last", make_memory(*snapshot_.model, *encoded.whole(), alone));
  add_matrix("decoder.hidden.last", trace.final_hidden);
}

/// Refuses a trace that would be too large, before anything is allocated.
void check_size(const Snapshot& snapshot, const std::set<std::string, std::less<>>& include) {
  std::uint64_t maps = 1;
  for (const char* name : {"raw_scores", "scores", "masked_scores"}) maps += include.contains(name) ? 1U : 0U;
  const auto tokens = static_cast<std::uint64_t>(snapshot.trace.final_hidden.rows());
  const auto heads = static_cast<std::uint64_t>(snapshot.heads());
  std::uint64_t bytes = 0;
  for (int layer = 0; layer < snapshot.layers(); ++layer) {
    bytes += heads * maps * static_cast<std::uint64_t>(snapshot.queries(layer) * snapshot.keys(layer)) * sizeof(float);
  }
  const std::uint64_t logits =
      snapshot.model->config.has_logits ? tokens * static_cast<std::uint64_t>(snapshot.model->config.vocabulary) : 0;
  const std::uint64_t needed = bytes + logits * sizeof(float);
  require_memory(static_cast<double>(needed), allowed_memory(),
                 {.problem = "the trace would be too large",
                  .found = fmt::format("of attention maps and logits for {} tokens", tokens),
                  .hint = "Shorten the text, or --include less"});
}

std::string text_of(const auto& json) {
  return json_text(json);
}

/// Text, tokens, ids, offsets, type_ids and which tokens are special, of one text, each name after `prefix`.
void add_encoding(std::map<std::string, std::string>& metadata, const std::string& prefix, const Encoding& encoding) {
  const auto tokens = encoding_json(encoding);
  metadata[prefix + "text"] = text_of(Json(encoding.text));
  for (const char* part : {"tokens", "ids", "offsets", "type_ids"}) metadata[prefix + part] = text_of(tokens[part]);
  Json special = Json::array();
  for (const Token& token : encoding.tokens) special.push_back(token.is_special || token.is_typed_special ? 1 : 0);
  metadata[prefix + "special_tokens_mask"] = text_of(special);
}

std::map<std::string, std::string> metadata_of(const Snapshot& snapshot, const ToldMasks& told) {
  const Model& model = *snapshot.model;
  Json about = {{"name", model.name},          {"source", model.source},    {"family", model.config.family},
                {"layers", snapshot.layers()}, {"heads", snapshot.heads()}, {"d_model", model.config.d_model}};
  if (model.config.is_encoder_decoder()) about["encoder_layers"] = model.config.stacks.encoder_layers;
  std::map<std::string, std::string> metadata = {{"model", text_of(about)}};
  add_encoding(metadata, "", *snapshot.encoding);
  if (snapshot.decoder_encoding) {
    add_encoding(metadata, "decoder.", *snapshot.decoder_encoding);
  } else if (snapshot.query.text_pair) {
    metadata["text_pair"] = text_of(Json(snapshot.encoding->text_pair));
  }
  add_mask_texts(metadata, told);
  Json edits = Json::array();
  for (const Intervention& each : interventions_of(snapshot.query)) edits.push_back(to_text(each));
  if (!edits.empty()) metadata["headlight.edits"] = text_of(edits);
  return metadata;
}

int run_trace(const TraceOptions& options) {
  const bool is_npz = writes_npz(options.output);
  const auto include = parse_include(options.include);
  Pipeline pipeline(options.query.threads());
  announce_cost(pipeline);
  ConsoleProgress progress;
  SubjectMasks masks;
  const Document document = options.query.document(nullptr, &masks);
  const Query& query = document.query;
  print_notes(notes_on_texts(document));
  const std::shared_ptr<const Snapshot> snapshot = pipeline.run(query, progress);
  print_notes(snapshot->notices);
  print_notes(options.query.notes(*snapshot));
  if (snapshot->is_dump() && !include.empty()) {
    refuse_option("--include", "maps from a file come without the numbers that made them", options.include, "no --include");
  }
  print_notes(check_masks(masks[document.focused], *snapshot));
  check_size(*snapshot, include);

  const SharedRows& final_hidden = snapshot->trace.final_hidden;
  const ToldMasks told = told_masks(*snapshot);
  TensorCollection collection(*snapshot, pipeline.pool());
  for (int layer = 0; layer < snapshot->layers(); ++layer) {
    progress.step(static_cast<double>(layer) / snapshot->layers(), "writing the trace");
    collection.add_layer(layer, include);
  }
  collection.add_masks(told);
  if (!snapshot->is_dump()) collection.add_hidden();
  if (snapshot->is_dump()) {
    // A dump has maps and nothing else.
  } else if (snapshot->model->config.has_logits) {
    collection.add_matrix("logits", compute_logits(*snapshot->model, *final_hidden.whole(), pipeline.pool()));
  } else {
    collection.add_matrix("last_hidden_state", final_hidden);
  }
  (is_npz ? write_npz : write_safetensors)(options.output, collection.tensors(), metadata_of(*snapshot, told));
  return 0;
}

}  // namespace

void add_trace(CLI::App& command, Action& action, const OpenWindow& /*open_window*/) {
  keep_options<TraceOptions>(command, action, run_trace);
}

}  // namespace headlight
