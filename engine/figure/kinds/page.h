// What the figures of files are made from: a page as large as its content, and maps that choose their own size.
#pragma once

#include <string>

#include "engine/figure/figure_parts.h"
#include "engine/figure/figures.h"
#include "engine/figure/map_layout.h"
#include "engine/figure/style.h"

namespace headlight {

inline constexpr float kPageMargin = 24;
inline constexpr float kLeastPageWidth = 320;  ///< of the content
inline constexpr float kLargestMap = 720;      ///< longer side of the only map of a figure

/// A page that grows: parts are put below each other, title, sentence and notes are wrapped to the width of the content.
class Page {
 public:
  Page(const std::string& title, const std::string& sentence, const Style& style, float content_width, const MeasureText& measure);

  float top() const { return y_; }  ///< of the next part
  void set_top(float y) { y_ = y; }
  const Palette& colours() const { return colours_; }
  void add(const Scene& part) { scene_.items.insert(scene_.items.end(), part.items.begin(), part.items.end()); }
  void add(SceneItem item) { scene_.items.push_back(std::move(item)); }
  void move_down(float height) { y_ += height; }
  /// Adds the notes and returns the page.
  Scene finish(const std::string& notes);

 private:
  void lines(const std::string& text, std::size_t most, LabelStyle style, Colour colour, float height);

  const Palette& colours_;
  const MeasureText& measure_;
  float width_, y_ = kPageMargin - 4;
  Scene scene_;
};

/// "layer 2 · head 5"
std::string name_of_head(const Snapshot& snapshot, HeadId head);
/// "2.1", "cross.0.1": as the command line takes it.
std::string short_name_of_head(const Snapshot& snapshot, HeadId head);

/// A map figure whose area has the size that its cells need, with its corner at the origin.
struct SizedMap {
  MapFigureRequest request;
  PlacedMap placed;
  Point size() const { return {request.area.width, request.area.height}; }
};
SizedMap size_map(MapFigureRequest request, float largest_side, const MeasureText& measure);
/// Draws it with its corner at `at`.
MapFigure draw_sized(SizedMap map, Point at, const MeasureText& measure);

}  // namespace headlight
