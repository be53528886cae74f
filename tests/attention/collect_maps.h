// The whole maps of heads, from the rows in which they are computed.
#pragma once

#include <vector>

#include "engine/attention/multi_head.h"

namespace headlight::testing {

/// Fills maps[head] [queries, keys]; what no block of rows reaches is 0.
inline HeadObserver collect_maps(std::vector<Matrix>& maps, int heads, Index queries, Index keys) {
  maps.assign(static_cast<std::size_t>(heads), Matrix::Zero(queries, keys));
  return [&maps](int head, const HeadRows& rows) {
    maps[static_cast<std::size_t>(head)].block(rows.first_query, 0, rows.weights.rows(), rows.weights.cols()) = rows.weights;
  };
}

}  // namespace headlight::testing
