// How a figure is put on its page: the width at which it is printed, the size of its letters there, and which parts go around it. Layouts work
// in points in which a label is kCaptionSize high. A page of a stated width is laid out in as many of them as it holds at the size of its
// letters: labels are thinned, wrapped or turned until they fit, and keep their size. What cannot be laid out so narrow is made smaller as a
// whole, and fit_of says by how much, and which width would do.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "engine/core/enumeration.h"
#include "engine/figure/scene.h"

namespace headlight {

/// Parts of a page that can be left out.
enum class PagePart : std::uint8_t {
  title,    ///< the model and what is shown
  caption,  ///< the text that was read
  legend,   ///< of links: which colour is which head
  bar,      ///< what colours stand for
  row,      ///< of compared maps: one row of them, key by key
  footer,   ///< stage, mask, scale and edits: what must be known to make the figure again
};
inline constexpr Names<PagePart> kPageParts{"title", "caption", "legend", "bar", "row", "footer"};

struct PageLook {
  float width_mm = 0;               ///< as it is printed; 0: as wide as its content
  float height_mm = 0;              ///< at most; 0: as high as its content
  float type = 0;                   ///< points of a label as it is printed; 0: kUsualType on a page of a stated size, else kCaptionSize
  std::string family = {};          ///< of fonts, before those of the program; empty: those alone
  std::string letter = {};          ///< of a panel, at the upper left: "a"; empty: none
  std::set<PagePart> without = {};  ///< parts that are left out
  bool has_cell_numbers = false;    ///< of one map: the number of each cell is written in it, where it fits in letters of this size
  bool is_transparent = false;      ///< what is not drawn on lets through what lies under the figure; else it has the theme's ground
  bool has(PagePart part) const { return !without.contains(part); }
  bool operator==(const PageLook&) const = default;
};

inline constexpr float kUsualType = 7;
inline constexpr float kUsualDpi = 300;  ///< of a PNG of a stated size
inline constexpr float kLeastMm = 10, kMostMm = 2000, kLeastType = 2, kMostType = 200;
inline constexpr std::size_t kLongestLetter = 8, kLongestFamily = 120;  ///< bytes

/// Of a PNG: pixels on a point of print, and on an inch.
constexpr float pixels_at(float dpi) {
  return dpi / 72;
}
constexpr float dpi_at(float pixels_per_point) {
  return pixels_per_point * 72;
}

/// Whether lengths of print were asked for: its scene has a size in points of print, and its files say so.
bool has_print_size(const PageLook& look);
/// Points of a label as it is printed.
float printed_type(const PageLook& look);
/// The points of a layout that the width holds, or the height; 0: no limit.
float layout_width(const PageLook& look);
float layout_height(const PageLook& look);

/// A look with a name, for what figures are often made for. It says nothing of the letter, the family and the ground.
struct PagePreset {
  std::string_view name;   ///< "column"
  std::string_view label;  ///< "paper, one column"
  PageLook look;
  float dpi = kUsualDpi;
};
std::span<const PagePreset> page_presets();
/// Null if no row has the name.
const PagePreset* find_preset(std::string_view name);

/// Why a family of fonts cannot be asked for by this name, as a sentence; empty if it can. Whether it is installed is another question.
std::string why_no_family(std::string_view family);
/// Likewise for the letter of a panel.
std::string why_no_letter(std::string_view letter);

/// A finished layout as it is printed: in points of print where the look has a size, else as large as it is; with its fonts and ground.
Scene printed(Scene layout, const PageLook& look);

/// The smallest letters of a scene. Scripts of formulas, which are smaller by themselves (kScriptSize), do not count.
struct SmallestType {
  float points = 0;  ///< 0: there are none
  std::string text = {};
};
SmallestType smallest_type(const Scene& scene);

/// Whether the letters of a figure are as large as was asked for.
struct PageFit {
  SmallestType smallest = {};
  float asked = 0;            ///< points; 0: no size was asked for
  float enough_mm = 0;        ///< the width at which they would be, or the height; 0: they are
  bool is_of_height = false;  ///< the height is what makes them smaller
  std::size_t shortened = 0;  ///< words that end in "…" to have room
  int label_stride = 1;       ///< one of so many tokens along the maps has its label
  bool keeps_type() const { return enough_mm == 0; }
};
PageFit fit_of(const PageLook& look, const Scene& scene);
/// "The smallest letters are 4.1 pt, not 7: the figure needs 145 mm for that. Only every second token has its label." Empty where the type is
/// kept and every token has one.
std::string text_of(const PageFit& fit);

}  // namespace headlight
