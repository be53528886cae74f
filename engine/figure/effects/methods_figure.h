// Several ways to change heads, for a page: a line for each head with a bar and a number for each way, and how alike they rank the heads. The
// page Heads of the view Output lists the same, side by side.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/figure/effects/attribution_figure.h"
#include "engine/targets/head_effects.h"

namespace headlight {

/// How much of a comparison is listed.
struct ComparedLines {
  std::size_t heads = 0;       ///< that have a line
  std::size_t agreements = 0;  ///< the first so many; of n methods the first n − 1 are those of the first with each other
};

struct MethodsFigureRequest {
  const ComparedEffects& compared;          ///< heads are in the order of the first method
  std::vector<std::string> labels;          ///< of the methods: "off"
  std::function<std::string(HeadId)> name;  ///< "2.1"
  ComparedLines listed = {};
  Theme theme = Theme::dark;
  Point at = {};
  float width = 0;
};

inline constexpr std::size_t kUsualCompared = 20, kFewestCompared = 3;
/// Narrower, bars and numbers of so many methods would not be seen.
float least_methods_width(std::size_t methods);
/// What has room in so much height; 0: heads as many as usual, and all agreements.
ComparedLines compared_within(const ComparedEffects& compared, float height);

EffectFigure make_methods_figure(const MethodsFigureRequest& request, const MeasureText& measure);

}  // namespace headlight
