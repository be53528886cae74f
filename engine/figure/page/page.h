// What the figures of files are made from: a page as large as its content.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "engine/figure/figure_parts.h"
#include "engine/figure/page/page_look.h"
#include "engine/figure/scene.h"
#include "engine/figure/style.h"
#include "engine/snapshot.h"

namespace headlight {

inline constexpr float kPageMargin = 24;
inline constexpr float kLeastPageWidth = 320;  ///< of the content

inline constexpr float kPrintMargin = 6;  ///< of a page of a stated size: what is around it has margins of its own

/// The room that a page of a stated width has for its content; 0: as much as the content takes.
float room_across(const PageLook& look);

/// The same for a figure of labelled maps, at least what they need; what is more than the page has makes all of it smaller.
float room_for_maps(const PageLook& look);

/// What is written above a figure.
struct PageWords {
  std::string title, sentence;
  bool is_corner_free = false;  ///< nothing is in the upper left corner of the figure: a letter has room there
};

/// A page that grows: parts are put below each other, title, sentence and notes are wrapped to the width of the content. Content that is wider
/// than the page has room for makes all of the page smaller as it is printed.
class Page {
 public:
  Page(const PageWords& words, const Style& style, const PageLook& look, float content_width, const MeasureText& measure);

  float left() const { return margin_; }  ///< of the content
  float width() const { return width_; }  ///< of the content
  float top() const { return y_; }        ///< of the next part
  void set_top(float y) { y_ = y; }
  const Palette& colours() const { return colours_; }
  /// Items, and what is said of places.
  void add(const Scene& part);
  void add(SceneItem item) { scene_.items.push_back(std::move(item)); }
  void move_down(float height) { y_ += height; }
  /// One of so many tokens along a map's axes has its label.
  void thin_labels(Index stride) { scene_.label_stride = std::max(scene_.label_stride, static_cast<int>(stride)); }
  /// What is left for the content of a page of a stated height; 0: as much as it takes.
  float room_below(const std::string& notes, const std::string& kept = {}) const;
  /// Adds the notes and returns the page. `kept`: what a page without its notes still says, since a reader would be misled without it: what
  /// is derived, left out or summed.
  Scene finish(const std::string& notes, const std::string& kept = {});

 private:
  std::size_t most(std::size_t usual) const;
  float height_of(const std::string& notes) const;
  const std::string& said(const std::string& notes, const std::string& kept) const;
  void heading(const PageWords& words);
  void lines(const std::string& text, std::size_t most, LabelStyle style, Colour colour, float height);

  const Palette& colours_;
  const MeasureText& measure_;
  PageLook look_;
  float margin_, width_, y_;
  float indent_ = 0;  // of lines that are written
  Scene scene_;
};

/// "layer 2 · head 5"
std::string name_of_head(const Snapshot& snapshot, HeadId head);
/// "3", "cross.0": as the command line takes it.
std::string short_name_of_layer(const Snapshot& snapshot, int layer);
/// Of every layer.
std::vector<std::string> short_names_of_layers(const Snapshot& snapshot);
/// "2.1", "cross.0.1": likewise.
std::string short_name_of_head(const Snapshot& snapshot, HeadId head);

}  // namespace headlight
