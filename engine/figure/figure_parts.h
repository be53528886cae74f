// What figures share: type scale, frames, labels that fit, formulas.
#pragma once

#include <span>
#include <string>
#include <string_view>
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

/// "4 layers × 8 heads"; of an encoder–decoder model the blocks of both: "4 + 4 layers × 8 heads".
std::string sizes_of(const Snapshot& snapshot);
/// The same where there is little room: "3 × 8", "6 + 6 × 8".
std::string short_sizes_of(const Snapshot& snapshot);

/// The head's name where its layer cannot be seen from its place: "1.3", "cross 0.3".
std::string flow_name(const Snapshot& snapshot, HeadId head);
/// The few labels with the most characters, of which one is the widest. Of a long text they are looked for once, and measured often.
std::vector<std::string> longest_labels(std::span<const std::string> labels);
/// The width that the widest label needs, at most `limit`. Measures only the few labels with the most characters.
float widest(std::span<const std::string> labels, float limit, LabelStyle style, const MeasureText& measure);

/// The width of the longest layer name, at kTextSize.
float layer_label_width(const Snapshot& snapshot, const MeasureText& measure);

/// The smallest of 1, 2, 5, 10, 20, 50, … whose multiple of `step` is at least `pitch`.
Index label_stride(float step, float pitch);

/// The text in at most `lines` lines broken at blanks, the last one shortened.
std::vector<std::string> wrapped(const std::string& text, float width, std::size_t lines, LabelStyle style, const MeasureText& measure);

/// A piece of a formula, whose text says it with marks: "_i" is set low and "^Q" high, and so are groups such as "_(i−j)". Window and figures alike
/// set what these pieces say; roots and Greek letters are letters.
struct FormulaPart {
  std::string_view text;
  int level = 0;  ///< −1: low, 1: high, 0: on the line
};
std::vector<FormulaPart> formula_parts(std::string_view formula);

/// Of figures: scripts as a share of the size, which is 6 points of print where labels have 7; and how far they are off the line.
inline constexpr float kScriptSize = 0.88F, kScriptRise = 0.25F;
/// Scripts are set by their own line, as nothing else is.
bool is_script(const SceneText& text);
float formula_width(std::string_view formula, LabelStyle style, const MeasureText& measure);
/// The formula itself where it fits `width`, else its first words with "…".
std::string shortened_formula(const std::string& formula, float width, LabelStyle style, const MeasureText& measure);
/// From a point at the left, in the middle of its line.
void add_formula(Scene& scene, Point at, std::string_view formula, LabelStyle style, Colour colour, const MeasureText& measure);

}  // namespace headlight
