#include "engine/studies/own_texts/repeated_tokens.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/core/error.h"
#include "engine/core/random.h"
#include "engine/kernels/steady_functions.h"
#include "engine/measures/head_gauge.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {
namespace {

/// ln Σ exp of a row.
double log_sum(const float* row, Index count) {
  const double largest = static_cast<double>(*std::max_element(row, row + count));
  double sum = 0;
  for (Index at = 0; at < count; ++at) sum += steady_exp(static_cast<double>(row[at]) - largest);
  return largest + steady_log(sum);
}

bool hides(const HiddenKeys* hidden, Index key) {
  return hidden != nullptr && hidden->flags[static_cast<std::size_t>(key)] != 0;
}

}  // namespace

void require_logits(const Model& model) {
  if (model.config.has_logits) return;
  throw Error(
      {.kind = ErrorKind::input, .field = model.name, .problem = "the model predicts no tokens", .expected = "a language-model head"});
}

RepeatedTokens repeated_tokens(const Model& model, Repetition repetition, std::uint64_t seed) {
  const Encoding empty = model.tokenizer->encode("", std::nullopt);
  RepeatedTokens tokens{.ids = {}, .repetition = repetition};
  std::set<std::int64_t> taken;
  for (const Token& token : empty.tokens) taken.insert(token.id);
  if (!empty.tokens.empty()) tokens.ids.push_back(empty.tokens.front().id);
  tokens.first = std::ssize(tokens.ids);
  const auto vocabulary = static_cast<std::int64_t>(model.config.vocabulary);
  const auto inner_of = [](std::int64_t words) { return words - 2 * (words / 25); };
  const std::int64_t edge = vocabulary / 25, inner = inner_of(vocabulary);
  if (inner < 2 * repetition.distinct) {
    std::int64_t least = vocabulary;
    while (inner_of(least) < 2 * repetition.distinct) ++least;
    throw Error({.kind = ErrorKind::input,
                 .field = model.name,
                 .problem = "the vocabulary is too small for random tokens",
                 .found = fmt::format("{} tokens", vocabulary),
                 .expected = fmt::format("at least {}, to draw {} different ones", least, repetition.distinct),
                 .hint = "On one text the measure `induction` needs no random tokens: --measures induction -t TEXT"});
  }
  RandomStream random(seed, "repeated tokens");
  std::vector<std::int64_t> once;
  for (int tries = 0; std::ssize(once) < repetition.distinct && tries < 1'000'000; ++tries) {
    const auto id = edge + static_cast<std::int64_t>(random.next() % static_cast<std::uint64_t>(inner));
    if (model.tokenizer->token_of(id) && taken.insert(id).second) once.push_back(id);
  }
  for (Index time = 0; time < repetition.times; ++time) tokens.ids.insert(tokens.ids.end(), once.begin(), once.end());
  return tokens;
}

bool DrawnTexts::next(CorpusText& text) {
  if (drawn_ == draws_) return false;
  text = {.index = drawn_, .line = drawn_ + 1, .text = {}, .ids = repeated_tokens(*model_, repetition_, drawn_ + 1).ids, .problem = {}};
  ++drawn_;
  return true;
}

std::string words_of(Repetition repetition) {
  return fmt::format("{} random tokens, {} over", repetition.distinct, repetition.times == 2 ? "twice" : "four times");
}

void OffsetMean::add(const HeadRows& rows, const Mask& mask) {
  for (Index at = 0; at < rows.weights.rows(); ++at) {
    const Index query = rows.first_query + at, key = query - back_;
    if (query < second_ || hides(hidden_, key) || !mask.allows(query, key)) continue;
    double left = 1;
    if (hidden_ != nullptr) {
      for (const Index position : hidden_->positions)
        if (position < rows.weights.cols()) left -= static_cast<double>(rows.weights(at, position));
    }
    if (!(left > kLeastRest)) continue;
    const float weight = rows.weights(at, key);
    const double value = static_cast<double>(weight) / left;
    sum_.add(value);
    if (best_.query < 0 || value > best_.value) best_ = {query, key, weight, value};
  }
}

InductionLoss induction_loss(const Matrix& logits, std::span<const Token> tokens, Index second) {
  InductionLoss loss;
  MeasureSum sum;
  for (Index query = second; query + 1 < std::ssize(tokens); ++query) {
    const auto next = static_cast<Index>(tokens[static_cast<std::size_t>(query + 1)].id);
    const double surprise = log_sum(logits.row(query).data(), logits.cols()) - static_cast<double>(logits(query, next));
    sum.add(surprise);
    if (loss.worst.query < 0 || surprise > loss.worst.value) loss.worst = {query + 1, query, 0, surprise};
  }
  loss.value = sum.mean();
  return loss;
}

double copied_share(const std::vector<double>& scores, std::size_t strongest) {
  const auto [least, most] = std::minmax_element(scores.begin(), scores.end());
  if (*least == *most) return std::nan("");  // not what rounding leaves of their mean
  double mean = 0;
  for (const double score : scores) mean += score / static_cast<double>(scores.size());
  double sum = 0;
  for (const double score : scores) sum += std::max(score - mean, 0.0);
  return sum > 0 ? std::max(scores[strongest] - mean, 0.0) / sum : std::nan("");
}

CopyingScore copying_score(const std::vector<Token>& tokens, const Mask& mask, const Matrix& weights, const Matrix& logits,
                           const HiddenKeys* hidden) {
  CopyingScore score;
  MeasureSum sum;
  for (Index query = 0; query < weights.rows(); ++query) {
    const auto row = measured_row(mask, query, numbers_of_row(weights, query));
    if (!row || row->allowed < 2) continue;
    const double all = log_sum(logits.row(query).data(), logits.cols());
    std::vector<double> scores;
    std::size_t strongest = 0;
    BestCell cell{query, -1, -1, 0};
    for (Index key = 0; key < weights.cols(); ++key) {
      if (!row->allows(key) || hides(hidden, key)) continue;
      if (weights(query, key) > cell.weight) {
        cell.weight = weights(query, key);
        cell.key = key;
        strongest = scores.size();
      }
      scores.push_back(steady_exp(static_cast<double>(logits(query, static_cast<Index>(tokens[static_cast<std::size_t>(key)].id))) - all));
    }
    if (scores.size() < 2) continue;
    cell.value = copied_share(scores, strongest);
    if (std::isnan(cell.value)) continue;
    sum.add(cell.value);
    if (score.best.query < 0 || cell.value > score.best.value) score.best = cell;
  }
  score.value = sum.mean();
  return score;
}

std::vector<HeadCopying> copying_scores(const Model& model, const Query& query, int layer, const std::vector<Token>& tokens,
                                        const std::vector<const HiddenKeys*>& hidden, ThreadPool& pool, const Watch& watch,
                                        std::optional<int> wanted) {
  require_logits(model);
  const Index count = std::ssize(tokens);
  const LayerRequest request = request_of_layer(query, model, layer);
  const LayerMasks masks = layer_masks(request.mask, 0, request.counts.heads, model.config.own_mask(layer), {count, count, {}}, watch);
  const auto trace = run_layer(model, layer, request, {SharedRows(embed(model, tokens, false, watch)), nullptr, masks}, pool, {}, watch);
  const Matrix output = model.parameters.layer(layer).o.weight.to_matrix();
  const SharedRows::SharedMatrix z = trace->z.whole();
  const Index width = z->cols() / trace->heads;
  std::vector<HeadCopying> heads;
  for (int head = wanted.value_or(0); head < (wanted ? *wanted + 1 : trace->heads); ++head) {
    const Matrix written = z->middleCols(head * width, width) * output.middleRows(head * width, width);
    const Matrix logits = compute_logits(model, written, pool, watch);
    const HeadMaps maps = rebuild_head(*trace, head, watch);
    HeadCopying& found = heads.emplace_back(HeadCopying{{layer, head}, {}});
    for (const HiddenKeys* keys : hidden) found.scores.push_back(copying_score(tokens, *maps.mask, maps.weights, logits, keys));
  }
  return heads;
}

}  // namespace headlight
