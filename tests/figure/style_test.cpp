#include "engine/figure/style.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/figure/inside/ledger_layout.h"
#include "engine/figure/marks.h"

namespace headlight::testing {
namespace {

double luminance(Colour colour) {
  const auto channel = [](std::uint8_t value) {
    const double c = value / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel(colour.red) + 0.7152 * channel(colour.green) + 0.0722 * channel(colour.blue);
}

/// Web Content Accessibility Guidelines 2.1.
double contrast(Colour a, Colour b) {
  const double light = std::max(luminance(a), luminance(b)), dark = std::min(luminance(a), luminance(b));
  return (light + 0.05) / (dark + 0.05);
}

TEST(Palette, TextIsReadableOnEveryGround) {
  for (const Theme theme : {Theme::dark, Theme::light}) {
    const Palette& colours = palette(theme);
    for (const Colour ground : {colours.ground, colours.panel, colours.raised}) {
      EXPECT_GE(contrast(colours.text, ground), 7);
      for (const Colour colour : {colours.text_second, colours.text_third, colours.accent, colours.query, colours.key, colours.value,
                                  colours.bad, colours.good}) {
        EXPECT_GE(contrast(colour, ground), 4.5) << hex_text(colour) << " on " << hex_text(ground);
      }
    }
  }
}

// What marks and tints put under text (marks.h); the window's other grounds are ground, panel, raised and line.
TEST(Palette, TextIsReadableOnMarksTintsAndPressedGrounds) {
  for (const Theme theme : {Theme::dark, Theme::light}) {
    const Palette& colours = palette(theme);
    for (const Colour ground : {colours.ground, colours.panel, colours.raised}) {
      for (const Colour of : {colours.query, colours.key, colours.value, colours.accent}) {
        EXPECT_GE(contrast(colours.text, mix(ground, of, kPinnedFill)), 4.5) << "pinned " << hex_text(of) << " on " << hex_text(ground);
        for (const float weight : {0.0F, 0.1F, 0.5F, 0.9F, 1.0F, 3.0F}) {
          EXPECT_GE(contrast(colours.text, tinted(ground, of, weight)), 4.5) << weight << " " << hex_text(of) << " on " << hex_text(ground);
        }
      }
    }
    for (const Colour text : {colours.text, colours.text_second}) EXPECT_GE(contrast(text, colours.line), 4.5);
    const bool is_bright = theme == Theme::dark;
    EXPECT_GE(contrast(is_bright ? colours.ground : Colour{255, 255, 255, 255}, colours.accent), 4.5) << "the main button";
  }
}

TEST(Palette, TextIsReadableOnTheWeakHatchingOfInside) {
  for (const Theme theme : {Theme::dark, Theme::light}) {
    const Palette& colours = palette(theme);
    EXPECT_GE(contrast(colours.text_second, mix(colours.hatch_ground, colours.hatch, kHatchUnderText)), 4.5);
  }
}

TEST(Palette, MaskedCellsAreNoColourOfTheThemesMap) {
  for (const Theme theme : {Theme::dark, Theme::light}) {
    const Palette& colours = palette(theme);
    const auto distance = [](Colour a, Colour b) { return std::hypot(a.red - b.red, a.green - b.green, a.blue - b.blue); };
    for (const Colour colour : ramp(default_map(theme), theme == Theme::dark)) {
      EXPECT_GT(distance(colour, colours.hatch_ground), 8) << hex_text(colour);
    }
    EXPECT_GE(contrast(colours.hatch, colours.hatch_ground), 3) << "graphics (WCAG 2.1, 1.4.11)";
  }
}

TEST(Theme, BringsItsMapUnlessAnotherWasChosen) {
  Style style;
  set_theme(style, Theme::light);
  EXPECT_EQ(style.map, default_map(Theme::light));
  style.map = ColourMap::viridis;
  set_theme(style, Theme::dark);
  EXPECT_EQ(style.theme, Theme::dark);
  EXPECT_EQ(style.map, ColourMap::viridis);
}

}  // namespace
}  // namespace headlight::testing
