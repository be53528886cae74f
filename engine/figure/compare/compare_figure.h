// Maps of named heads beside each other on one scale, and the difference of two. Laid out here for window and files alike: the window shows
// cards that fill its area, a page has maps of their natural size.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/figure/figure_source.h"
#include "engine/figure/figures.h"
#include "engine/figure/page/sized_map.h"

namespace headlight {

struct CompareFigureRequest {
  std::vector<ComparedHead> heads;         ///< A, B, … in this order
  std::optional<ComparedPair> difference;  ///< none: no difference is shown
  bool has_own_scales = false;             ///< each map's colours end at its own largest weight, not at that of all
  Style style;
  /// Adds the part that is shown and what is marked to the map of a card; `head` is the one whose tokens are along the axes.
  std::function<void(const ComparedHead& head, MapFigureRequest& map)> mark;
  // For a page only.
  float page_width = 0;   ///< that a line of maps may take; 0: as much as they like
  float page_height = 0;  ///< that all lines may take, where a line's width is limited; 0: as much as they like
  bool has_bars = true;
  // For a screen only.
  std::optional<Box> area;         ///< cards as large as it lets them be, with names of tokens where they have room; none: a page
  std::optional<HeadId> selected;  ///< of the figure's own run
  bool offers_pairs = false;       ///< a control replaces the difference's letters
  float narrowest_card = 200;      ///< where more cards than fit would be narrower, the lines scroll
};

/// One card: a head, or the difference of two.
struct CompareCard {
  std::string letter, title;
  std::string brief;  ///< shown if the title does not fit: "text 2 · 1.3"; empty: there is none
  bool is_difference = false;
  ComparedHead head;                                 ///< of a difference, the left one, whose tokens are along the axes
  bool is_own = true;                                ///< of the figure's own run
  int layer = 0;                                     ///< of that head; 0 where its model has no such head
  std::string problem;                               ///< why there is no map, or why the small picture stands in for it
  std::shared_ptr<const HeadMaps> maps, subtracted;  ///< null: being made; subtracted: only of a difference
  SizedMap map;                                      ///< its picture is null if there is nothing to show
  float title_left = 0;                              ///< from the left of the map figure
  Box box;                                           ///< all of the card
  MapFigure figure;                                  ///< drawn with the others: its own scene is empty
  bool has_map() const { return map.request.picture != nullptr; }
};

/// Room above and below the map of a card in an area: for letter and title, and for what a window writes there.
inline constexpr float kCardInset = 16, kCardHeader = 48, kCardFooter = 40;

struct CompareFigure {
  std::vector<CompareCard> cards;
  Scene scene;       ///< only items; the caller owns size and background
  float bottom = 0;  ///< of the last line; in an area with the gap that follows it
};

/// The side of a map when so many cards are in an area and all are seen at once.
float largest_card_map(const Box& area, std::size_t cards);

/// The cards in a request's area. A head that its run does not have gets a card that says so.
CompareFigure make_compare_figure(const Snapshot& own, const CompareFigureRequest& request, FigureSource& source,
                                  const MeasureText& measure);

/// The same in two steps, for a page, which has to know the width first: cards with their sizes, whose width is `width`; then drawn with
/// their corner at `at`. Cards without a map are left out.
struct SizedComparison {
  std::vector<CompareCard> cards;
  float width = 0;
  std::size_t per_line = 0;
  Index label_stride() const;  ///< the largest of its maps
  float height() const;        ///< of its lines, on a page of a stated width
};
SizedComparison size_comparison(const Snapshot& own, const CompareFigureRequest& request, FigureSource& source, const MeasureText& measure);
CompareFigure draw_comparison(SizedComparison sized, const CompareFigureRequest& request, Point at, const MeasureText& measure);

}  // namespace headlight
