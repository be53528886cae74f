// Predictions as `predict` prints them: the likeliest tokens, what they were before edits, and what each layer would say.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/reports/listed_token.h"
#include "app/work/predictions.h"
#include "engine/attribution/lens.h"

namespace headlight {

using OrderedJson = nlohmann::ordered_json;

std::string prediction_table(const PredictionsFound& found);
OrderedJson prediction_json(const Prediction& prediction, const Snapshot& snapshot);

/// What a model expects at some positions, and what it expected before heads, masks or scores were edited.
struct ComparedPredictions {
  PredictionsFound now, before;
  std::vector<std::vector<LikelyToken>> tokens_now,
      tokens_before;  ///< [position]: the likeliest now, then those that were listed before and no longer are
};
/// Both runs are of the same text.
ComparedPredictions compare_predictions(const std::shared_ptr<const Snapshot>& now, const std::shared_ptr<const Snapshot>& before,
                                        const PredictionSpan& span, ThreadPool& pool, Progress& progress);
std::string compared_table(const ComparedPredictions& found);
/// prediction_json of each position, with "compared": every listed token before and now, and the change.
OrderedJson compared_json(const ComparedPredictions& found);

std::string lens_table(const Snapshot& snapshot, const std::vector<LensLayer>& layers);
/// A list of layers.
OrderedJson lens_json(const Snapshot& snapshot, const std::vector<LensLayer>& layers);

}  // namespace headlight
