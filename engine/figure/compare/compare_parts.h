// What cards in a window and maps on a page share.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/figure/compare/compare_figure.h"

namespace headlight {

/// How the cards of a window and the maps of a page differ.
struct CardShape {
  float inset = 0;  ///< around map and title
  float header = 0, footer = 0;
  float title_middle = 0;  ///< below the card's top
  float letter_gap = 0;    ///< between letter and title
  float title_size = 0;
  float gap = 0;  ///< between cards
  std::size_t per_line = 0;
  bool has_ground = false;
  bool is_fitted = false;  ///< all lines are seen at once
};

/// `per_line`: SizedComparison::per_line.
CardShape page_shape(const CompareFigureRequest& request, std::size_t per_line);

/// Cards that have maps, as large as a page lets them be, with labels.
SizedComparison size_on_page(const Snapshot& own, const CompareFigureRequest& request, std::vector<CompareCard> cards, FigureSource& source,
                             const MeasureText& measure);

}  // namespace headlight
