#include "engine/figure/map/colour.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/core/enumeration.h"

namespace headlight {
namespace {

constexpr float kLogDecades = 4;

/// The place on the ramp, 0…1, of a value that is `share` (0…1) of the way from zero to `high`.
float bend(ScaleKind kind, float gamma, float share) {
  switch (kind) {
    case ScaleKind::linear:
    case ScaleKind::rank:  // places are looked up
    case ScaleKind::percentile:
      return share;
    case ScaleKind::gamma:
      return std::pow(share, gamma);
    case ScaleKind::log:
      return share > 0 ? std::max(0.0F, 1 + std::log10(share) / kLogDecades) : 0;
  }
  return share;
}

float unbend(ScaleKind kind, float gamma, float bent) {
  switch (kind) {
    case ScaleKind::linear:
    case ScaleKind::rank:
    case ScaleKind::percentile:
      return bent;
    case ScaleKind::gamma:
      return std::pow(bent, 1 / gamma);
    case ScaleKind::log:
      return std::pow(10.0F, kLogDecades * (bent - 1));
  }
  return bent;
}

std::uint8_t mix(std::uint8_t from, std::uint8_t to, float share) {
  return static_cast<std::uint8_t>(std::lround(static_cast<float>(from) + (static_cast<float>(to) - static_cast<float>(from)) * share));
}

}  // namespace

std::string hex_text(Colour colour) {
  const std::string text = fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
  return colour.alpha == 255 ? text : text + fmt::format("{:02x}", colour.alpha);
}

Colour mix(Colour from, Colour to, float share) {
  return {mix(from.red, to.red, share), mix(from.green, to.green, share), mix(from.blue, to.blue, share), mix(from.alpha, to.alpha, share)};
}

std::string_view name_of(ColourMap map) {
  static constexpr Names<ColourMap> kNames{"magma", "viridis", "cividis", "grey", "blues", "coolwarm"};
  return kNames[map];
}

std::string_view name_of(ScaleKind kind) {
  static constexpr Names<ScaleKind> kNames{"linear", "log", "gamma", "rank", "percentile"};
  return kNames[kind];
}

bool ColourScale::is_zero_centred() const {
  return low < 0 && low == -high;
}

float ColourScale::span() const {
  if (is_zero_centred()) return high;
  return high > low ? high - low : 1;
}

float ColourScale::place(float value) const {
  if (std::isnan(value)) return value;
  if (is_zero_centred()) {
    const float bent =
        ranks ? static_cast<float>(ranks->colour(std::abs(value))) / 255 : bend(kind, gamma, std::min(std::abs(value) / span(), 1.0F));
    return 0.5F + std::copysign(bent / 2, value);
  }
  if (ranks) return static_cast<float>(ranks->colour(std::max(value, 0.0F))) / 255;
  return bend(kind, gamma, std::clamp((value - low) / span(), 0.0F, 1.0F));
}

float ColourScale::value_at(float place) const {
  if (ranks) {
    const float share = std::clamp(is_zero_centred() ? std::abs(2 * place - 1) : place, 0.0F, 1.0F);
    const float value = ranks->value[static_cast<std::size_t>(std::lround(share * 255))];
    return is_zero_centred() && place < 0.5F ? -value : value;
  }
  if (is_zero_centred()) {
    const float bent = std::abs(2 * place - 1);
    return bent == 0 ? 0 : std::copysign(span() * unbend(kind, gamma, bent), place - 0.5F);
  }
  return low + span() * unbend(kind, gamma, place);
}

bool ColourScale::operator==(const ColourScale& other) const {
  const bool has_same_ranks = ranks == other.ranks || (ranks && other.ranks && *ranks == *other.ranks);
  return has_same_ranks && map == other.map && is_dark == other.is_dark && kind == other.kind && gamma == other.gamma && low == other.low &&
         high == other.high && clipped == other.clipped;
}

Colour ColourScale::colour(float value) const {
  const float share = place(value);
  if (std::isnan(share)) return kUndefinedColour;
  return ramp(map, is_dark)[static_cast<std::size_t>(std::lround(share * 255))];
}

}  // namespace headlight
