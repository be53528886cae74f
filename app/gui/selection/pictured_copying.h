// Copying numbers that are not a head's map: differences of heads, maps and tables of labs (PicturedNumbers).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/gui/panel/panel.h"

namespace headlight {

/// Cells that a mask leaves out are empty.
std::string pictured_cell_table(const PicturedNumbers& numbers, Cell cell);
/// Every cell of a row in the order of its columns: position, token, numbers.
std::string pictured_row_table(const PicturedNumbers& numbers, Index row);
/// The numbers that are shown, with their tokens; of a table its lines.
std::string pictured_table(const PicturedNumbers& numbers);

void copy_pictured_cell(Panel& panel, const PicturedNumbers& numbers, Cell cell);
void copy_pictured_row(Panel& panel, const PicturedNumbers& numbers, Index row);
/// Made on the export thread.
void copy_pictured_map(Panel& panel, const std::shared_ptr<const PicturedNumbers>& numbers);
/// What ctrl+C takes: the cell, else the pinned row where there is one, else all of it.
void copy_pictured(Panel& panel, const PicturedPlace& place);

/// "“it” 8 → “animal” 1": where a cell is.
std::string pictured_place_text(const PicturedNumbers& numbers, std::optional<Index> row, std::optional<Index> column);

}  // namespace headlight
