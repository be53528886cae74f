// What can be read from the rows and columns of one head's map.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/attention/head.h"
#include "engine/figure/figures.h"

namespace headlight {

/// Indices of the `count` largest weights of a row, largest first, of equal ones the earlier; keys of weight 0 are left out.
std::vector<Index> largest_keys(const Matrix& weights, Index query, std::size_t count);
inline std::vector<Index> largest_keys(const HeadMaps& maps, Index query, std::size_t count) {
  return largest_keys(maps.weights, query, count);
}
/// Why a row of a map from a file is not attention weights, such as "sums to 3"; empty if it is.
std::string row_problem(const HeadMaps& maps, Index query);

/// The attention that a key gets from all queries together: its column of the map.
struct Received {
  double sum = 0;     ///< of its weights: 0 … queries, each of which has 1 to give
  Index queries = 0;  ///< that may attend to the key; all of them where the maps have no mask
};
Received received_by(const HeadMaps& maps, Index key);

/// Where a row, or the whole map, differs most from another of its size; nullopt: nowhere.
std::optional<Cell> most_changed_in_row(const Matrix& before, const Matrix& now, Index query);
std::optional<Cell> most_changed(const Matrix& before, const Matrix& now);

}  // namespace headlight
