// The grid of all heads, ordered, filtered and numbered by columns of heads.
#pragma once

#include <vector>

#include "engine/figure/grid/grid_figure.h"
#include "engine/measures/columns/column_spread.h"
#include "engine/measures/columns/head_column.h"

namespace headlight {

/// `heads`: those that are shown, in their order. `tint`: the column whose values tiles carry as number and bar, `tints` its spread over all
/// heads; null: the usual number, and no bar. Both outlive the arrangement.
GridArrangement arranged_grid(std::vector<HeadId> heads, bool is_flowing, const HeadColumn* tint, const ColumnSpread& tints);

}  // namespace headlight
