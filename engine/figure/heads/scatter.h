// Heads as points over two columns. Laid out for a page; the view Measures has it beside its table.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/figure/scene.h"
#include "engine/figure/style.h"
#include "engine/measures/columns/head_column.h"

namespace headlight {

struct ScatterRequest {
  std::shared_ptr<const HeadColumn> across, up;
  std::shared_ptr<const HeadColumn> size = {};  ///< the area of a point; null: all are alike
  std::vector<HeadId> heads;                    ///< that have a point
  std::vector<HeadId> all;                      ///< that the axes are made for
  std::vector<HeadId> brushed;                  ///< marked and named, ascending; none: as many are named as have room
  Box area;
  std::function<std::string(HeadId)> name;  ///< of a head: "2.1"
  Theme theme = Theme::dark;
};

struct Scatter {
  Scene scene;               ///< only items, and what is said of points
  std::size_t left_out = 0;  ///< heads without one of the values
};
Scatter make_scatter(const ScatterRequest& request, const MeasureText& measure);

/// Round numbers between two ends, at most `most` steps apart.
std::vector<double> round_ticks(double low, double high, int most);

}  // namespace headlight
