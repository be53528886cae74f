// What map and grid figures share: type scale, frames, labels that fit.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/figure/scene.h"
#include "engine/snapshot.h"

namespace headlight {

/// The type scale of all figures, in points.
inline constexpr float kTitleSize = 16;
inline constexpr float kTextSize = 14;
inline constexpr float kCaptionSize = 12;
/// Space between the middles of two neighbouring captions that do not touch.
inline constexpr float kCaptionPitch = 14;

struct LabelStyle {
  FontFace face = FontFace::ui;
  float size = kCaptionSize;
};

/// What a pinned head is called wherever it is shown: A to Z, then 27 and up.
std::string pin_letter(std::size_t place);

/// A one-point line around a map, to be put under it: no cell is covered.
SceneBox frame_around(const Box& map, Colour colour);

/// A line between the two sentences of a pair, across a map: thin, with a soft edge that keeps it apart from any colour.
void add_boundary(Scene& scene, Point from, Point to, const Palette& colours);

/// Black or white, whichever is told apart better from the colour of a cell.
Colour ink_on(Colour ground);

/// ".82", "−2.9": with as many decimals as a cell of this size has room for; empty: none fits, or it would read as zero, which it is not. What
/// is less than 1 never reads as 1.
std::string number_for_cell(float value, float width, float height, LabelStyle style, const MeasureText& measure);

/// The text itself where it fits `width`, else its beginning with "…"; empty if not even that fits.
std::string shortened(const std::string& text, float width, LabelStyle style, const MeasureText& measure);

/// The width that the widest label needs, at most `limit`. Measures only the few labels with the most characters.
float widest(std::span<const std::string> labels, float limit, LabelStyle style, const MeasureText& measure);

/// The width of the longest layer name, at kTextSize.
float layer_label_width(const Snapshot& snapshot, const MeasureText& measure);

/// The smallest of 1, 2, 5, 10, 20, 50, … whose multiple of `step` is at least `pitch`.
Index label_stride(float step, float pitch);

/// The text in at most `lines` lines broken at blanks, the last one shortened.
std::vector<std::string> wrapped(const std::string& text, float width, std::size_t lines, LabelStyle style, const MeasureText& measure);

}  // namespace headlight
