#include "engine/figure/map/colour.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace headlight::testing {
namespace {

using Rgb = std::array<double, 3>;  // linear light

Rgb linear(Colour colour) {
  const auto channel = [](std::uint8_t value) {
    const double c = value / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return {channel(colour.red), channel(colour.green), channel(colour.blue)};
}

/// OKLab, from the matrices of its definition (XYZ to cones, cones to Lab), not the fused ones that the ramps are made with.
std::array<double, 3> oklab(const Rgb& rgb) {
  const double x = 0.4124564 * rgb[0] + 0.3575761 * rgb[1] + 0.1804375 * rgb[2];
  const double y = 0.2126729 * rgb[0] + 0.7151522 * rgb[1] + 0.0721750 * rgb[2];
  const double z = 0.0193339 * rgb[0] + 0.1191920 * rgb[1] + 0.9503041 * rgb[2];
  const double l = std::cbrt(0.8189330101 * x + 0.3618667424 * y - 0.1288597137 * z);
  const double m = std::cbrt(0.0329845436 * x + 0.9293118715 * y + 0.0361456387 * z);
  const double s = std::cbrt(0.0482003018 * x + 0.2643662691 * y + 0.6338517070 * z);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s, 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

double lightness(Colour colour) {
  return oklab(linear(colour))[0];
}

/// How a deuteranope sees a colour (Machado, Oliveira, Fernandes 2009, severity 1.0).
Rgb as_deuteranope(const Rgb& c) {
  return {0.367322 * c[0] + 0.860646 * c[1] - 0.227968 * c[2], 0.280085 * c[0] + 0.672501 * c[1] + 0.047413 * c[2],
          -0.011820 * c[0] + 0.042940 * c[1] + 0.968881 * c[2]};
}

constexpr std::array kSequential = {ColourMap::magma, ColourMap::viridis, ColourMap::cividis, ColourMap::grey, ColourMap::blues};

/// Ramp indices whose lightness must go one way: the whole ramp, or one arm from the middle out.
struct Stretch {
  ColourMap map;
  bool is_dark;
  int first, last;
};

std::vector<Stretch> all_stretches() {
  std::vector<Stretch> stretches;
  for (const bool is_dark : {true, false}) {
    for (const ColourMap map : kSequential) stretches.push_back({map, is_dark, 0, 255});
    stretches.push_back({ColourMap::coolwarm, is_dark, 127, 0});
    stretches.push_back({ColourMap::coolwarm, is_dark, 128, 255});
  }
  return stretches;
}

std::string name_of_stretch(const Stretch& stretch) {
  return std::string(name_of(stretch.map)) + (stretch.is_dark ? " dark " : " light ") + std::to_string(stretch.first) + "…" +
         std::to_string(stretch.last);
}

TEST(Ramp, LightnessGoesOneWayInEvenSteps) {
  for (const Stretch& stretch : all_stretches()) {
    const auto& colours = ramp(stretch.map, stretch.is_dark);
    const int direction = stretch.last > stretch.first ? 1 : -1;
    const double whole =
        lightness(colours[static_cast<std::size_t>(stretch.last)]) - lightness(colours[static_cast<std::size_t>(stretch.first)]);
    const double even = whole / std::abs(stretch.last - stretch.first);
    for (int i = stretch.first; i != stretch.last; i += direction) {
      const double step = lightness(colours[static_cast<std::size_t>(i + direction)]) - lightness(colours[static_cast<std::size_t>(i)]);
      ASSERT_GT(step / even, 0) << name_of_stretch(stretch) << " at " << i;
      // Eight bits per channel leave a little unevenness, most of it in the dark.
      ASSERT_NEAR(step, even, 0.0008) << name_of_stretch(stretch) << " at " << i;
    }
    EXPECT_GT(std::abs(whole), 0.4) << name_of_stretch(stretch);
  }
}

TEST(Ramp, LightnessStillGoesOneWayForDeuteranopes) {
  for (const Stretch& stretch : all_stretches()) {
    const auto& colours = ramp(stretch.map, stretch.is_dark);
    const int direction = stretch.last > stretch.first ? 1 : -1;
    const auto seen = [&](int i) { return oklab(as_deuteranope(linear(colours[static_cast<std::size_t>(i)])))[0]; };
    const double whole = seen(stretch.last) - seen(stretch.first);
    constexpr int kApart = 8;  // of 256: what one can tell apart on a bar
    for (int i = stretch.first; std::abs(stretch.last - i) >= kApart; i += direction) {
      ASSERT_GT((seen(i + direction * kApart) - seen(i)) / whole, 0) << name_of_stretch(stretch) << " at " << i;
    }
  }
}

TEST(Ramp, DeuteranopesTellTheEndsOfADifferenceApart) {
  for (const bool is_dark : {true, false}) {
    const auto& colours = ramp(ColourMap::coolwarm, is_dark);
    const auto cool = oklab(as_deuteranope(linear(colours.front()))), warm = oklab(as_deuteranope(linear(colours.back())));
    EXPECT_GT(std::hypot(cool[1] - warm[1], cool[2] - warm[2]), 0.08);
    EXPECT_NEAR(cool[0], warm[0], 0.15) << "equally far from the middle";
  }
}

TEST(Ramp, ThemedRampsStartAtThePage) {
  for (const ColourMap map : {ColourMap::grey, ColourMap::blues}) {
    EXPECT_LT(lightness(ramp(map, true).front()), 0.25) << name_of(map);
    EXPECT_GT(lightness(ramp(map, false).front()), 0.95) << name_of(map);
  }
  EXPECT_LT(lightness(ramp(ColourMap::coolwarm, true)[127]), 0.3);
  EXPECT_GT(lightness(ramp(ColourMap::coolwarm, false)[128]), 0.95);
}

TEST(Ramp, NoRampHasTheColourOfUndefinedCells) {
  for (const Stretch& stretch : all_stretches()) {
    for (const Colour colour : ramp(stretch.map, stretch.is_dark)) {
      const auto a = oklab(linear(colour)), b = oklab(linear(kUndefinedColour));
      ASSERT_GT(std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), 0.08) << name_of_stretch(stretch) << " " << hex_text(colour);
    }
  }
}

std::vector<ColourScale> all_scales() {
  std::vector<ColourScale> scales;
  for (const ScaleKind kind : {ScaleKind::linear, ScaleKind::log, ScaleKind::gamma}) {
    scales.push_back({ColourMap::magma, true, kind, 0.6F, 0, 1});
    scales.push_back({ColourMap::blues, false, kind, 0.4F, 0, 0.03F});
    scales.push_back({ColourMap::coolwarm, true, kind, 0.6F, -2.5F, 2.5F});
    scales.push_back({ColourMap::grey, false, kind, 1.4F, -1, 7});
  }
  return scales;
}

TEST(ColourScale, EndsAreTheEndsOfTheRampAndWhatIsBeyondIsClipped) {
  for (const ColourScale& scale : all_scales()) {
    EXPECT_FLOAT_EQ(scale.place(scale.low), 0);
    EXPECT_FLOAT_EQ(scale.place(scale.high), 1);
    EXPECT_FLOAT_EQ(scale.place(scale.high * 3 + 1), 1);
    EXPECT_FLOAT_EQ(scale.place(scale.low * 3 - 1), 0);
    EXPECT_EQ(scale.colour(scale.high), ramp(scale.map, scale.is_dark).back());
  }
}

TEST(ColourScale, ValueAtUndoesPlace) {
  for (const ColourScale& scale : all_scales()) {
    for (const float place : {0.05F, 0.2F, 0.5F, 0.77F, 0.95F}) {
      EXPECT_NEAR(scale.place(scale.value_at(place)), place, 1e-4) << name_of(scale.kind) << " " << scale.low << "…" << scale.high;
    }
  }
}

TEST(ColourScale, LogShowsFourDecadesEvenly) {
  const ColourScale scale{ColourMap::magma, true, ScaleKind::log, 1, 0, 0.5F};
  EXPECT_NEAR(scale.place(0.05F), 0.75, 1e-5);
  EXPECT_NEAR(scale.place(0.005F), 0.5, 1e-5);
  EXPECT_NEAR(scale.place(5e-5F), 0, 1e-5);
  EXPECT_EQ(scale.place(0), 0);
}

TEST(ColourScale, DifferencesBendAwayFromZeroAlikeOnBothSides) {
  for (const ColourScale& scale : all_scales()) {
    if (!scale.is_zero_centred()) continue;
    EXPECT_FLOAT_EQ(scale.place(0), 0.5F);
    for (const float value : {0.01F, 0.3F, 2.0F}) EXPECT_NEAR(scale.place(value) - 0.5, 0.5 - scale.place(-value), 1e-6);
  }
}

TEST(ColourScale, NanAndEmptyRangesHaveAColour) {
  ColourScale scale;
  EXPECT_EQ(scale.colour(std::numeric_limits<float>::quiet_NaN()), kUndefinedColour);
  scale.high = scale.low = 0;
  EXPECT_EQ(scale.colour(0), ramp(scale.map, scale.is_dark).front());
}

TEST(Colour, HexTextHoldsAlphaOnlyWhereThereIsSome) {
  EXPECT_EQ(hex_text({0x5a, 0xa2, 0xf5}), "#5aa2f5");
  EXPECT_EQ(hex_text({0x5a, 0xa2, 0xf5, 0xcc}), "#5aa2f5cc");
}

TEST(Colour, MixGoesFromOneToTheOther) {
  const Colour a{10, 20, 30}, b{200, 0, 255, 55};
  EXPECT_EQ(mix(a, b, 0), a);
  EXPECT_EQ(mix(a, b, 1), b);
  EXPECT_EQ(mix(a, b, 0.5F), (Colour{105, 10, 143, 155}));
}

}  // namespace
}  // namespace headlight::testing
