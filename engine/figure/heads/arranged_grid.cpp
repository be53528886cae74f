#include "engine/figure/heads/arranged_grid.h"

#include <utility>

#include "engine/figure/grid/grid_figure.h"

namespace headlight {

GridArrangement arranged_grid(std::vector<HeadId> heads, bool is_flowing, const HeadColumn* tint, const ColumnSpread& tints) {
  GridArrangement arrangement{.is_flowing = is_flowing, .heads = std::move(heads)};
  if (tint == nullptr) return arrangement;
  arrangement.number = [tint](HeadId head) { return column_number(*tint, tint->values.of(head)); };
  arrangement.bar = [tint, &tints](HeadId head) { return tints.place(tint->values.of(head)); };
  return arrangement;
}

}  // namespace headlight
