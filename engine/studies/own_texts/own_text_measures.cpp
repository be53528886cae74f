#include "engine/studies/own_texts/own_text_measures.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <variant>

#include "engine/core/error.h"
#include "engine/core/memory_limit.h"
#include "engine/measures/head_gauge.h"
#include "engine/studies/study_run.h"

namespace headlight {
/// The keys that requests take out of the rows of one text.
class OwnTextMeasurer::KeysTakenOut {
 public:
  KeysTakenOut(const Model& model, const std::vector<MeasureRequest>& requests, const TokenStage& tokens) : config_(model.config) {
    for (const MeasureRequest& request : requests) {
      text_.push_back(keys_of(request, *tokens.encoding));
      decoder_.push_back(tokens.decoder_encoding ? keys_of(request, *tokens.decoder_encoding) : std::nullopt);
    }
  }
  /// Null: none.
  const HiddenKeys* of(int layer, std::size_t request) const {
    const auto& keys = config_.place(layer).stack == Stack::decoder ? decoder_[request] : text_[request];
    return keys ? &*keys : nullptr;
  }

 private:
  static std::optional<HiddenKeys> keys_of(const MeasureRequest& request, const Encoding& text) {
    if (!request.without) return std::nullopt;
    return hidden_keys(*request.without, MeasuredText(text.tokens), std::ssize(text.tokens));
  }
  const ModelConfig& config_;
  std::vector<std::optional<HiddenKeys>> text_, decoder_;  // by request
};

namespace {

/// Rows of all heads, each head by one thread at a time.
class EachHead final : public LayerVisitor {
 public:
  using UseHead = std::function<void(HeadId head, const HeadRows& rows, const Mask& mask)>;
  explicit EachHead(UseHead use) : use_(std::move(use)) {}
  void begin_layer(int layer, const LayerMasks& masks) override {
    layer_ = layer;
    masks_ = masks;
  }
  void add_rows(int head, const HeadRows& rows) override { use_({layer_, head}, rows, *masks_[static_cast<std::size_t>(head)]); }
  void end_layer(int /*layer*/, const LayerTrace& /*trace*/) override {}

 private:
  UseHead use_;
  LayerMasks masks_;
  int layer_ = 0;
};

/// Of the measure "induction", which prefix matching is on such tokens.
MeasureRequest induction_request(const MeasureRequest& request) {
  const Measure& induction = measure_of(all_measures(), "induction");
  return measure_request(measure_id(induction, "", request.without ? key_set_text(*request.without) : std::string()), request.id);
}

/// What a measure that is no row measure gathers of one head while its rows pass by.
using OwnSum = std::variant<OffsetMean, ContentDependence>;

}  // namespace

MeasureNeed texts_need(const std::vector<MeasureRequest>& requests, const std::string& option) {
  const MeasureRequest* own = nullptr;
  for (const MeasureRequest& request : requests) {
    const MeasureNeed need = request.measure->need;
    if (!needs_own_texts(need)) continue;
    if (own != nullptr && own->measure->need != need) {
      throw Error({.kind = ErrorKind::usage,
                   .field = option,
                   .problem = "these are measured on different texts",
                   .found = fmt::format("\"{}\" and \"{}\"", own->id, request.id),
                   .expected = "measures of one kind",
                   .hint = fmt::format("Ask for {} in a run of its own", request.measure->id)});
    }
    own = &request;
  }
  return own == nullptr ? MeasureNeed::nothing : own->measure->need;
}

std::optional<Repetition> repetition_of(MeasureNeed need) {
  if (need == MeasureNeed::four_repeats) return kFourTimes;
  return need == MeasureNeed::two_repeats ? std::optional(kTwice) : std::nullopt;
}

OwnTextMeasurer::OwnTextMeasurer(std::shared_ptr<const Model> model, const Query& query, const StudySettings& settings)
    : query_(query),
      requests_(settings.requests),
      nulls_(settings.nulls),
      need_(texts_need(settings.requests, "measures")),
      longest_(settings.longest),
      own_{PassingRun(model, query)} {
  for (std::size_t at = 0; at < requests_.size(); ++at) {
    const bool is_prefix = requests_[at].measure->id == "prefix-matching";
    if (needs_own_texts(requests_[at].measure->need) && !is_prefix) continue;
    of_rows_.push_back(is_prefix ? induction_request(requests_[at]) : requests_[at]);
    row_places_.push_back(at);
  }
  needs_means() ? check_memory() : check_repetition();
  prepare(own_);
  if (!needs_means()) return;
  for (const NullKind kind : nulls_) {
    if (kind == NullKind::shuffled_tokens) shuffled_ = own_;
    if (kind != NullKind::random_weights) continue;
    for (std::uint64_t seed = 1; seed <= kRandomModels; ++seed) random_.push_back(measured_by(with_random_weights(*model, seed)));
  }
}

void OwnTextMeasurer::prepare(Measured& measured) const {
  measured.norms = output_norms(measured.run, of_rows_);
  if (!needs_means()) return;
  for (const HeadId head : heads_of(measured.run)) {
    for (const MeasureRequest& request : requests_) measured.means[head].emplace_back(request.settings.positions);
  }
}

OwnTextMeasurer::Measured OwnTextMeasurer::measured_by(std::shared_ptr<const Model> model) const {
  Measured measured{PassingRun(std::move(model), query_)};
  prepare(measured);
  return measured;
}

bool OwnTextMeasurer::asks_for(std::string_view id) const {
  return std::any_of(requests_.begin(), requests_.end(), [&](const MeasureRequest& request) { return request.measure->id == id; });
}

/// What every draw would be refused for.
void OwnTextMeasurer::check_repetition() const {
  const Model& model = own_.run.model();
  const auto refuse = [&](const std::string& problem, const std::string& expected) {
    throw Error({.kind = ErrorKind::input, .field = model.name, .problem = problem, .expected = expected});
  };
  if (!model.config.reads_one_way()) refuse("these measures ask what followed earlier, and this model reads both ways", "a causal model");
  if (asks_for("copying-score") || asks_for("induction-loss")) require_logits(model);
  Query drawn = query_;
  drawn.ids = repeated_tokens(model, *repetition_of(need_), 1).ids;
  if (own_.run.tokens_of(drawn).is_cut)
    refuse(fmt::format("the model has fewer positions than the {} tokens of this measure", drawn.ids.size()), {});
}

Index OwnTextMeasurer::most_positions() const {
  Index most = 0;
  for (const MeasureRequest& request : requests_) most = std::max(most, request.settings.positions);
  return most;
}

void OwnTextMeasurer::check_memory() const {
  double numbers = 0;
  for (const MeasureRequest& request : requests_)
    numbers += static_cast<double>(request.settings.positions) * static_cast<double>(request.settings.positions);
  double runs = 1;
  for (const NullKind kind : nulls_) runs += kind == NullKind::random_weights ? kRandomModels : 1;
  const auto heads = static_cast<double>(heads_of(own_.run).size());
  require_memory(numbers * runs * heads * sizeof(double), allowed_memory(),
                 {.problem = "the mean maps would be too large",
                  .found = fmt::format("{} heads, {} positions", heads, most_positions()),
                  .hint = "Choose a smaller N, or measure without --null"});
}

void OwnTextMeasurer::add_to_means(Measured& measured, const TokenStage& tokens, ThreadPool& pool) const {
  const KeysTakenOut out(measured.run.model(), requests_, tokens);
  EachHead visitor([&](HeadId head, const HeadRows& rows, const Mask& /*mask*/) {
    std::vector<MeanMap>& means = measured.means.at(head);
    for (std::size_t at = 0; at < means.size(); ++at) means[at].add(rows, out.of(head.layer, at));
  });
  measured.run.run(tokens, pool, &visitor);  // half a text must not be in a mean: nothing stops it
}

bool OwnTextMeasurer::read_mean(TextSource& texts, const std::string& file, ThreadPool& pool, Progress& progress) {
  progress.step(static_cast<double>(texts.position()) / static_cast<double>(std::max<std::uint64_t>(texts.size(), 1)),
                fmt::format("mean maps of {} texts", texts_of_mean_));
  CorpusText text;
  if (!texts.next(text)) {
    finish_means(file);
    return false;
  }
  if (text.is_blank()) return true;
  ++texts_read_;
  if (!text.problem.empty()) return true;
  TokenStage tokens;
  try {  // what the model cannot read is listed when it is measured; nothing was added then
    tokens = own_.run.tokens_of(text.asked_by(query_));
    const Index count = std::ssize(tokens.encoding->tokens);
    if (count < most_positions() || count > longest_) return true;
    add_to_means(own_, tokens, pool);
  } catch (const Error&) {
    return true;
  }
  for (Measured& each : random_) add_to_means(each, tokens, pool);
  if (shuffled_) add_to_means(*shuffled_, with_shuffled_tokens(tokens, draw_of_text(tokens)), pool);
  ++texts_of_mean_;
  return true;
}

void OwnTextMeasurer::finish_means(const std::string& file) {
  if (texts_read_ == 0) throw Error({.kind = ErrorKind::input, .file = printable(file, 200), .problem = "this file contains no texts"});
  if (texts_of_mean_ < 2) {
    throw Error({.kind = ErrorKind::input,
                 .file = printable(file, 200),
                 .problem = fmt::format("content dependence compares texts, and {} of this file has {} tokens",
                                        texts_of_mean_ == 0 ? "none" : "only one", most_positions()),
                 .hint = "Choose a smaller N"});
  }
  const auto finish = [&](Measured& measured) {
    for (auto& [head, means] : measured.means) {
      for (MeanMap& mean : means) mean.finish(texts_of_mean_);
    }
  };
  finish(own_);
  std::for_each(random_.begin(), random_.end(), finish);
  if (shuffled_) finish(*shuffled_);
}

std::vector<HeadValues> OwnTextMeasurer::measure(const TokenStage& tokens, ThreadPool& pool, const Watch& watch) const {
  if (std::ssize(tokens.encoding->tokens) < most_positions()) {
    throw Error(
        {.kind = ErrorKind::input,
         .problem = fmt::format("{} tokens, fewer than the {} that are compared", tokens.encoding->tokens.size(), most_positions())});
  }
  std::vector<HeadValues> heads = values_of(own_, tokens, pool, watch);
  const std::uint64_t draw = draw_of_text(tokens);
  for (const NullKind kind : nulls_) {
    if (kind == NullKind::shuffled_tokens) {
      append_drawn(heads, values_of(shuffled_ ? *shuffled_ : own_, with_shuffled_tokens(tokens, draw), pool, watch));
    } else if (needs_means()) {
      append_drawn(heads, values_of(random_[draw % random_.size()], tokens, pool, watch));
    } else {  // draws are few: each has a model of its own
      append_drawn(heads, values_of(measured_by(with_random_weights(own_.run.model(), draw)), tokens, pool, watch));
    }
  }
  return heads;
}

std::vector<HeadValues> OwnTextMeasurer::values_of(const Measured& measured, const TokenStage& tokens, ThreadPool& pool,
                                                   const Watch& watch) const {
  const KeysTakenOut out(measured.run.model(), requests_, tokens);
  std::map<HeadId, std::vector<std::pair<std::size_t, OwnSum>>> sums;  // by place of the request
  const Index second = std::ssize(tokens.encoding->tokens) - kTwice.distinct;
  for (const HeadId head : heads_of(measured.run)) {
    std::vector<std::pair<std::size_t, OwnSum>>& own = sums[head];
    for (std::size_t at = 0; at < requests_.size(); ++at) {
      const HiddenKeys* const hidden = out.of(head.layer, at);
      if (requests_[at].measure->id == "induction-offset") own.emplace_back(at, OffsetMean(second, kTwice.distinct, hidden));
      if (requests_[at].measure->need == MeasureNeed::several_texts)
        own.emplace_back(at, ContentDependence(measured.means.at(head)[at], hidden));
    }
  }
  EachHead looking([&](HeadId head, const HeadRows& rows, const Mask& mask) {
    for (auto& [at, sum] : sums.at(head)) std::visit([&](auto& each) { each.add(rows, mask); }, sum);
  });
  std::vector<HeadValues> values;
  for (const HeadId head : heads_of(measured.run))
    values.push_back({head, std::vector<double>(requests_.size()), {}, std::vector<BestCell>(requests_.size())});
  if (asks_for("copying-score")) add_copying(measured.run, tokens, out, values, pool, watch);
  const bool asks_for_more =
      std::any_of(requests_.begin(), requests_.end(), [](const MeasureRequest& request) { return request.measure->id != "copying-score"; });
  if (!asks_for_more) return values;  // heads were asked one by one, and the run would be in vain
  MeasuredRun run = measure_text_heads_beside(looking, measured.run, tokens, of_rows_, measured.norms, pool, watch);
  for (std::size_t number = 0; number < values.size(); ++number) {
    HeadValues& head = values[number];
    const HeadValues& rows = run.heads[number];
    for (std::size_t place = 0; place < row_places_.size(); ++place) {
      head.values[row_places_[place]] = rows.values[place];
      head.cells[row_places_[place]] = rows.cells[place];
    }
    for (const auto& [at, sum] : sums.at(head.head)) {
      head.values[at] = std::visit([](const auto& each) { return each.value(); }, sum);
      head.cells[at] = std::visit([](const auto& each) { return each.best(); }, sum);
    }
  }
  if (asks_for("induction-loss")) add_loss(measured.run, tokens, run.stream, values, pool, watch);
  return values;
}

void OwnTextMeasurer::add_copying(const PassingRun& run, const TokenStage& tokens, const KeysTakenOut& out, std::vector<HeadValues>& values,
                                  ThreadPool& pool, const Watch& watch) const {
  std::vector<std::size_t> places;
  std::vector<const HiddenKeys*> hidden;
  for (std::size_t at = 0; at < requests_.size(); ++at) {
    if (requests_[at].measure->id != "copying-score") continue;
    places.push_back(at);
    hidden.push_back(out.of(0, at));
  }
  auto head = values.begin();
  for (int layer = 0; layer < run.model().config.layers; ++layer) {
    for (const HeadCopying& found : copying_scores(run.model(), query_, layer, tokens.encoding->tokens, hidden, pool, watch)) {
      for (std::size_t place = 0; place < places.size(); ++place) {
        head->values[places[place]] = found.scores[place].value;
        head->cells[places[place]] = found.scores[place].best;
      }
      ++head;
    }
  }
}

/// The whole model's: the same for every head.
void OwnTextMeasurer::add_loss(const PassingRun& run, const TokenStage& tokens, const SharedRows& stream, std::vector<HeadValues>& values,
                               ThreadPool& pool, const Watch& watch) const {
  const std::vector<Token>& read = tokens.encoding->tokens;
  const Matrix logits = compute_logits(run.model(), apply_final_norm(run.model(), *stream.whole(), pool, watch), pool, watch);
  const InductionLoss loss = induction_loss(logits, read, std::ssize(read) - kTwice.distinct);
  for (std::size_t at = 0; at < requests_.size(); ++at) {
    if (requests_[at].measure->id != "induction-loss") continue;
    for (HeadValues& head : values) {
      head.values[at] = loss.value;
      head.cells[at] = loss.worst;
    }
  }
}

}  // namespace headlight
