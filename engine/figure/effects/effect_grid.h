// What every head does to a target, for a page: a cell for each head, layers down and heads across, in colours that are centred on 0; and the
// heads that move it most. The page Heads of the view Output shows the same.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/figure/effects/attribution_figure.h"
#include "engine/targets/effects_of_texts.h"

namespace headlight {

struct EffectGridRequest {
  const HeadEffects& effects;
  std::vector<std::string> layers;           ///< a label for each layer of the grid
  std::function<bool(HeadId)> is_off;        ///< switched off in the run: framed, since its number is of a head that is off already
  std::function<std::string(HeadId)> name;   ///< "2.1"
  const MeansOfTexts* over_texts = nullptr;  ///< of which the effects are the means, with their errors; null: of one text
  bool has_bar = true;                       ///< what the colours stand for
  std::size_t listed = 0;                    ///< heads that the list has
  Theme theme = Theme::dark;
  Point at = {};
  float width = 0;
};

/// From this width on the list is beside the grid; narrower than the second, cells would not be seen.
inline constexpr float kBothEffectsWidth = 600, kLeastEffectsWidth = 240;
inline constexpr std::size_t kUsualRanked = 12, kFewestRanked = 3;
/// How many heads the list has in so much height; 0: as much as it takes.
std::size_t ranked_within(const EffectGridRequest& request, float height, const MeasureText& measure);

/// What the colours reach to, a round number: all but a fiftieth of the values are within it.
double effect_reach(const std::vector<double>& values);
/// How many are not.
std::size_t count_beyond(const std::vector<double>& values, double reach);

EffectFigure make_effect_grid(const EffectGridRequest& request, const MeasureText& measure);

}  // namespace headlight
