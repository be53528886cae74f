// What a logit is made of, for a page: bars that run on from each other and end in it, and what one head takes from each source token. The page
// Parts of the view Output shows the same bars.
#pragma once

#include <string>
#include <vector>

#include "engine/attribution/logit_bars.h"
#include "engine/figure/scene.h"
#include "engine/figure/style.h"

namespace headlight {

/// A head's part by source tokens.
struct ShownSources {
  std::string head;  ///< "2.1"
  std::vector<SourceShare> shares = {};
  std::vector<std::string> tokens = {};  ///< labels, by SourceShare::token
  std::string problem = {};              ///< why there are none, as a sentence; empty: there are
};

struct AttributionFigureRequest {
  std::vector<LogitBar> bars;
  double logit = 0;
  ShownSources sources;
  Theme theme = Theme::dark;
  Point at = {};                ///< of the left top corner
  float width = 0, height = 0;  ///< that are there; height 0: as much as it takes
};

struct EffectFigure {
  Scene scene;  ///< items, and what is said of places
  float height = 0;
};

/// From this width on bars and sources are beside each other, where the height is limited from the second; narrower than the third, words
/// would have no room.
inline constexpr float kBothPartsWidth = 640, kLeastBothWidth = 480, kLeastPartsWidth = 260;
/// Whether bars and sources are beside each other; else the sources are below.
bool are_beside(float width, float height);
/// How many bars of its own a figure of this width has in so much height, at least kFewestBars; height 0: as much as it takes.
std::size_t bars_within(float width, float height);
inline constexpr std::size_t kFewestBars = 6, kUsualBars = 20, kUsualSources = 9;

EffectFigure make_attribution_figure(const AttributionFigureRequest& request, const MeasureText& measure);

}  // namespace headlight
