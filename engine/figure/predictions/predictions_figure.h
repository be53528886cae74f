// Predictions as a list: a row for every position with its likeliest token, and beside it, or below it on a narrow page, the likeliest tokens
// of one position. Laid out for a page; the view Output lists the same numbers in rows that can be clicked.
#pragma once

#include "engine/figure/predictions/prediction_changes.h"
#include "engine/figure/predictions/predictions.h"
#include "engine/figure/scene.h"
#include "engine/figure/style.h"

namespace headlight {

struct PredictionsFigureRequest {
  const PredictionsFound& found;
  const PredictionChanges* changes = nullptr;  ///< since a baseline; null: there is none
  PredictedPlace place = PredictedPlace::next;
  Index chosen = 0;  ///< the position whose likeliest tokens are listed: one of the request's
  Theme theme = Theme::dark;
  Point at = {};  ///< of the left top corner
  float width = 0;
  float height = 0;  ///< of the page: rows are as low as their letters let them be, and the fewer are shown; 0: no limit
};

struct PredictionsFigure {
  Scene scene;  ///< items, and what is said of rows
  float height = 0;
};

/// From this width on the two lists are beside each other.
inline constexpr float kBothListsWidth = 720;
/// Narrower, words would have no room, beside changes less.
inline constexpr float kLeastListWidth = 300, kLeastChangesWidth = 390;

PredictionsFigure make_predictions_figure(const PredictionsFigureRequest& request, const MeasureText& measure);

}  // namespace headlight
