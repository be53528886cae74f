// How figures look: part of a document, never part of a query. A new style computes nothing.
#pragma once

#include "engine/figure/map/colour.h"
#include "engine/measures/key_set.h"

namespace headlight {

enum class Theme : std::uint8_t { dark, light };

/// What the ends of the colour bar stand for.
enum class RangeKind : std::uint8_t {
  unit,   ///< 0…1
  head,   ///< 0…largest weight of the head, rounded up
  layer,  ///< 0…largest weight of its layer, rounded up
  fixed,  ///< 0…Style::fixed_high
};
std::string_view name_of(RangeKind kind);

/// Whose cells are ranked together by the scales rank and percentile.
enum class Among : std::uint8_t { head, layer, model };
std::string_view name_of(Among among);

/// What becomes of the weights that are left when keys are hidden.
enum class Hiding : std::uint8_t {
  raw,          ///< they stay as they are
  renormalise,  ///< those of each row share out 1 again
};
std::string_view name_of(Hiding hiding);

struct Style {
  Theme theme = Theme::dark;
  ColourMap map = ColourMap::magma;
  ScaleKind scale = ScaleKind::gamma;
  float gamma = 0.6F;
  RangeKind range = RangeKind::unit;
  float fixed_high = 1;
  float percentile = 98;  ///< of ScaleKind::percentile: the last colour
  Among among = Among::head;
  KeySet hidden;  ///< keys that are left out of shown weights
  Hiding hiding = Hiding::raw;
  bool operator==(const Style&) const = default;
};

/// Its colours depend on how the cells of maps are distributed.
constexpr bool ranks_cells(const Style& style) {
  return style.scale == ScaleKind::rank || style.scale == ScaleKind::percentile;
}
/// The drawing colours of both themes, one table for window and figures.
struct Palette {
  Colour ground, panel, raised, line;
  Colour text, text_second, text_third;
  Colour accent, query, key, value, bad, good;
  Colour hatch;         ///< lines of masked cells: at least 3 : 1 to what is between them, as WCAG asks of graphics
  Colour hatch_ground;  ///< between the lines of masked cells
};
const Palette& palette(Theme theme);

/// The map that belongs to a theme: it starts at the background of the page.
constexpr ColourMap default_map(Theme theme) {
  return theme == Theme::dark ? ColourMap::magma : ColourMap::blues;
}

/// Changes the theme. Each has a map that starts at its own background, and the map changes with it; a map that was chosen on purpose
/// stays.
constexpr void set_theme(Style& style, Theme theme) {
  if (style.map == default_map(style.theme)) style.map = default_map(theme);
  style.theme = theme;
}

}  // namespace headlight
