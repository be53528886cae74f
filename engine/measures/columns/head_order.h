// Heads in the order of columns, and those that columns let through.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/measures/columns/head_column.h"

namespace headlight {

/// An order of heads: by this column, the largest first or last.
struct ColumnSort {
  std::string column;  ///< id
  bool is_rising = false;
  bool operator==(const ColumnSort&) const = default;
};

/// The first of `sorts` counts most. Undefined values come last in both directions; equal heads keep their order. Columns that are not
/// there do not count.
std::vector<HeadId> sorted_heads(std::vector<HeadId> heads, const HeadColumns& columns, std::span<const ColumnSort> sorts);

}  // namespace headlight
