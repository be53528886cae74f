// Names of enumerations, as documents write them and options read them. One table for both.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "engine/attention/mask.h"
#include "engine/figure/style.h"
#include "engine/model/config.h"
#include "engine/text/tokenizer.h"

namespace headlight {

std::string_view name_of(PositionKind kind);
std::string_view name_of(SandboxUnit unit);
std::string_view name_of(Scope::Kind kind);
std::string_view name_of(Theme theme);

/// Every value of an enumeration, in the order in which choices are offered.
template <typename Enum>
inline constexpr std::array<Enum, 0> kAllOf{};
template <>
inline constexpr std::array kAllOf<PositionKind>{PositionKind::none, PositionKind::learned, PositionKind::sinusoidal};
template <>
inline constexpr std::array kAllOf<SandboxUnit>{SandboxUnit::words, SandboxUnit::bytes};
template <>
inline constexpr std::array kAllOf<Scope::Kind>{Scope::Kind::all, Scope::Kind::layer, Scope::Kind::head};
template <>
inline constexpr std::array kAllOf<Theme>{Theme::dark, Theme::light};
template <>
inline constexpr std::array kAllOf<ColourMap>{ColourMap::magma, ColourMap::viridis, ColourMap::cividis,
                                              ColourMap::grey,  ColourMap::blues,   ColourMap::coolwarm};
template <>
inline constexpr std::array kAllOf<ScaleKind>{ScaleKind::linear, ScaleKind::log, ScaleKind::gamma};
template <>
inline constexpr std::array kAllOf<RangeKind>{RangeKind::unit, RangeKind::head, RangeKind::layer, RangeKind::fixed};

template <typename Enum>
std::optional<Enum> from_name(std::string_view name) {
  for (const Enum value : kAllOf<Enum>) {
    if (name_of(value) == name) return value;
  }
  return std::nullopt;
}

/// "dark, light"
template <typename Enum>
std::string names_text() {
  std::string text;
  for (const Enum value : kAllOf<Enum>) text.append(text.empty() ? "" : ", ").append(name_of(value));
  return text;
}

}  // namespace headlight
