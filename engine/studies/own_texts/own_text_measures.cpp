#include "engine/studies/own_texts/own_text_measures.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/core/error.h"
#include "engine/core/memory_limit.h"
#include "engine/measures/head_gauge.h"
#include "engine/studies/study_run.h"

namespace headlight {
namespace {

/// The keys that requests take out of the rows of one text.
class KeysTakenOut {
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

/// nullopt: the model does not know all tokens. Such a text is listed when it is measured, and is in no mean.
std::optional<TokenStage> readable_tokens(const PassingRun& run, const Query& query) {
  try {
    TokenStage tokens = run.tokens_of(query);
    embed(run.model(), tokens.encoding->tokens);
    if (tokens.decoder_encoding) embed(run.model(), tokens.decoder_encoding->tokens, true);
    return tokens;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::vector<MeasureRequest> requests_named(const std::vector<MeasureRequest>& requests, std::string_view id) {
  std::vector<MeasureRequest> named;
  std::copy_if(requests.begin(), requests.end(), std::back_inserter(named),
               [&](const MeasureRequest& request) { return request.measure->id == id; });
  return named;
}

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
  std::copy_if(requests_.begin(), requests_.end(), std::back_inserter(of_rows_),
               [](const MeasureRequest& request) { return !needs_own_texts(request.measure->need); });
  own_.norms = output_norms(own_.run, of_rows_);
  needs_means() ? check_memory() : check_repetition();
  if (!needs_means()) return;
  own_.means = empty_means();
  for (const NullKind kind : nulls_) {
    if (kind == NullKind::shuffled_tokens) shuffled_ = own_;
    if (kind != NullKind::random_weights) continue;
    for (std::uint64_t seed = 1; seed <= kRandomModels; ++seed) {
      random_.push_back(measured_by(with_random_weights(*model, seed)));
      random_.back().means = empty_means();
    }
  }
}

OwnTextMeasurer::Measured OwnTextMeasurer::measured_by(std::shared_ptr<const Model> model) const {
  Measured measured{PassingRun(std::move(model), query_)};
  measured.norms = output_norms(measured.run, of_rows_);
  return measured;
}

/// What every draw would be refused for.
void OwnTextMeasurer::check_repetition() const {
  const Model& model = own_.run.model();
  const auto refuse = [&](const std::string& problem, const std::string& expected) {
    throw Error({.kind = ErrorKind::input, .field = model.name, .problem = problem, .expected = expected});
  };
  if (!model.config.mask.is_causal || model.config.is_encoder_decoder())
    refuse("these measures ask what followed earlier, and this model reads both ways", "a causal model");
  for (const char* id : {"copying-score", "induction-loss"}) {
    if (!requests_named(requests_, id).empty()) require_logits(model);
  }
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

OwnTextMeasurer::Means OwnTextMeasurer::empty_means() const {
  Means means;
  for (const HeadId head : heads_of(own_.run)) {
    for (const MeasureRequest& request : requests_) means[head].emplace_back(request.settings.positions);
  }
  return means;
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
  Query query = query_;
  query.text = text.text;
  query.ids = text.ids;
  const std::optional<TokenStage> tokens = readable_tokens(own_.run, query);
  const Index count = tokens ? std::ssize(tokens->encoding->tokens) : 0;
  if (count < most_positions() || count > longest_) return true;
  add_to_means(own_, *tokens, pool);
  for (Measured& each : random_) add_to_means(each, *tokens, pool);
  if (shuffled_) add_to_means(*shuffled_, with_shuffled_tokens(*tokens, draw_of_text(*tokens)), pool);
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
  std::vector<HeadValues> values = needs_means()                        ? several_texts(measured, tokens, pool, watch)
                                   : need_ == MeasureNeed::four_repeats ? four_repeats(measured.run, tokens, pool, watch)
                                                                        : two_repeats(measured.run, tokens, pool, watch);
  if (!of_rows_.empty()) add_measures_of_rows(measured, tokens, values, pool, watch);
  return values;
}

void OwnTextMeasurer::add_measures_of_rows(const Measured& measured, const TokenStage& tokens, std::vector<HeadValues>& values,
                                           ThreadPool& pool, const Watch& watch) const {
  const std::vector<HeadValues> found = measure_text_heads(measured.run, tokens, of_rows_, measured.norms, true, pool, watch);
  for (std::size_t at = 0, of_row = 0; at < requests_.size(); ++at) {
    if (needs_own_texts(requests_[at].measure->need)) continue;
    for (std::size_t head = 0; head < values.size(); ++head) {
      values[head].values[at] = found[head].values[of_row];
      values[head].cells[at] = found[head].cells[of_row];
    }
    ++of_row;
  }
}

std::vector<HeadValues> OwnTextMeasurer::empty_values(const PassingRun& run) const {
  std::vector<HeadValues> values;
  for (const HeadId head : heads_of(run))
    values.push_back({head, std::vector<double>(requests_.size()), {}, std::vector<BestCell>(requests_.size())});
  return values;
}

std::vector<HeadValues> OwnTextMeasurer::four_repeats(const PassingRun& run, const TokenStage& tokens, ThreadPool& pool,
                                                      const Watch& watch) const {
  std::vector<HeadValues> values = empty_values(run);
  const KeysTakenOut out(run.model(), requests_, tokens);
  for (std::size_t at = 0; at < requests_.size(); ++at) {
    if (requests_[at].measure->id == "prefix-matching") {
      const auto found = measure_text_heads(run, tokens, {induction_request(requests_[at])}, {}, true, pool, watch);
      for (std::size_t head = 0; head < values.size(); ++head) {
        values[head].values[at] = found[head].values.front();
        values[head].cells[at] = found[head].cells.front();
      }
      continue;
    }
    if (requests_[at].measure->id != "copying-score") continue;
    const auto found = copying_scores(run.model(), query_, tokens.encoding->tokens, out.of(0, at), pool, watch);
    for (std::size_t head = 0; head < values.size(); ++head) {
      values[head].values[at] = found[head].value;
      values[head].cells[at] = found[head].best;
    }
  }
  return values;
}

std::vector<HeadValues> OwnTextMeasurer::two_repeats(const PassingRun& run, const TokenStage& tokens, ThreadPool& pool,
                                                     const Watch& watch) const {
  std::vector<HeadValues> values = empty_values(run);
  const KeysTakenOut out(run.model(), requests_, tokens);
  const Index second = std::ssize(tokens.encoding->tokens) - kTwice.distinct;
  std::map<HeadId, std::vector<OffsetMean>> offsets;
  for (const HeadValues& head : values) {
    for (std::size_t at = 0; at < requests_.size(); ++at)
      offsets[head.head].emplace_back(second, kTwice.distinct, out.of(head.head.layer, at));
  }
  EachHead visitor([&](HeadId head, const HeadRows& rows, const Mask& mask) {
    for (OffsetMean& offset : offsets.at(head)) offset.add(rows, mask);
  });
  const SharedRows stream = run.run(tokens, pool, &visitor, watch);
  InductionLoss loss;
  if (!requests_named(requests_, "induction-loss").empty()) {
    const Matrix hidden_rows = apply_final_norm(run.model(), *stream.whole(), pool, watch);
    loss = induction_loss(compute_logits(run.model(), hidden_rows, pool, watch), tokens.encoding->tokens, second);
  }
  for (HeadValues& head : values) {
    for (std::size_t at = 0; at < requests_.size(); ++at) {
      const bool is_loss = requests_[at].measure->id == "induction-loss";
      const OffsetMean& offset = offsets.at(head.head)[at];
      head.values[at] = is_loss ? loss.value : offset.value();
      head.cells[at] = is_loss ? loss.worst : offset.best();
    }
  }
  return values;
}

std::vector<HeadValues> OwnTextMeasurer::several_texts(const Measured& measured, const TokenStage& tokens, ThreadPool& pool,
                                                       const Watch& watch) const {
  std::vector<HeadValues> values = empty_values(measured.run);
  const KeysTakenOut out(measured.run.model(), requests_, tokens);
  std::map<HeadId, std::vector<ContentDependence>> found;
  for (const auto& [head, means] : measured.means) {
    for (std::size_t at = 0; at < means.size(); ++at) found[head].emplace_back(means[at], out.of(head.layer, at));
  }
  EachHead visitor([&](HeadId head, const HeadRows& rows, const Mask& /*mask*/) {
    for (ContentDependence& each : found.at(head)) each.add(rows);
  });
  measured.run.run(tokens, pool, &visitor, watch);
  for (HeadValues& head : values) {
    for (std::size_t at = 0; at < requests_.size(); ++at) {
      head.values[at] = found.at(head.head)[at].value();
      head.cells[at] = found.at(head.head)[at].farthest();
    }
  }
  return values;
}

}  // namespace headlight
