// What a language-model head predicts from the last hidden states: the likeliest tokens at each position, and how likely the text's own
// was.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/forward/forward.h"

namespace headlight {

/// next: causal models and decoders say which token follows a position. own: masked language models (Devlin et al. 2019,
/// arXiv 1810.04805) say which token is at the position.
enum class PredictedPlace : std::uint8_t { next, own };
PredictedPlace predicted_place(const ModelConfig& config);
/// Whether a token is "[MASK]" or "<mask>", typed or not, which a masked language model is asked to fill.
bool is_mask_token(const Token& token);

struct LikelyToken {
  std::int64_t id = 0;
  float logit = 0;
  double probability = 0;  ///< softmax over the whole vocabulary, summed in double precision
  Index rank = 0;          ///< how many tokens have a larger logit, or an equal one and a smaller id
};

struct Prediction {
  Index position = 0;
  std::vector<LikelyToken> likeliest;  ///< by rank; empty if a logit is NaN
  double entropy = 0;                  ///< −Σ p ln p over the vocabulary, in nats; NaN where a logit is
  std::optional<LikelyToken> actual;   ///< the token that the text has there; none after its end, for a mask token, or where a logit is NaN
};

/// Which positions, and how many tokens of each.
struct PredictionSpan {
  Index first = 0, count = 0;
  std::size_t likeliest = 10;
};

/// final_hidden [tokens, d_model] and `tokens` are of the same text (of an encoder–decoder: the decoder's). Logits are kept for a few
/// positions at a time, so a large vocabulary takes no more memory with a longer text. Same input, same result, for any number of
/// threads. Throws Error (usage) for a model without a language-model head or a span outside the text, and Cancelled.
std::vector<Prediction> predict_tokens(const Model& model, const Matrix& final_hidden, const std::vector<Token>& tokens,
                                       const PredictionSpan& span, ThreadPool& pool, Progress& progress);

/// What the model expects of chosen tokens, likely or not: `ids` has a list of them for each position of the span (its `likeliest` does not
/// count), and so has the result, in the same order. Probability and rank are NaN and −1 where a logit of the position is not a number.
/// Throws like predict_tokens, and Error (usage) for an id that the vocabulary does not have.
std::vector<std::vector<LikelyToken>> predict_chosen(const Model& model, const Matrix& final_hidden,
                                                     const std::vector<std::vector<std::int64_t>>& ids, const PredictionSpan& span,
                                                     ThreadPool& pool, Progress& progress);

}  // namespace headlight
