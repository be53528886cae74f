// Heads in the order of columns, and those that the ranges of columns let through.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/measures/columns/head_column.h"

namespace headlight {

/// An order of heads: by this column, the largest first or last; of changes the largest in size.
struct ColumnSort {
  std::string column;  ///< id
  bool is_rising = false;
  bool operator==(const ColumnSort&) const = default;
};

/// The first of `sorts` counts most. Undefined values come last in both directions; equal heads keep their order. Columns that are not
/// there do not count.
std::vector<HeadId> sorted_heads(std::vector<HeadId> heads, const HeadColumns& columns, std::span<const ColumnSort> sorts);

/// "induction, largest first", "zero ablation by size, smallest first".
std::string describe_sort(const HeadColumn& column, bool is_rising);

/// A filter: heads whose value in this column is in a range. An undefined value is in none.
struct ColumnRange {
  std::string column;  ///< id
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool has_low = true, has_high = true;  ///< the end itself is in the range
  bool contains(double value) const { return (has_low ? value >= low : value > low) && (has_high ? value <= high : value < high); }
  bool operator==(const ColumnRange&) const = default;
};

/// "> 0.5", ">= 2", "< 3", "0.2 … 0.5" (also "0.2 - 0.5", "0.2 to 0.5"), "= 1"; blanks do not matter, and ≥ ≤ – are understood. nullopt:
/// anything else.
std::optional<ColumnRange> parse_range(std::string_view text, std::string column);
/// As parse_range reads it: "> 0.5", "0.2 … 0.5"; empty for all numbers.
std::string range_text(const ColumnRange& range);

/// The heads that every range lets through, in their order. Ranges of columns that are not there let all through.
std::vector<HeadId> filtered_heads(std::vector<HeadId> heads, const HeadColumns& columns, std::span<const ColumnRange> ranges);

/// The range of this column; null: it has none.
const ColumnRange* range_of(std::span<const ColumnRange> ranges, std::string_view column);

}  // namespace headlight
