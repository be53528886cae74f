// What every layer would predict, for a page: a row for each, with the probability of the token that is followed and the likeliest ones. The
// page Layers of the view Output lists the same numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/analysis/prediction.h"
#include "engine/figure/effects/attribution_figure.h"

namespace headlight {

struct LensRow {
  std::string label;  ///< "embedding", "layer 0"
  LikelyToken followed;
  std::vector<LikelyToken> likeliest = {};
  std::vector<std::string> names = {};  ///< of the likeliest
};

struct LensFigureRequest {
  std::vector<LensRow> rows;
  std::string followed;  ///< label of the token that is followed
  Theme theme = Theme::dark;
  Point at = {};
  float width = 0;
};

inline constexpr float kLeastLensWidth = 340;

EffectFigure make_lens_figure(const LensFigureRequest& request, const MeasureText& measure);

}  // namespace headlight
