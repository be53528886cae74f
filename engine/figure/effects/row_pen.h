// Rows of words, bars and numbers, as lists of effects have them.
#pragma once

#include <string>
#include <utility>

#include "engine/figure/figure_parts.h"
#include "engine/figure/scene.h"
#include "engine/figure/style.h"

namespace headlight {

inline constexpr float kEffectRow = 20;  ///< of a list, in points
inline constexpr LabelStyle kRowWords{FontFace::ui, kCaptionSize}, kRowStrong{FontFace::ui_bold, kCaptionSize},
    kRowNumber{FontFace::mono, kCaptionSize};

class RowPen {
 public:
  RowPen(Theme theme, const MeasureText& measure) : theme_(theme), measure_(measure), colours_(palette(theme)) {}

  const Palette& colours() const { return colours_; }
  Theme theme() const { return theme_; }
  float width_of(const std::string& words, LabelStyle style) const { return measure_(words, style.face, style.size); }
  std::string fitted(const std::string& words, float room, LabelStyle style) const { return shortened(words, room, style, measure_); }
  const MeasureText& measure() const { return measure_; }

  void text(Point at, std::string words, LabelStyle style, Colour colour, AlignX align = AlignX::left);
  void line(Point from, Point to, Colour colour, float width = 1);
  void fill(const Box& box, Colour colour, float radius = 0);
  void frame(const Box& box, Colour colour, float width, float radius);
  /// What is said to whoever points there.
  void say(const Box& box, std::string words);
  void ramp(const Box& box, const ColourScale& scale);
  /// Words on as many lines as they need, at most four. Returns where they end.
  float paragraph(const std::string& words, const Box& room, LabelStyle style, Colour colour);
  /// A share of a strip that is so wide: nothing of nothing, else at least half a point, with round ends where there is room for them.
  void part(const Box& strip, double share, Colour colour, float radius);
  /// A bar from one place to another, at least a point long: blue for less, red for more.
  void bar(float from, float to, float middle, double value);

  Scene take() { return std::move(scene_); }

 private:
  Theme theme_;
  const MeasureText& measure_;
  const Palette& colours_;
  Scene scene_;
};

/// Blue for less, red for more, and the ground between them; `reach` is the value of the last colour.
ColourScale effect_scale(double reach, Theme theme);
/// Of a bar: blue or red, clear of the ground and of the palest ends.
Colour effect_colour(double value, Theme theme);

}  // namespace headlight
