// The ramps, made from a few anchor colours: between anchors the hue is interpolated in OKLab (B. Ottosson 2020, "A perceptual color space
// for image processing"), and lightness rises by the same amount at every step, whatever the anchors' spacing. So equal steps on the ramp
// look equal, and a reader who sees no hue at all loses nothing.
//
// Anchors: magma and viridis (S. van der Walt, N. Smith 2015, CC0) and cividis (J. Nuñez, C. Anderton, R. Renslow 2018, CC0) at a few even
// places, magma without its black first sixteenth, which a dark page would swallow; blues from "Blues" and coolwarm from "RdBu" of
// colorbrewer2.org (C. Brewer, Pennsylvania State University).
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <vector>

#include "engine/figure/map/colour.h"

namespace headlight {
namespace {

using Ramp = std::array<Colour, 256>;

struct Lab {
  double lightness = 0, a = 0, b = 0;
};

double to_linear(std::uint8_t channel) {
  static const std::array<double, 256> all = [] {
    std::array<double, 256> linear{};
    for (std::size_t i = 0; i < linear.size(); ++i) {
      const double c = static_cast<double>(i) / 255.0;
      linear[i] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    }
    return linear;
  }();
  return all[channel];
}

double from_linear(double c) {
  return 255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055);
}

Lab to_lab(Colour colour) {
  const double r = to_linear(colour.red), g = to_linear(colour.green), b = to_linear(colour.blue);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s, 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

/// Channels 0…255, not rounded.
std::array<double, 3> from_lab(const Lab& lab) {
  const double l = std::pow(lab.lightness + 0.3963377774 * lab.a + 0.2158037573 * lab.b, 3);
  const double m = std::pow(lab.lightness - 0.1055613458 * lab.a - 0.0638541728 * lab.b, 3);
  const double s = std::pow(lab.lightness - 0.0894841775 * lab.a - 1.2914855480 * lab.b, 3);
  return {from_linear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          from_linear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          from_linear(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

/// With less chroma where a screen cannot show the colour: cutting off channels instead would change its lightness.
std::array<double, 3> nearest_shown(Lab lab) {
  const auto is_shown = [](double channel) { return channel >= -0.5 && channel <= 255.5; };
  std::array<double, 3> channels = from_lab(lab);
  while (!std::all_of(channels.begin(), channels.end(), is_shown)) {
    lab.a *= 0.98;
    lab.b *= 0.98;
    channels = from_lab(lab);
  }
  return channels;
}

/// Among the colours close to a point, the one whose lightness is nearest. Plain rounding makes uneven steps: one step of green is as much
/// as one of the ramp, and red and blue, which hardly change lightness, can make up for it.
Colour round_colour(const Lab& lab) {
  const std::array<double, 3> exact = nearest_shown(lab);
  const auto channel = [](double value) { return static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0)); };
  Colour best;
  double smallest = 1e9;
  for (int red = -2; red <= 3; ++red) {
    for (int green = 0; green <= 1; ++green) {
      for (int blue = -2; blue <= 3; ++blue) {
        const std::array<double, 3> at = {std::floor(exact[0]) + red, std::floor(exact[1]) + green, std::floor(exact[2]) + blue};
        const Colour candidate{channel(at[0]), channel(at[1]), channel(at[2])};
        const double away = std::hypot(at[0] - exact[0], at[1] - exact[1], at[2] - exact[2]);
        const double error = std::abs(to_lab(candidate).lightness - lab.lightness) + 2e-5 * away;
        if (error < smallest) {
          smallest = error;
          best = candidate;
        }
      }
    }
  }
  return best;
}

/// The point of the polyline through `anchors` (lightness rising or falling all the way) that has lightness `lightness`.
Lab at_lightness(std::span<const Lab> anchors, double lightness) {
  std::size_t segment = 0;
  const double sign = anchors.back().lightness > anchors.front().lightness ? 1 : -1;
  while (segment + 2 < anchors.size() && sign * (lightness - anchors[segment + 1].lightness) > 0) ++segment;
  const Lab& from = anchors[segment];
  const Lab& to = anchors[segment + 1];
  const double share = std::clamp((lightness - from.lightness) / (to.lightness - from.lightness), 0.0, 1.0);
  return {lightness, from.a + share * (to.a - from.a), from.b + share * (to.b - from.b)};
}

/// Fills `ramp` from index `first` to index `last` (either direction) with the colours between the first and the last anchor.
void fill(Ramp& ramp, int first, int last, std::span<const Colour> colours) {
  std::vector<Lab> anchors;
  for (const Colour colour : colours) anchors.push_back(to_lab(colour));
  const int steps = std::abs(last - first);
  for (int step = 0; step <= steps; ++step) {
    const double share = static_cast<double>(step) / steps;
    const double lightness = anchors.front().lightness + share * (anchors.back().lightness - anchors.front().lightness);
    const int at = first + (last > first ? step : -step);
    ramp[static_cast<std::size_t>(at)] = round_colour(at_lightness(anchors, lightness));
  }
}

// The anchors of each ramp.
constexpr auto kMagma = std::to_array<Colour>({{0x0a, 0x08, 0x22},
                                               {0x1d, 0x11, 0x47},
                                               {0x51, 0x12, 0x7c},
                                               {0x83, 0x26, 0x81},
                                               {0xb7, 0x37, 0x79},
                                               {0xe7, 0x52, 0x63},
                                               {0xfc, 0x89, 0x61},
                                               {0xfe, 0xc4, 0x88},
                                               {0xfc, 0xfd, 0xbf}});
constexpr auto kViridis = std::to_array<Colour>({{0x44, 0x01, 0x54},
                                                 {0x47, 0x2d, 0x7b},
                                                 {0x3b, 0x52, 0x8b},
                                                 {0x2c, 0x72, 0x8e},
                                                 {0x21, 0x91, 0x8c},
                                                 {0x28, 0xae, 0x80},
                                                 {0x5e, 0xc9, 0x62},
                                                 {0xad, 0xdc, 0x30},
                                                 {0xfd, 0xe7, 0x25}});
constexpr auto kCividis =
    std::to_array<Colour>({{0x00, 0x20, 0x4d}, {0x39, 0x48, 0x6b}, {0x70, 0x71, 0x73}, {0xa6, 0x9d, 0x75}, {0xff, 0xea, 0x46}});
// Dark: from the ground up. The cool arm ends in a pale blue and the warm one in a pale red, equally light.
constexpr auto kDarkGrey = std::to_array<Colour>({{0x13, 0x15, 0x19}, {0xf4, 0xf5, 0xf7}});
constexpr auto kDarkBlues = std::to_array<Colour>(
    {{0x0d, 0x11, 0x1a}, {0x08, 0x30, 0x6b}, {0x21, 0x71, 0xb5}, {0x6b, 0xae, 0xd6}, {0xc6, 0xdb, 0xef}, {0xf7, 0xfb, 0xff}});
constexpr auto kDarkCool = std::to_array<Colour>({{0x26, 0x2a, 0x31}, {0x21, 0x66, 0xac}, {0x43, 0x93, 0xc3}, {0x92, 0xc5, 0xde}});
constexpr auto kDarkWarm = std::to_array<Colour>({{0x26, 0x2a, 0x31}, {0xb2, 0x18, 0x2b}, {0xd6, 0x60, 0x4d}, {0xf9, 0xae, 0x92}});
// Light: from paper down.
constexpr auto kLightGrey = std::to_array<Colour>({{0xfa, 0xfb, 0xfc}, {0x14, 0x17, 0x1c}});
constexpr auto kLightBlues = std::to_array<Colour>({{0xf7, 0xfb, 0xff},
                                                    {0xde, 0xeb, 0xf7},
                                                    {0x9e, 0xca, 0xe1},
                                                    {0x42, 0x92, 0xc6},
                                                    {0x21, 0x71, 0xb5},
                                                    {0x08, 0x45, 0x94},
                                                    {0x06, 0x20, 0x4d}});
constexpr auto kLightCool = std::to_array<Colour>(
    {{0xf5, 0xf6, 0xf8}, {0xd1, 0xe5, 0xf0}, {0x92, 0xc5, 0xde}, {0x43, 0x93, 0xc3}, {0x21, 0x66, 0xac}, {0x05, 0x30, 0x61}});
constexpr auto kLightWarm = std::to_array<Colour>(
    {{0xf5, 0xf6, 0xf8}, {0xfd, 0xdb, 0xc7}, {0xf4, 0xa5, 0x82}, {0xd6, 0x60, 0x4d}, {0xb2, 0x18, 0x2b}, {0x67, 0x00, 0x1f}});

/// Each is made when it is first asked for: all of them would take a tenth of the start of the window.
template <const auto& kAnchors>
const Ramp& made() {
  static const Ramp ramp = [] {
    Ramp colours;
    fill(colours, 0, 255, kAnchors);
    return colours;
  }();
  return ramp;
}

/// Both arms start at the neutral middle, and equal places on both have equal lightness.
template <const auto& kCool, const auto& kWarm>
const Ramp& made_diverging() {
  static const Ramp ramp = [] {
    Ramp colours;
    fill(colours, 127, 0, kCool);
    fill(colours, 128, 255, kWarm);
    return colours;
  }();
  return ramp;
}

}  // namespace

const std::array<Colour, 256>& ramp(ColourMap map, bool is_dark) {
  switch (map) {
    case ColourMap::magma:
      return made<kMagma>();
    case ColourMap::viridis:
      return made<kViridis>();
    case ColourMap::cividis:
      return made<kCividis>();
    case ColourMap::grey:
      return is_dark ? made<kDarkGrey>() : made<kLightGrey>();
    case ColourMap::blues:
      return is_dark ? made<kDarkBlues>() : made<kLightBlues>();
    case ColourMap::coolwarm:
      return is_dark ? made_diverging<kDarkCool, kDarkWarm>() : made_diverging<kLightCool, kLightWarm>();
  }
  return made<kMagma>();
}

}  // namespace headlight
