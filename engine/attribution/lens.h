// Logit lens: what the model would predict if it ended after each layer (nostalgebraist 2020, "interpreting GPT: the logit lens"). The stream
// after a layer goes through the last norm, with its statistics taken anew, and through the logit head.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/analysis/prediction.h"
#include "engine/snapshot.h"

namespace headlight {

inline constexpr std::string_view kLensCaveat =
    "The last norm and the logit head were trained on the last layer's output only. Read earlier layers as a hint: another basis in the "
    "stream can hide what is already known there.";

struct LensLayer {
  int layer = -1;                       ///< after which; −1: after the embedding
  std::vector<Prediction> predictions;  ///< of each position of the span
};

/// From the embedding to the last layer, of an encoder–decoder the decoder's. The last is the model's own output, bit for bit. Throws Error
/// (usage): why_no_lens, or a span outside the text; Cancelled.
std::vector<LensLayer> read_lens(const Snapshot& snapshot, const PredictionSpan& span, ThreadPool& pool, Progress& progress);

/// Chosen tokens at one position, likely or not: [embedding and layers][ids], as predict_chosen has them.
std::vector<std::vector<LikelyToken>> follow_tokens(const Snapshot& snapshot, Index position, const std::vector<std::int64_t>& ids,
                                                    ThreadPool& pool, Progress& progress);

/// "embedding", or the layer's name.
std::string lens_label(const Snapshot& snapshot, int layer);
/// Why there is no lens of this run, as a sentence; empty: there is one.
std::string why_no_lens(const Snapshot& snapshot);

}  // namespace headlight
