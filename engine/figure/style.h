// How figures look: part of a document, never part of a query. A new style computes nothing.
#pragma once

#include "engine/figure/map/colour.h"

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

struct Style {
  Theme theme = Theme::dark;
  ColourMap map = ColourMap::magma;
  ScaleKind scale = ScaleKind::gamma;
  float gamma = 0.6F;
  RangeKind range = RangeKind::unit;
  float fixed_high = 1;
  bool operator==(const Style&) const = default;
};

/// The drawing colours of both themes, one table for window and figures.
struct Palette {
  Colour ground, panel, raised, line;
  Colour text, text_second, text_third;
  Colour accent, query, key, value, bad, good;
  Colour hatch;         ///< lines of masked cells
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
