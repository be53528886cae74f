// A number after each of several steps, for a page: curves that begin at one value, with axes. The page Heads of the view Output draws the same
// beside its grid.
#pragma once

#include <string>
#include <vector>

#include "engine/figure/effects/attribution_figure.h"

namespace headlight {

struct EffectCurve {
  std::string name;
  bool is_exact = false;               ///< of two curves the second: another colour, and hollow points, told apart without colours too
  std::vector<double> values = {};     ///< after each step; one that is not a number is passed over
  std::vector<std::string> said = {};  ///< of each step, to whoever points there
};

struct CurvesFigureRequest {
  std::vector<EffectCurve> curves;
  double start = 0;        ///< before the first step, of all curves
  std::string across, up;  ///< what the axes are
  Theme theme = Theme::dark;
  Point at = {};
  float width = 0, height = 0;  ///< height 0: as much as it takes
};

inline constexpr float kLeastCurvesWidth = 240, kLeastCurvesHeight = 160;

EffectFigure make_curves_figure(const CurvesFigureRequest& request, const MeasureText& measure);

}  // namespace headlight
