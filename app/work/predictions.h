// What the shown model predicts, page by page of positions: a job for the compute thread. A request is a value, a result is immutable.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/work/compute/worker.h"
#include "engine/analysis/prediction.h"

namespace headlight {

inline constexpr std::size_t kListedPredictions = 12;

/// The text whose tokens the predictions follow: of an encoder–decoder model the decoder's.
const Encoding& predicted_text(const Snapshot& snapshot);
/// The position that people usually ask about: a masked language model's mask or its last word, else the last token. The text must have
/// tokens.
Index asked_position(const Snapshot& snapshot);
/// The same, but all masks: at least one position, ascending.
std::vector<Index> asked_positions(const Snapshot& snapshot);

struct PredictionRequest {
  std::shared_ptr<const Snapshot> snapshot;
  Index first = 0, count = 0;  ///< positions
  bool operator==(const PredictionRequest&) const = default;
};
/// The page of positions that holds `position`: as many as are computed within about a fifth of a second, so that a large vocabulary
/// does not hold up the next keystroke.
PredictionRequest page_with(std::shared_ptr<const Snapshot> snapshot, Index position);

struct PredictionsFound {
  std::string mask_text;  ///< what is typed for a mask, in a masked language model; else empty
  PredictionRequest request;
  std::vector<Prediction> predictions;           ///< one per position of the request
  std::vector<std::vector<std::string>> labels;  ///< of Prediction::likeliest
  std::vector<std::string> tokens;               ///< labels of the request's positions, and of the one after them if there is one
};
/// On any thread. Throws what predict_tokens throws.
PredictionsFound find_predictions(const std::shared_ptr<const Snapshot>& snapshot, const PredictionSpan& span, ThreadPool& pool,
                                  Progress& progress);

/// A rank, which counts from 0, in prose: "first choice", "second choice", "12th choice".
std::string choice_text(Index rank);
/// How open a prediction is: "Nearly certain (entropy 0.002 nats)." or "About as open as 3.4 equally likely tokens (entropy 1.224 nats)."
std::string certainty_text(double entropy);

/// The door for views: ask every frame, draw what comes back. Thread contract: the UI thread only.
class Predictions {
 public:
  explicit Predictions(Worker& worker);
  /// The last result, or null before the first.
  std::shared_ptr<const PredictionsFound> ask(const PredictionRequest& request);
  /// Releases request and result: call it while predictions are not shown.
  void rest();

 private:
  Study<PredictionRequest, PredictionsFound> study_;
};

}  // namespace headlight
