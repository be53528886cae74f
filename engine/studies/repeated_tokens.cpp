#include "engine/studies/repeated_tokens.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/numbers.h"
#include "engine/core/random.h"
#include "engine/kernels/steady_functions.h"

namespace headlight {
namespace {

constexpr std::string_view kOption = "measure";

std::vector<HeadScore> scores_of(const Snapshot& run, const std::string& id, Progress& progress) {
  std::vector<HeadScore> scores;
  for (const HeadValues& head : measure_snapshot(run, measure_requests(id, std::string(kOption)), false, progress)) {
    scores.push_back({head.head, head.values.front()});
  }
  return scores;
}

void require_logits(const Model& model) {
  if (model.config.has_logits) return;
  throw Error(
      {.kind = ErrorKind::input, .field = model.name, .problem = "the model predicts no tokens", .expected = "a language-model head"});
}

/// ln Σ exp of a row.
double log_sum(const float* row, Index count) {
  const double largest = static_cast<double>(*std::max_element(row, row + count));
  double sum = 0;
  for (Index at = 0; at < count; ++at) sum += steady_exp(static_cast<double>(row[at]) - largest);
  return largest + steady_log(sum);
}

/// Keeps what passes by.
class AllLayers final : public LayerVisitor {
 public:
  void begin_layer(int /*layer*/, const LayerMasks& /*masks*/) override {}
  void add_rows(int /*head*/, const HeadRows& /*rows*/) override {}
  void end_layer(int /*layer*/, const LayerTrace& trace) override { layers.push_back(std::make_shared<const LayerTrace>(trace)); }
  std::vector<std::shared_ptr<const LayerTrace>> layers;
};

}  // namespace

Snapshot run_on_ids(const std::shared_ptr<const Model>& model, const Query& query, ThreadPool& pool, const Watch& watch) {
  const PassingRun passing(model, query);
  const TokenStage tokens = passing.tokens_of(query);
  if (std::ssize(tokens.encoding->tokens) != std::ssize(query.ids)) {
    throw Error({.kind = ErrorKind::input,
                 .field = model->name,
                 .problem = fmt::format("the model has fewer positions than the {} tokens of this measure", query.ids.size())});
  }
  AllLayers all;
  const SharedRows resid_post = passing.run(tokens, pool, &all, watch);
  Snapshot snapshot;
  snapshot.query = query;
  snapshot.model = model;
  snapshot.encoding = tokens.encoding;
  snapshot.trace.layers = std::move(all.layers);
  snapshot.trace.embedded = snapshot.trace.layers.front()->resid_pre;
  snapshot.trace.final_hidden = apply_final_norm(*model, *resid_post.whole(), pool, watch);
  return snapshot;
}

namespace {

double mean_of(const std::vector<double>& values) {
  MeasureSum sum;
  for (const double value : values) sum.add(value);
  return sum.mean();
}

}  // namespace

void DrawnScores::add(const std::vector<HeadScore>& scores) {
  for (const HeadScore& score : scores) {
    std::vector<double>& draws = draws_[score.head];
    if (!std::isnan(score.value)) draws.push_back(score.value);
  }
}

std::vector<HeadScore> DrawnScores::means() const {
  std::vector<HeadScore> scores;
  for (const auto& [head, draws] : draws_) scores.push_back({head, mean_of(draws)});
  return scores;
}

double DrawnScores::z(HeadId head, double value) const {
  const std::vector<double>& draws = draws_.at(head);
  const double mean = mean_of(draws);
  double squares = 0;
  for (const double each : draws) squares += (each - mean) * (each - mean);
  const double deviation = std::sqrt(squares / (static_cast<double>(draws.size()) - 1));
  return deviation > 0 ? (value - mean) / deviation : std::nan("");
}

std::string draws_text(std::int64_t draws) {
  return fmt::format("{} draw{} of random tokens", draws, draws == 1 ? "" : "s");
}

std::string text_of_drawn(const HeadLabel& label) {
  return fmt::format("{}: {} (threshold {}, {})", label.name, weight_text(label.score), label.threshold, draws_text(label.texts));
}

RepeatedTokens repeated_tokens(const Model& model, Index distinct, Index times, std::uint64_t seed) {
  const Encoding empty = model.tokenizer->encode("", std::nullopt);
  RepeatedTokens tokens{.ids = {}, .distinct = distinct, .times = times};
  std::set<std::int64_t> taken;
  for (const Token& token : empty.tokens) taken.insert(token.id);
  if (!empty.tokens.empty()) tokens.ids.push_back(empty.tokens.front().id);
  tokens.first = std::ssize(tokens.ids);
  const auto vocabulary = static_cast<std::int64_t>(model.config.vocabulary);
  const std::int64_t edge = vocabulary / 25, inner = vocabulary - 2 * edge;
  if (inner < 2 * distinct) {
    throw Error({.kind = ErrorKind::input, .field = model.name, .problem = "the vocabulary is too small for random tokens"});
  }
  RandomStream random(seed, "repeated tokens");
  std::vector<std::int64_t> once;
  for (int tries = 0; std::ssize(once) < distinct && tries < 1'000'000; ++tries) {
    const auto id = edge + static_cast<std::int64_t>(random.next() % static_cast<std::uint64_t>(inner));
    if (model.tokenizer->token_of(id) && taken.insert(id).second) once.push_back(id);
  }
  for (Index time = 0; time < times; ++time) tokens.ids.insert(tokens.ids.end(), once.begin(), once.end());
  return tokens;
}

std::vector<HeadScore> prefix_matching(const Snapshot& run, Progress& progress) {
  return scores_of(run, "induction", progress);
}

double induction_by_offset(const Matrix& weights, const RepeatedTokens& tokens) {
  const Index start = tokens.first + tokens.distinct, back = tokens.distinct - 1;
  double sum = 0;
  for (Index query = start; query < weights.rows(); ++query) sum += static_cast<double>(weights(query, query - back));
  return sum / static_cast<double>(weights.rows() - start);
}

std::vector<HeadScore> induction_by_offset(const Snapshot& run, const RepeatedTokens& tokens, Progress& progress) {
  std::vector<HeadScore> scores;
  for (int layer = 0; layer < run.layers(); ++layer) {
    for (int head = 0; head < run.heads(layer); ++head) {
      scores.push_back({{layer, head}, induction_by_offset(run.maps({layer, head}, progress).weights, tokens)});
    }
  }
  return scores;
}

double induction_loss(const Snapshot& run, const RepeatedTokens& tokens, ThreadPool& pool) {
  require_logits(*run.model);
  return induction_loss(compute_logits(*run.model, *run.trace.final_hidden.whole(), pool), tokens);
}

double induction_loss(const Matrix& logits, const RepeatedTokens& tokens) {
  double sum = 0;
  const Index begin = tokens.first + tokens.distinct, end = begin + tokens.distinct;
  for (Index query = begin; query + 1 < end; ++query) {
    const auto next = static_cast<Index>(tokens.ids[static_cast<std::size_t>(query + 1)]);
    sum += log_sum(logits.row(query).data(), logits.cols()) - static_cast<double>(logits(query, next));
  }
  return sum / static_cast<double>(end - begin - 1);
}

double copied_share(const std::vector<double>& scores, std::size_t strongest) {
  double mean = 0;
  for (const double score : scores) mean += score / static_cast<double>(scores.size());
  double sum = 0;
  for (const double score : scores) sum += std::max(score - mean, 0.0);
  return sum > 0 ? std::max(scores[strongest] - mean, 0.0) / sum : std::nan("");
}

double copying_score(const std::vector<Token>& tokens, const Mask& mask, const Matrix& weights, const Matrix& logits) {
  MeasureSum sum;
  for (Index query = 0; query < weights.rows(); ++query) {
    const auto row = measured_row(mask, query, numbers_of_row(weights, query));
    if (!row || row->allowed < 2) continue;
    const double all = log_sum(logits.row(query).data(), logits.cols());
    std::vector<double> scores;
    std::size_t strongest = 0;
    float most = -1;
    for (Index key = 0; key < weights.cols(); ++key) {
      if (!row->allows(key)) continue;
      if (weights(query, key) > most) {
        most = weights(query, key);
        strongest = scores.size();
      }
      scores.push_back(steady_exp(static_cast<double>(logits(query, static_cast<Index>(tokens[static_cast<std::size_t>(key)].id))) - all));
    }
    const double share = copied_share(scores, strongest);
    if (!std::isnan(share)) sum.add(share);
  }
  return sum.mean();
}

std::vector<HeadScore> copying_scores(const Model& model, const Query& query, ThreadPool& pool, const Watch& watch) {
  require_logits(model);
  const Encoding encoding = encode_text(*model.tokenizer, query, query.text_pair);
  const SharedRows embedded(embed(model, encoding.tokens, false, watch));
  const Index count = std::ssize(encoding.tokens);
  std::vector<HeadScore> scores;
  for (int layer = 0; layer < model.config.layers; ++layer) {
    const LayerRequest request = request_of_layer(query, model, layer);
    const LayerMasks masks = layer_masks({}, 0, request.counts.heads, model.config.own_mask(layer), {count, count, {}}, watch);
    const auto trace = run_layer(model, layer, request, {embedded, nullptr, masks}, pool, {}, watch);
    const Matrix output = model.parameters.layer(layer).o.weight.to_matrix();
    const SharedRows::SharedMatrix z = trace->z.whole();
    const Index width = z->cols() / trace->heads;
    for (int head = 0; head < trace->heads; ++head) {
      const Matrix written = z->middleCols(head * width, width) * output.middleRows(head * width, width);
      const HeadMaps maps = rebuild_head(*trace, head, watch);
      scores.push_back(
          {{layer, head}, copying_score(encoding.tokens, *maps.mask, maps.weights, compute_logits(model, written, pool, watch))});
    }
  }
  return scores;
}

}  // namespace headlight
