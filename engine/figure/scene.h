// A figure as a list of drawn records. One layout, several painters: the window's draw list, cairo (PNG, PDF), our SVG writer.
// Units are points of the scene, y grows downwards; a painter scales them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/figure/map/map_picture.h"
#include "engine/figure/style.h"

namespace headlight {

struct Point {
  float x = 0, y = 0;
  bool operator==(const Point&) const = default;
};
struct Box {
  float x = 0, y = 0, width = 0, height = 0;
  float right() const { return x + width; }
  float bottom() const { return y + height; }
  bool contains(Point p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }
  bool operator==(const Box&) const = default;
};
inline bool overlap(const Box& a, const Box& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

/// alpha 0 in fill or stroke: not drawn.
struct SceneBox {
  Box box;
  Colour fill{0, 0, 0, 0};
  Colour stroke{0, 0, 0, 0};
  float stroke_width = 1;
  float radius = 0;
  bool operator==(const SceneBox&) const = default;
};
struct SceneLine {
  Point from, to;
  Colour colour = {};
  float width = 1;
  bool operator==(const SceneLine&) const = default;
};
/// A cubic Bézier curve.
struct SceneCurve {
  Point from = {}, from_control = {}, to_control = {}, to = {};
  Colour colour = {};
  float width = 1;
  bool operator==(const SceneCurve&) const = default;
};
enum class FontFace : std::uint8_t { ui, ui_bold, mono };
enum class AlignX : std::uint8_t { left, centre, right };
enum class AlignY : std::uint8_t { top, middle, baseline, bottom };
struct SceneText {
  Point at;          ///< the aligned point; rotation turns about it
  std::string text;  ///< valid UTF-8, one line
  FontFace face = FontFace::ui;
  float size = 12;
  Colour colour = {};
  AlignX align_x = AlignX::left;
  AlignY align_y = AlignY::middle;
  float degrees = 0;  ///< counter-clockwise: 45 rises to the right, 90 reads upwards
  bool operator==(const SceneText&) const = default;
};
/// What is said of a map's cells to whoever points at them in a file.
struct MapWords {
  using Labels = std::shared_ptr<const std::vector<std::string>>;
  std::string name;         ///< of the map: "layer 0 · head 1"; empty: that of the figure
  Labels rows, columns;     ///< one for each row and column of the map
  std::string row, column;  ///< what they are: "queries", "keys"
};
/// A map, painted by paint_map at the painter's own resolution. hatch.spacing is in points here; the painter scales it.
struct SceneMap {
  Box box;
  std::shared_ptr<const MapPicture> picture;
  CellWindow window;
  ColourScale scale;
  HatchStyle hatch;
  std::shared_ptr<const MapWords> words = {};  ///< in files; null: nobody can point at its cells
  /// Pictures are equal when they show the same.
  bool operator==(const SceneMap& other) const;
};
/// A colour bar: the 256 colours of the scale's ramp, evenly, the last at the top. A value belongs at the height scale.place(value).
struct SceneRamp {
  Box box;
  ColourScale scale;
  bool operator==(const SceneRamp&) const = default;
};
/// What is said of a place to whoever points at it in a file that can tell (HTML).
struct SceneSpot {
  Box box;
  std::string words = {};                 ///< "“it” (7) gives 0.52 to “cat” (1)"; before a value: what it is of
  std::vector<float> values = {};         ///< along the box, each on an equal part of it; none: words alone
  std::optional<std::size_t> first = {};  ///< values are numbered from here on; none: they are not
  bool is_column = false;                 ///< values go down, not to the right
  std::vector<std::size_t> curves = {};   ///< places among the scene's curves: the others are faint while it is pointed at
  bool operator==(const SceneSpot&) const = default;
};
using SceneItem = std::variant<SceneBox, SceneLine, SceneText, SceneMap, SceneRamp, SceneCurve>;

struct Scene {
  float width = 0, height = 0;
  Colour background;  ///< alpha 0: none, what lies under the figure shows
  std::string title;  ///< for screen readers and file metadata
  std::vector<SceneItem> items;
  std::vector<SceneSpot> spots = {};
  int label_stride = 1;         ///< the largest of its maps' axes: one of so many tokens has a label
  bool has_print_size = false;  ///< its points are those of print, 72 to the inch: files say how large it is
  std::string family = {};      ///< of fonts, before those of the program; empty: those alone
  bool operator==(const Scene&) const = default;
};

/// Of print, where a scene has its size.
inline constexpr float kPointsPerMm = 72 / 25.4F;

/// The same scene with everything in it so much larger, and moved.
Scene scaled(Scene scene, float factor);
Scene moved(Scene scene, Point by);

/// AlignY::middle: how far below SceneText::at the baseline lies, as a share of the size: half a capital, whatever the font says.
inline constexpr float kMiddleToBaseline = 0.36F;
/// How far below SceneText::at the baseline lies in files.
float baseline_below(AlignY align, float size);

/// Width of a text in points; the window measures with its own fonts, files with pango.
using MeasureText = std::function<float(const std::string& text, FontFace face, float size)>;

}  // namespace headlight
