// Colours, colour maps, and the one place that turns a weight into a colour.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/figure/map/value_counts.h"

namespace headlight {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0, alpha = 255;
  bool operator==(const Colour&) const = default;
};
/// "#5aa2f5" or "#5aa2f5cc"
std::string hex_text(Colour colour);
Colour mix(Colour from, Colour to, float share);

/// Perceptually uniform ramps that are safe for colour-blind readers. The first five run from zero up; coolwarm is for differences.
enum class ColourMap : std::uint8_t { magma, viridis, cividis, grey, blues, coolwarm };
std::string_view name_of(ColourMap map);
/// The 256 colours of a ramp. `is_dark` orients ramps so that zero is close to the background: from dark up, or from white paper down
/// (grey, blues and the middle of coolwarm follow the theme; magma, viridis and cividis are fixed).
const std::array<Colour, 256>& ramp(ColourMap map, bool is_dark);

/// The colour of cells without a number. No ramp has it.
inline constexpr Colour kUndefinedColour{255, 43, 214};

enum class ScaleKind : std::uint8_t {
  linear,
  log,
  gamma,
  rank,        ///< the share of cells below it (RankSteps), whatever the values are
  percentile,  ///< linear up to a percentile of the cells; what is above has the last colour
};
std::string_view name_of(ScaleKind kind);

/// From a value to a place on the ramp, and back for the colour bar.
struct ColourScale {
  ColourMap map = ColourMap::magma;
  bool is_dark = true;
  ScaleKind kind = ScaleKind::linear;
  float gamma = 0.6F;
  float low = 0;                                ///< value of the first colour; −high for differences
  float high = 1;                               ///< value of the last colour; where it is not above `low`, it counts as low + 1
  std::shared_ptr<const RankSteps> ranks = {};  ///< of kind rank
  float clipped = 0;                            ///< share of the cells above `high`, 0…1, where it was counted

  bool is_zero_centred() const;  ///< low = −high: bends away from zero on both sides
  float span() const;            ///< from the unbent end (low, or zero) to `high`

  /// 0…1; values outside are clipped. log: four decades below the far end. NaN gives NaN.
  float place(float value) const;
  float value_at(float place) const;
  Colour colour(float value) const;  ///< NaN has its own colour
  bool operator==(const ColourScale& other) const;
};

}  // namespace headlight
