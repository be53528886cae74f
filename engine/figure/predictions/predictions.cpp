#include "engine/figure/predictions/predictions.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/figure/axes.h"

namespace headlight {
namespace {

constexpr double kPageWork = 4e9;  // multiplications: positions · d_model · vocabulary
constexpr Index kLongestPage = 512;

/// With a leading blank marked, as in the token strip: "·the" and "the" are two tokens.
std::string marked_label(const Tokenizer& tokenizer, const Token& token) {
  const TokenLabel label = tokenizer.label(token);
  return (label.has_leading_blank ? "·" : "") + axis_label(label);
}

std::string mask_text(const ModelConfig& config, const Tokenizer& tokenizer) {
  if (predicted_place(config) != PredictedPlace::own) return {};
  for (const char* text : {"[MASK]", "<mask>"}) {
    const Encoding encoding = tokenizer.encode(text, std::nullopt, {.adds_special = false});
    if (encoding.tokens.size() == 1 && is_mask_token(encoding.tokens.front())) return text;
  }
  return {};
}

}  // namespace

std::string vocabulary_label(const Tokenizer& tokenizer, std::int64_t id) {
  Token token;
  token.id = id;
  token.text = tokenizer.token_of(id).value_or("");
  return token.text.empty() ? "id " + std::to_string(id) : marked_label(tokenizer, token);
}

const Encoding& predicted_text(const Snapshot& snapshot) {
  return snapshot.decoder_encoding ? *snapshot.decoder_encoding : *snapshot.encoding;
}

std::vector<Index> asked_positions(const Snapshot& snapshot) {
  const std::vector<Token>& tokens = predicted_text(snapshot).tokens;
  if (predicted_place(snapshot.model->config) == PredictedPlace::own) {
    std::vector<Index> masks;
    for (Index at = 0; at < std::ssize(tokens); ++at) {
      if (is_mask_token(tokens[static_cast<std::size_t>(at)])) masks.push_back(at);
    }
    if (!masks.empty()) return masks;
    const auto word = std::find_if(tokens.rbegin(), tokens.rend(), [](const Token& token) { return !token.is_special; });
    if (word != tokens.rend()) return {tokens.rend() - word - 1};
  }
  return {std::ssize(tokens) - 1};
}

Index asked_position(const Snapshot& snapshot) {
  return asked_positions(snapshot).front();
}

PredictionSpan span_with(const Snapshot& snapshot, Index position) {
  const ModelConfig& config = snapshot.model->config;
  const double work = std::max(1.0, static_cast<double>(config.vocabulary) * config.d_model);
  const Index page = std::clamp(static_cast<Index>(kPageWork / work), Index{1}, kLongestPage);
  const Index tokens = std::ssize(predicted_text(snapshot).tokens);
  const Index first = std::clamp(position, Index{0}, std::max(Index{0}, tokens - 1)) / page * page;
  return {first, std::min(page, tokens - first), kListedPredictions};
}

PredictionRequest page_with(std::shared_ptr<const Snapshot> snapshot, Index position) {
  const PredictionSpan span = span_with(*snapshot, position);
  return {std::move(snapshot), span.first, span.count};
}

PredictionsFound find_predictions(const std::shared_ptr<const Snapshot>& snapshot, const PredictionSpan& span, ThreadPool& pool,
                                  Progress& progress) {
  PredictionsFound found = find_predictions(*snapshot, span, pool, progress);
  found.request.snapshot = snapshot;
  return found;
}

PredictionsFound find_predictions(const Snapshot& snapshot, const PredictionSpan& span, ThreadPool& pool, Progress& progress) {
  const Tokenizer& tokenizer = *snapshot.model->tokenizer;
  PredictionsFound found{mask_text(snapshot.model->config, tokenizer), {nullptr, span.first, span.count}, {}, {}, {}};
  const std::vector<Token>& tokens = predicted_text(snapshot).tokens;
  found.predictions = predict_tokens(*snapshot.model, *snapshot.trace.final_hidden.whole(), tokens, span, pool, progress);
  for (Index position = span.first; position <= span.first + span.count && position < std::ssize(tokens); ++position) {
    found.tokens.push_back(marked_label(tokenizer, tokens[static_cast<std::size_t>(position)]));
  }
  for (const Prediction& prediction : found.predictions) {
    std::vector<std::string>& labels = found.labels.emplace_back();
    for (const LikelyToken& likely : prediction.likeliest) {
      labels.push_back(vocabulary_label(tokenizer, likely.id));
    }
  }
  return found;
}

std::string choice_text(Index rank) {
  constexpr std::array kFirst{"first choice", "second choice", "third choice"};
  if (rank < std::ssize(kFirst)) return kFirst[static_cast<std::size_t>(rank)];
  const Index number = rank + 1;
  const Index last = number / 10 % 10 == 1 ? 0 : number % 10;  // 11th, 12th, 13th
  return fmt::format("{}{} choice", number, last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

std::string certainty_text(double entropy) {
  constexpr double kNearlyCertain = 0.1;  // nats: as open as 1.1 tokens
  if (entropy < kNearlyCertain) return fmt::format("Nearly certain (entropy {:.3f} nats).", entropy);
  return fmt::format("About as undecided as between {:.1f} equally likely tokens (entropy {:.3f} nats).", std::exp(entropy), entropy);
}

}  // namespace headlight
