// What a model predicts at the positions of a text, with the words of its tokens: what the window lists and files hold.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/analysis/prediction.h"
#include "engine/snapshot.h"

namespace headlight {

inline constexpr std::size_t kListedPredictions = 12;

/// The text whose tokens the predictions follow: of an encoder–decoder model the decoder's.
const Encoding& predicted_text(const Snapshot& snapshot);
/// A token of the vocabulary, with a leading blank marked, as in the token strip: "·the" and "the" are two. "id 7" of one without text.
std::string vocabulary_label(const Tokenizer& tokenizer, std::int64_t id);
/// The position that people usually ask about: a masked language model's mask or its last word, else the last token. The text must have
/// tokens.
Index asked_position(const Snapshot& snapshot);
/// The same, but all masks: at least one position, ascending.
std::vector<Index> asked_positions(const Snapshot& snapshot);

struct PredictionRequest {
  std::shared_ptr<const Snapshot> snapshot;  ///< null: a run that whoever asks holds
  Index first = 0, count = 0;                ///< positions
  bool operator==(const PredictionRequest&) const = default;
};
/// The page of positions that holds `position`: as many as are computed within about a fifth of a second, so that a large vocabulary
/// does not hold up the next keystroke.
PredictionRequest page_with(std::shared_ptr<const Snapshot> snapshot, Index position);
PredictionSpan span_with(const Snapshot& snapshot, Index position);

struct PredictionsFound {
  std::string mask_text;  ///< what is typed for a mask, in a masked language model; else empty
  PredictionRequest request;
  std::vector<Prediction> predictions;           ///< one per position of the request
  std::vector<std::vector<std::string>> labels;  ///< of Prediction::likeliest
  std::vector<std::string> tokens;               ///< labels of the request's positions, and of the one after them if there is one
};
/// On any thread. Throws what predict_tokens throws.
PredictionsFound find_predictions(const Snapshot& snapshot, const PredictionSpan& span, ThreadPool& pool, Progress& progress);
PredictionsFound find_predictions(const std::shared_ptr<const Snapshot>& snapshot, const PredictionSpan& span, ThreadPool& pool,
                                  Progress& progress);

/// A rank, which counts from 0, in prose: "first choice", "second choice", "12th choice".
std::string choice_text(Index rank);
/// How open a prediction is: "Nearly certain (entropy 0.002 nats)." or "About as open as 3.4 equally likely tokens (entropy 1.224 nats)."
std::string certainty_text(double entropy);

}  // namespace headlight
