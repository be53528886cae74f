#include "engine/figure/links/link_looks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {
namespace {

constexpr Colour rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16U), static_cast<std::uint8_t>(hex >> 8U), static_cast<std::uint8_t>(hex)};
}

using Colours = std::array<Colour, kLinkColours>;
// Blue, pink, lime, orchid, coral, silver, sea green, indigo, brown, magenta.
constexpr Colours kDark{rgb(0x7aa2ff), rgb(0xf48fb1), rgb(0xa8d65c), rgb(0xd07cf0), rgb(0xef6a55),
                        rgb(0xd3d9e4), rgb(0x3fbf7f), rgb(0x6f78f0), rgb(0xb5825f), rgb(0xd0458f)};
constexpr Colours kLight{rgb(0x2f63e0), rgb(0xdb4f86), rgb(0x5c8a0a), rgb(0xa02cc9), rgb(0xd0432f),
                         rgb(0x4a5263), rgb(0x1b8a55), rgb(0x3c3fb5), rgb(0x8a5a3c), rgb(0x9c1457)};

float clipped(float weight) {
  return std::clamp(weight, 0.0F, 1.0F);
}

}  // namespace

Colour link_colour(Theme theme, std::size_t place) {
  return (theme == Theme::dark ? kDark : kLight)[place % kLinkColours];
}

std::string link_letter(std::size_t place) {
  const std::size_t round = place / kLinkColours;
  if (round == 0) return {};
  return round < 26 ? std::string(1, static_cast<char>('a' + round)) : std::to_string(round + 1);
}

float link_width(float weight) {
  return 1 + 7 * clipped(weight);
}

Colour link_shade(Colour colour, float weight) {
  colour.alpha = static_cast<std::uint8_t>(std::lround(255 * (0.25F + 0.75F * clipped(weight))));
  return colour;
}

}  // namespace headlight
