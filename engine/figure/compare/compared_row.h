// One row of compared maps, key by key: what the cards of a comparison give to each key. The window lists it beside its cards, a page below its
// maps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/figure/compare/compare_figure.h"

namespace headlight {

struct ComparedRow {
  std::vector<std::optional<Index>> queries = {};  ///< of each card; none: its map has no such row of the same keys
  std::vector<Index> keys = {};                    ///< that it may attend to on some card, in the order of the text
  std::size_t masked = 0;                          ///< how many it may not
};

/// Of a difference: in both.
bool is_masked(const CompareCard& card, Index query, Index key);
/// Weight, or the difference of two.
float value_of(const CompareCard& card, Index query, Index key);
/// Fills in the keys of a row whose queries are known; each card with a query has `keys` of them.
void find_keys(ComparedRow& row, const std::vector<CompareCard>& cards, Index keys);
/// Which keys are listed, in the order of the text: those with most on some card.
std::vector<Index> listed_keys(const std::vector<CompareCard>& cards, const ComparedRow& row, std::size_t most);
/// The keys of the row, and a line for those that are not listed.
std::size_t lines_of(const ComparedRow& row);
/// "and 5 keys with less · 3 masked"
std::string rest_text(std::size_t less, std::size_t masked);

/// The row that is pinned in the maps of a page, else the last that is shown of the figure's own text; nothing where no map has such a row.
std::optional<ComparedRow> listed_row(const Snapshot& own, const std::vector<CompareCard>& cards);
/// The most that it takes below the maps of a page, and what it takes.
float room_for_row(Index keys);
/// In a box, in as many lines as there is room for in its height; 0: as many as usual. Returns where it ends.
float draw_compared_row(Scene& scene, const Snapshot& own, const std::vector<CompareCard>& cards, const ComparedRow& row, const Box& box,
                        Theme theme, const MeasureText& measure);

}  // namespace headlight
