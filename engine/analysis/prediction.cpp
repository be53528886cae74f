#include "engine/analysis/prediction.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr Index kRowsAtOnce = 16;  // of logits: 16 MiB with a vocabulary of 256,000

using Logits = Eigen::Ref<const RowVector>;

bool comes_before(const Logits& logits, Index a, Index b) {
  return logits(a) > logits(b) || (logits(a) == logits(b) && a < b);
}

/// What turns logits into probabilities: p = exp(logit − largest) / sum.
struct Softmax {
  double largest = 0, sum = 0;
  double probability(float logit) const { return std::exp(static_cast<double>(logit) - largest) / sum; }
};

Softmax softmax_of(const Logits& logits) {
  Softmax softmax{static_cast<double>(logits.maxCoeff()), 0};
  for (const float logit : logits) softmax.sum += std::exp(static_cast<double>(logit) - softmax.largest);
  return softmax;
}

LikelyToken likely_token(const Logits& logits, const Softmax& softmax, Index id, Index rank) {
  return {id, logits(id), softmax.probability(logits(id)), rank};
}

std::vector<LikelyToken> likeliest_tokens(const Logits& logits, const Softmax& softmax, std::size_t most) {
  std::vector<Index> ids(static_cast<std::size_t>(logits.size()));
  std::iota(ids.begin(), ids.end(), Index{0});
  const auto count = static_cast<std::ptrdiff_t>(std::min(most, ids.size()));
  std::partial_sort(ids.begin(), ids.begin() + count, ids.end(), [&](Index a, Index b) { return comes_before(logits, a, b); });
  std::vector<LikelyToken> likeliest;
  for (Index rank = 0; rank < count; ++rank) likeliest.push_back(likely_token(logits, softmax, ids[static_cast<std::size_t>(rank)], rank));
  return likeliest;
}

LikelyToken ranked_token(const Logits& logits, const Softmax& softmax, Index id) {
  Index rank = 0;
  for (Index other = 0; other < logits.size(); ++other) rank += comes_before(logits, other, id) ? 1 : 0;
  return likely_token(logits, softmax, id, rank);
}

double entropy_of(const Logits& logits, const Softmax& softmax) {
  double entropy = 0;
  for (const float logit : logits) {
    const double p = softmax.probability(logit);
    if (p > 0) entropy -= p * std::log(p);
  }
  return entropy;
}

/// The id of the text's own token at the place that `position` predicts.
std::optional<Index> actual_id(PredictedPlace place, const std::vector<Token>& tokens, Index position, Index vocabulary) {
  const Index at = place == PredictedPlace::next ? position + 1 : position;
  if (at >= std::ssize(tokens)) return std::nullopt;
  const Token& token = tokens[static_cast<std::size_t>(at)];
  const bool is_asked = place == PredictedPlace::own && is_mask_token(token);
  return is_asked || token.id < 0 || token.id >= vocabulary ? std::nullopt : std::optional(static_cast<Index>(token.id));
}

Prediction prediction_of(const Logits& logits, Index position, std::optional<Index> actual, std::size_t most) {
  Prediction prediction{.position = position, .likeliest = {}, .entropy = std::numeric_limits<double>::quiet_NaN(), .actual = {}};
  const Softmax softmax = softmax_of(logits);
  if (!std::isfinite(softmax.sum)) return prediction;
  prediction.likeliest = likeliest_tokens(logits, softmax, most);
  prediction.entropy = entropy_of(logits, softmax);
  if (actual) prediction.actual = ranked_token(logits, softmax, *actual);
  return prediction;
}

void check_span(const Model& model, const PredictionSpan& span, Index positions) {
  if (!model.config.has_logits) {
    throw Error({.kind = ErrorKind::usage,
                 .field = model.name,
                 .problem = "the model predicts no tokens: it has no language-model head",
                 .hint = "Choose a model with one, such as a causal or a masked language model"});
  }
  if (span.first >= 0 && span.count >= 0 && span.first + span.count <= positions) return;
  throw Error({.kind = ErrorKind::usage,
               .field = "position",
               .problem = "the text has no such position",
               .found = std::to_string(span.first < 0 ? span.first : span.first + span.count - 1),
               .expected = fmt::format("0 to {}", positions - 1)});
}

/// Calls `take(place, logits)` for each position of the span, on several threads at once; `place` counts within the span.
void for_each_position(const Model& model, const Matrix& final_hidden, const PredictionSpan& span, ThreadPool& pool, Progress& progress,
                       const std::function<void(Index place, const Logits& logits)>& take) {
  for (Index begin = 0; begin < span.count; begin += kRowsAtOnce) {
    progress.step(static_cast<double>(begin) / static_cast<double>(span.count), "predicting tokens");
    const Index rows = std::min(kRowsAtOnce, span.count - begin);
    const Matrix logits = compute_logits(model, final_hidden.middleRows(span.first + begin, rows), pool, progress);
    pool.for_each(rows, [&](Index row) {
      progress.check();
      take(begin + row, logits.row(row));
    });
  }
}

void check_ids(const Model& model, const std::vector<std::int64_t>& ids) {
  for (const std::int64_t id : ids) {
    if (id >= 0 && id < model.config.vocabulary) continue;
    throw Error({.kind = ErrorKind::usage,
                 .field = "id",
                 .problem = "the vocabulary has no such token",
                 .found = std::to_string(id),
                 .expected = fmt::format("0 to {}", model.config.vocabulary - 1)});
  }
}

}  // namespace

PredictedPlace predicted_place(const ModelConfig& config) {
  return config.mask.is_causal || config.is_encoder_decoder() ? PredictedPlace::next : PredictedPlace::own;
}

bool is_mask_token(const Token& token) {
  return (token.is_special || token.is_typed_special) && (token.text == "[MASK]" || token.text == "<mask>");
}

std::vector<Prediction> predict_tokens(const Model& model, const Matrix& final_hidden, const std::vector<Token>& tokens,
                                       const PredictionSpan& span, ThreadPool& pool, Progress& progress) {
  check_span(model, span, final_hidden.rows());
  const PredictedPlace place = predicted_place(model.config);
  std::vector<Prediction> predictions(static_cast<std::size_t>(span.count));
  for_each_position(model, final_hidden, span, pool, progress, [&](Index at, const Logits& logits) {
    const Index position = span.first + at;
    predictions[static_cast<std::size_t>(at)] =
        prediction_of(logits, position, actual_id(place, tokens, position, logits.size()), span.likeliest);
  });
  return predictions;
}

std::vector<std::vector<LikelyToken>> predict_chosen(const Model& model, const Matrix& final_hidden,
                                                     const std::vector<std::vector<std::int64_t>>& ids, const PredictionSpan& span,
                                                     ThreadPool& pool, Progress& progress) {
  check_span(model, span, final_hidden.rows());
  for (const std::vector<std::int64_t>& each : ids) check_ids(model, each);
  std::vector<std::vector<LikelyToken>> chosen(static_cast<std::size_t>(span.count));
  for_each_position(model, final_hidden, span, pool, progress, [&](Index at, const Logits& logits) {
    const Softmax softmax = softmax_of(logits);
    const auto place = static_cast<std::size_t>(at);
    for (const std::int64_t id : ids.at(place)) {
      const LikelyToken unknown{id, logits(id), std::numeric_limits<double>::quiet_NaN(), -1};
      chosen[place].push_back(std::isfinite(softmax.sum) ? ranked_token(logits, softmax, id) : unknown);
    }
  });
  return chosen;
}

}  // namespace headlight
