// Lines between tokens, laid out: two columns, queries at the left and keys at the right, or one text with arcs. The window shows these
// scenes; a file has them on a page (kinds/links.cpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/figure/axes.h"
#include "engine/figure/links/link_lines.h"
#include "engine/figure/scene.h"

namespace headlight {

/// A token whose lines are shown alone: as a query or as a key.
struct LinkFocus {
  Index token = 0;
  bool is_key = false;
  bool operator==(const LinkFocus&) const = default;
};

/// Of the lines in sight the heaviest are drawn, as long as they cover no more than this, in square points: more would be a haze, and slow.
/// A text that scrolls has less, so that it scrolls smoothly.
inline constexpr float kMostInk = 2'000'000, kScrolledInk = 200'000;
/// The most heads that have a square each beside a key; more heads share one square, their mean.
inline constexpr std::size_t kMostSquares = 12;

struct LinksFigureRequest {
  std::shared_ptr<const LinkLines> lines;
  AxisLabels query_labels, key_labels;
  AxisTitles titles;
  Box area;                           ///< the visible part; nothing outside it is drawn
  float scroll = 0;                   ///< points by which the content is moved up
  bool has_arcs = false;              ///< of one text
  std::optional<LinkFocus> focus;     ///< its lines in full, all others faint
  std::optional<Index> pinned_query;  ///< the row that is kept
  Theme theme = Theme::dark;
  float most_ink = kMostInk;
  bool has_low_rows = false;  ///< where the area is low, in letters of a caption
};

/// Where everything goes, in points of the scene, scrolled.
struct LinksLayout {
  bool has_arcs = false;
  float top = 0;    ///< of the first row
  float pitch = 0;  ///< from row to row
  float type = 0;   ///< of the labels
  Index queries = 0, keys = 0;
  Index second_query = -1, second_key = -1;  ///< of a pair: the first token of the second text; −1: no pair
  float query_left = 0, query_right = 0;     ///< of the labels of the queries, and where their lines begin
  float key_left = 0, key_right = 0;         ///< of the labels of the keys
  float squares_left = 0;                    ///< of the squares beside the keys
  std::size_t squares = 0;                   ///< how many there are beside each key
  float arcs_left = 0;                       ///< where arcs to later tokens begin
  float query_number = 0, key_number = 0;    ///< the middles of the columns of positions
  float content_height = 0;                  ///< of everything, for the scroll bar
  Box query_box(Index query) const;          ///< of a row, to point at
  Box key_box(Index key) const;
  float query_middle(Index query) const;
  float key_middle(Index key) const;
};

struct LinksFigure {
  Scene scene;  ///< only items; the caller owns size and background
  LinksLayout layout;
  Box area;
  std::size_t left_out = 0;          ///< lines in sight that are too many to be drawn
  std::vector<LinkLine> drawn = {};  ///< the line of each curve of the scene
};

/// Where everything will be: a pointer needs it before what it points at is drawn.
LinksLayout links_layout(const LinksFigureRequest& request, const MeasureText& measure);
/// The token whose row is at a point of the area. With arcs every token counts as a query.
std::optional<LinkFocus> token_at(const LinksLayout& layout, const Box& area, Point point);

LinksFigure make_links_figure(const LinksFigureRequest& request, const MeasureText& measure);

/// The area that holds the whole content, for a page.
Point links_size(const LinksFigureRequest& request, const MeasureText& measure);

}  // namespace headlight
