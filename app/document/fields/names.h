// Names of enumerations, as documents write them and options read them: one row for each enumerator. An enumeration without a row for each
// of its enumerators, in their order, does not compile.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/enumeration.h"
#include "engine/figure/style.h"
#include "engine/forward/query.h"
#include "engine/text/tokenizer.h"

namespace headlight {

template <typename Enum>
struct NameRow {
  Enum value;
  std::string_view name;
  bool is_offered = true;  ///< false: loaded models can have it, but no person can choose it
};
// What clang before 17 does not deduce by itself.
template <typename Enum>
NameRow(Enum, std::string_view) -> NameRow<Enum>;
template <typename Enum>
NameRow(Enum, std::string_view, bool) -> NameRow<Enum>;

/// The rows of an enumeration: std::array kNames<Enum>.
template <typename Enum>
inline constexpr std::array<NameRow<Enum>, 0> kNames{};
template <>
inline constexpr std::array kNames<SandboxUnit>{NameRow{SandboxUnit::words, "words"}, NameRow{SandboxUnit::bytes, "bytes"}};
template <>
inline constexpr std::array kNames<SandboxKind>{NameRow{SandboxKind::causal, "causal"},
                                                NameRow{SandboxKind::bidirectional, "bidirectional"},
                                                NameRow{SandboxKind::encoder_decoder, "encoder-decoder"}};
template <>
inline constexpr std::array kNames<WeightDistribution>{NameRow{WeightDistribution::normal, "normal"},
                                                       NameRow{WeightDistribution::uniform, "uniform"}};
template <>
inline constexpr std::array kNames<SandboxBiases>{NameRow{SandboxBiases::none, "none"}, NameRow{SandboxBiases::zero, "zero"},
                                                  NameRow{SandboxBiases::random, "random"}};
template <>
inline constexpr std::array kNames<NormKind>{NameRow{NormKind::layer_norm, "layer-norm"}, NameRow{NormKind::rms_norm, "rms-norm"},
                                             NameRow{NormKind::none, "none"}};
template <>
inline constexpr std::array kNames<NormPlace>{NameRow{NormPlace::before, "before"}, NameRow{NormPlace::after, "after"}};
template <>
inline constexpr std::array kNames<Activation>{NameRow{Activation::gelu_tanh, "gelu-tanh"}, NameRow{Activation::gelu_erf, "gelu-erf"},
                                               NameRow{Activation::relu, "relu"}, NameRow{Activation::silu, "silu"},
                                               NameRow{Activation::gelu_quick, "gelu-quick", false}};
template <>
inline constexpr std::array kNames<RotaryScaling::Kind>{NameRow{RotaryScaling::Kind::none, "none"},
                                                        NameRow{RotaryScaling::Kind::linear, "linear"},
                                                        NameRow{RotaryScaling::Kind::llama3, "llama3"},
                                                        NameRow{RotaryScaling::Kind::yarn, "yarn"},
                                                        NameRow{RotaryScaling::Kind::longrope, "longrope", false},
                                                        NameRow{RotaryScaling::Kind::dynamic, "dynamic", false}};
template <>
inline constexpr std::array kNames<MaskReach>{NameRow{MaskReach::whole_model, "whole-model"}, NameRow{MaskReach::this_head, "this-head"}};
template <>
inline constexpr std::array kNames<Scope::Kind>{NameRow{Scope::Kind::all, "all"}, NameRow{Scope::Kind::stack, "stack"},
                                                NameRow{Scope::Kind::layer, "layer"}, NameRow{Scope::Kind::head, "head"}};
template <>
inline constexpr std::array kNames<Theme>{NameRow{Theme::dark, "dark"}, NameRow{Theme::light, "light"}};

/// An enumeration with rows here. The others are named beside what they belong to: positions, scores, colours, scales, ranges, stacks.
template <typename Enum>
concept HasNameRows = !kNames<Enum>.empty();

template <HasNameRows Enum>
constexpr std::string_view name_of(Enum value) {
  static_assert(has_row_of_each(kNames<Enum>, &NameRow<Enum>::value), "kNames needs one row for each enumerator, in their order");
  return kNames<Enum>[static_cast<std::size_t>(value)].name;
}
std::string_view name_of(PositionKind kind);
std::string_view name_of(ScoreKind kind);

template <typename Enum>
constexpr auto offered_values() {
  constexpr auto count = [] {
    std::size_t offered = 0;
    for (const NameRow<Enum>& row : kNames<Enum>) offered += row.is_offered ? 1 : 0;
    return offered;
  }();
  std::array<Enum, count> values{};
  std::size_t place = 0;
  for (const NameRow<Enum>& row : kNames<Enum>) {
    if (row.is_offered) values[place++] = row.value;
  }
  return values;
}

/// Every value that can be chosen, in the order in which choices are offered.
template <typename Enum>
inline constexpr auto kAllOf = offered_values<Enum>();
template <>
inline constexpr std::array kAllOf<PositionKind>{PositionKind::none,   PositionKind::learned, PositionKind::sinusoidal,
                                                 PositionKind::rotary, PositionKind::alibi,   PositionKind::t5_buckets};
template <>
inline constexpr std::array kAllOf<ScoreKind>{ScoreKind::dot, ScoreKind::cosine, ScoreKind::additive, ScoreKind::relative};
template <>
inline constexpr std::array kAllOf<ColourMap>{ColourMap::magma, ColourMap::viridis, ColourMap::cividis,
                                              ColourMap::grey,  ColourMap::blues,   ColourMap::coolwarm};
template <>
inline constexpr std::array kAllOf<ScaleKind>{ScaleKind::linear, ScaleKind::log, ScaleKind::gamma, ScaleKind::rank, ScaleKind::percentile};
template <>
inline constexpr std::array kAllOf<RangeKind>{RangeKind::unit, RangeKind::head, RangeKind::layer, RangeKind::fixed};
template <>
inline constexpr std::array kAllOf<Among>{Among::head, Among::layer, Among::model};
template <>
inline constexpr std::array kAllOf<Hiding>{Hiding::raw, Hiding::renormalise};
template <>
inline constexpr std::array kAllOf<Stack>{Stack::encoder, Stack::decoder, Stack::cross};  // those that a scope can name

template <typename Enum>
constexpr bool lists_each_value() {
  return std::equal(kAllOf<Enum>.begin(), kAllOf<Enum>.end(), kEveryValue<Enum>.begin(), kEveryValue<Enum>.end());
}
static_assert(lists_each_value<PositionKind>() && lists_each_value<ScoreKind>() && lists_each_value<ColourMap>() &&
              lists_each_value<ScaleKind>() && lists_each_value<RangeKind>() && lists_each_value<Among>() && lists_each_value<Hiding>());

template <typename Enum>
std::optional<Enum> from_name(std::string_view name) {
  for (const Enum value : kAllOf<Enum>) {
    if (name_of(value) == name) return value;
  }
  return std::nullopt;
}

/// In the order in which choices are offered; the texts last.
template <typename Enum>
std::vector<std::string_view> names_of() {
  std::vector<std::string_view> names;
  for (const Enum value : kAllOf<Enum>) names.push_back(name_of(value));
  return names;
}

/// "dark, light"
std::string joined_names(const std::vector<std::string_view>& names);
template <typename Enum>
std::string names_text() {
  return joined_names(names_of<Enum>());
}

}  // namespace headlight
