// The cell that all cards of Compare show: found under the pointer on any of them, and marked on each that has it.
#pragma once

#include <span>
#include <string>

#include "app/gui/panel/panel.h"
#include "engine/figure/compare/compare_figure.h"

namespace headlight {

/// Whether the tokens along a card's axes are those of the shown picture: then its cells are the picture's.
bool has_own_tokens(const Panel& panel, const ComparedHead& head, int layer);

/// Finds the cell under the pointer, on any card, and answers a click on it: a row is pinned, and a card of another text goes to that text.
void find_pointed_cell(Panel& panel, const std::vector<CompareCard>& cards, Point pointer);

/// The cell that all cards show, as a layer has it.
struct SharedCell {
  Cell cell;
  int layer = 0;
  bool is_own = true;  ///< its tokens are those of the shown picture
};
std::optional<SharedCell> shared_cell(const Panel& panel, const std::vector<CompareCard>& cards);

/// The cell of the same tokens in another map, or where the texts differ that in the same place; none where the map has no such cell.
std::optional<Cell> cell_in(const Panel& panel, const ComparedHead& head, int layer, const SharedCell& shared);

/// What is marked in a card's map while something is pointed at.
std::optional<Cell> marked_in(const Panel& panel, const ComparedHead& head, int layer);

/// The words of a cell's query and key; of a difference between two texts both, "horse / dog".
struct CellWords {
  std::string query, key;
  std::string query_position, key_position;  ///< " 123", written after them in a long text
};
CellWords words_of(const Panel& panel, const CompareCard& card, const CompareCard* subtracted, Cell cell);

}  // namespace headlight
