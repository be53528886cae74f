// Names of enumerations, as documents write them and options read them. One table for both.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "engine/figure/style.h"
#include "engine/forward/query.h"
#include "engine/text/tokenizer.h"

namespace headlight {

std::string_view name_of(PositionKind kind);
std::string_view name_of(SandboxUnit unit);
std::string_view name_of(SandboxKind kind);
std::string_view name_of(WeightDistribution distribution);
std::string_view name_of(SandboxBiases biases);
std::string_view name_of(NormKind kind);
std::string_view name_of(NormPlace place);
std::string_view name_of(Activation activation);
std::string_view name_of(ScoreKind kind);
std::string_view name_of(RotaryScaling::Kind kind);
std::string_view name_of(MaskReach reach);
std::string_view name_of(Scope::Kind kind);
std::string_view name_of(Theme theme);

/// Every value of an enumeration, in the order in which choices are offered.
template <typename Enum>
inline constexpr std::array<Enum, 0> kAllOf{};
template <>
inline constexpr std::array kAllOf<PositionKind>{PositionKind::none,   PositionKind::learned, PositionKind::sinusoidal,
                                                 PositionKind::rotary, PositionKind::alibi,   PositionKind::t5_buckets};
template <>
inline constexpr std::array kAllOf<SandboxKind>{SandboxKind::causal, SandboxKind::bidirectional, SandboxKind::encoder_decoder};
template <>
inline constexpr std::array kAllOf<WeightDistribution>{WeightDistribution::normal, WeightDistribution::uniform};
template <>
inline constexpr std::array kAllOf<SandboxBiases>{SandboxBiases::none, SandboxBiases::zero, SandboxBiases::random};
template <>
inline constexpr std::array kAllOf<NormKind>{NormKind::layer_norm, NormKind::rms_norm, NormKind::none};
template <>
inline constexpr std::array kAllOf<NormPlace>{NormPlace::before, NormPlace::after};
template <>
inline constexpr std::array kAllOf<Activation>{Activation::gelu_tanh, Activation::gelu_erf, Activation::relu, Activation::silu};
template <>
inline constexpr std::array kAllOf<ScoreKind>{ScoreKind::dot, ScoreKind::cosine, ScoreKind::additive, ScoreKind::relative};
template <>
inline constexpr std::array kAllOf<RotaryScaling::Kind>{RotaryScaling::Kind::none, RotaryScaling::Kind::linear, RotaryScaling::Kind::llama3,
                                                        RotaryScaling::Kind::yarn};
template <>
inline constexpr std::array kAllOf<MaskReach>{MaskReach::whole_model, MaskReach::this_head};
template <>
inline constexpr std::array kAllOf<SandboxUnit>{SandboxUnit::words, SandboxUnit::bytes};
template <>
inline constexpr std::array kAllOf<Scope::Kind>{Scope::Kind::all, Scope::Kind::stack, Scope::Kind::layer, Scope::Kind::head};
template <>
inline constexpr std::array kAllOf<Stack>{Stack::encoder, Stack::decoder, Stack::cross};  // those that a scope can name
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
