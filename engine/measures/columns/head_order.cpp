#include "engine/measures/columns/head_order.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight {

std::vector<HeadId> sorted_heads(std::vector<HeadId> heads, const HeadColumns& columns, std::span<const ColumnSort> sorts) {
  std::vector<std::pair<const HeadColumn*, bool>> keys;
  for (const ColumnSort& sort : sorts) {
    if (const HeadColumn* column = find_column(columns, sort.column)) keys.emplace_back(column, sort.is_rising);
  }
  const auto comes_before = [&](HeadId a, HeadId b) {
    for (const auto& [column, is_rising] : keys) {
      const double of_a = column->values.of(a), of_b = column->values.of(b);
      if (std::isnan(of_a) != std::isnan(of_b)) return std::isnan(of_b);
      if (std::isnan(of_a) || of_a == of_b) continue;
      return is_rising ? of_a < of_b : of_a > of_b;
    }
    return false;
  };
  std::stable_sort(heads.begin(), heads.end(), comes_before);
  return heads;
}

}  // namespace headlight
