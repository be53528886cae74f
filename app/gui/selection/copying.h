// Numbers for the clipboard as tables that spreadsheets read: columns divided by tabs, a heading, every number in the shortest digits that
// read back as the same one. What was copied is said in the status bar.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/gui/panel/panel.h"

namespace headlight {

/// A line of numbers under the names of its columns.
struct NamedNumber {
  std::string name, number;
};
std::string line_table(std::span<const NamedNumber> columns);
/// The keys of a row that get some attention, largest first: rank, position, token, weight, cumulative.
std::string row_table(const HeadMaps& maps, Index query, std::span<const std::string> keys);
/// A map with its keys above and its queries at the left.
std::string map_table(const Matrix& values, std::span<const std::string> queries, std::span<const std::string> keys,
                      std::string_view columns = "key");
/// What every key adds to a number of z, the largest parts first: position, key, weight, v, product.
std::string parts_table(const HeadMaps& maps, VectorNumber at, std::span<const std::string> keys);

/// Where the head's maps are still being made, the status bar says so and nothing is copied.
void copy_cell(Panel& panel, const ComparedHead& head, Cell cell);
void copy_number(Panel& panel, const ComparedHead& head, VectorNumber at);
void copy_row(Panel& panel, const ComparedHead& head, Index query);
/// The step, and in Head the difference, that is shown of the head; else its weights. The table is made on the export thread.
void copy_map(Panel& panel, const ComparedHead& head);

}  // namespace headlight
