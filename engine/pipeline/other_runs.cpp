#include "engine/pipeline/other_runs.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/random.h"
#include "engine/pipeline/passing_run.h"
#include "engine/pipeline/stages/memory_need.h"

namespace headlight {
namespace {

constexpr std::size_t kMostKept = 8;

/// Keeps every layer; what layers share is not copied.
class LayerKeeper final : public LayerVisitor {
 public:
  void begin_layer(int /*layer*/, const LayerMasks& /*masks*/) override {}
  void add_rows(int /*head*/, const HeadRows& /*rows*/) override {}
  void end_layer(int /*layer*/, const LayerTrace& trace) override { layers.push_back(std::make_shared<const LayerTrace>(trace)); }
  std::vector<std::shared_ptr<const LayerTrace>> layers;
};

[[noreturn]] void refuse_empty(std::string problem, std::string hint) {
  throw Error({.kind = ErrorKind::usage, .field = "edit", .problem = std::move(problem), .hint = std::move(hint)});
}

/// The tokens of both stacks, apart.
std::vector<std::int64_t> ids_of(const TokenStage& tokens) {
  std::vector<std::int64_t> ids = tokens.numbers.ids;
  ids.insert(ids.end(), tokens.numbers.types.begin(), tokens.numbers.types.end());
  if (!tokens.decoder_numbers) return ids;
  ids.push_back(-1);
  ids.insert(ids.end(), tokens.decoder_numbers->ids.begin(), tokens.decoder_numbers->ids.end());
  return ids;
}

struct RunText {
  std::vector<std::shared_ptr<const LayerTrace>> layers;
  std::vector<std::int64_t> ids;
};

bool is_empty(const TokenStage& tokens) {
  return tokens.encoding->tokens.empty() || (tokens.decoder_encoding && tokens.decoder_encoding->tokens.empty());
}

/// nullopt: the text has no tokens.
std::optional<RunText> run_text(const PassingRun& passing, const TokenStage& tokens, ThreadPool& pool, const Watch& watch) {
  if (is_empty(tokens)) return std::nullopt;
  LayerKeeper keeper;
  passing.run(tokens, pool, &keeper, watch);
  return RunText{std::move(keeper.layers), ids_of(tokens)};
}

/// All layers are kept.
void check_memory_of(const TokenStage& tokens, const Model& model, const Query& query, const PipelineLimits& limits, std::size_t held,
                     int threads) {
  const TokenCounts counts{std::ssize(tokens.encoding->tokens), tokens.decoder_encoding ? std::ssize(tokens.decoder_encoding->tokens) : 0};
  check_limit(model.config, requests_of_layers(query, model), counts, threads, limits, held);
}

HeadOutputs outputs_of(const RunText& text) {
  HeadOutputs outputs;
  for (const auto& layer : text.layers) outputs.push_back(layer->z);
  return outputs;
}

/// In the order of the set, whatever finished first.
OtherRun mean_of(const PassingRun& passing, const Query& query, const TextSet& set, std::vector<std::int64_t>& source, ThreadPool& pool,
                 Progress& progress) {
  OtherRun mean{.text = set.name};
  const auto at_once = static_cast<std::size_t>(4 * pool.threads());
  std::uint64_t digest = fnv1a("texts");
  std::int64_t count = 0;
  for (std::size_t begin = 0; begin < set.texts.size(); begin += at_once) {
    progress.step(static_cast<double>(begin) / static_cast<double>(set.texts.size()), "running the texts of a mean");
    std::vector<std::optional<RunText>> found(std::min(at_once, set.texts.size() - begin));
    pool.for_each(std::ssize(found), [&](Index at) {
      ThreadPool alone(1);
      const auto place = static_cast<std::size_t>(at);
      found[place] = run_text(passing, passing.tokens_of(query_of_other_text(query, set.texts[begin + place])), alone, progress);
    });
    for (const std::optional<RunText>& text : found) {
      if (!text) continue;
      mean.mean.add(outputs_of(*text));
      digest = fnv1a(fmt::format("{} {}", digest, fmt::join(text->ids, " ")));
      ++count;
    }
  }
  if (count == 0) refuse_empty(fmt::format("no text of {} has a token", printable(set.name, 80)), "Give a file of texts, one a line");
  source = {static_cast<std::int64_t>(digest), count};
  return mean;
}

}  // namespace

Query query_of_other_text(const Query& query, const std::string& text) {
  Query other = query;
  other.text = text;
  other.ids.clear();
  other.item.reset();
  other.switched_off.clear();
  other.interventions.clear();
  return other;
}

std::size_t OtherRuns::bytes() const {
  std::size_t bytes = 0;
  for (const Kept& each : kept_) bytes += each.bytes;
  return bytes;
}

const OtherRuns::Kept& OtherRuns::keep(const Query& query, const std::shared_ptr<const Model>& model, const Intervention& intervention,
                                       const PipelineLimits& limits, ThreadPool& pool, Progress& progress) {
  const bool is_set = row_of(intervention.kind).need == InterventionNeed::texts;
  const Query other = query_of_other_text(query, is_set ? std::string() : intervention.text);
  const auto texts = is_set ? intervention.texts : nullptr;
  const auto is_same = [&](const Kept& each) {
    const bool has_same_texts = texts == each.texts || (texts && each.texts && *texts == *each.texts);
    return each.model == model && has_same_texts && each.query == other;
  };
  if (const auto found = std::find_if(kept_.begin(), kept_.end(), is_same); found != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, found);
    return kept_.front();
  }
  const PassingRun passing(model, other, limits);
  Kept made{.model = model, .query = other, .texts = texts, .run = {}, .source = {}};
  if (is_set) {
    if (!texts) refuse_empty("the mean has no texts", "Give a file of texts, one a line");
    made.run = std::make_shared<const OtherRun>(mean_of(passing, query, *texts, made.source, pool, progress));
  } else {
    const TokenStage tokens = passing.tokens_of(other);
    check_memory_of(tokens, *model, other, limits, bytes(), pool.threads());
    std::optional<RunText> run = run_text(passing, tokens, pool, progress);
    if (!run) refuse_empty(fmt::format("the other text \"{}\" has no tokens", printable(intervention.text, 60)), "Give another text");
    Trace trace;
    trace.layers = run->layers;
    made.bytes = bytes_of(trace);
    made.source = std::move(run->ids);
    made.run = std::make_shared<const OtherRun>(OtherRun{.text = intervention.text, .layers = std::move(run->layers)});
  }
  kept_.push_front(std::move(made));
  if (kept_.size() > kMostKept) kept_.pop_back();
  return kept_.front();
}

void OtherRuns::find(const Query& query, const std::shared_ptr<const Model>& model, const PipelineLimits& limits,
                     std::vector<LayerRequest>& requests, ThreadPool& pool, Progress& progress) {
  kept_.remove_if([&](const Kept& each) { return each.model != model; });  // or its weights would stay
  for (LayerRequest& request : requests) {
    for (LayerEdit& edit : request.edits) {
      if (!needs_other_run({edit})) continue;
      const Kept& kept = keep(query, model, query.interventions[edit.intervention], limits, pool, progress);
      edit.other = kept.run;
      edit.source = kept.source;
    }
  }
}

}  // namespace headlight
