#include "app/document/names.h"

#include "engine/attention/positions.h"
#include "engine/attention/score.h"
#include "engine/core/enumeration.h"

namespace headlight {

namespace {

/// Every value can be chosen. Not so of Activation, RotaryScaling::Kind and Stack, of which some values only come with a model's files.
template <typename Enum>
constexpr bool kOffersAll = kAllOf<Enum> == kEveryValue<Enum>;
static_assert(kOffersAll<PositionKind> && kOffersAll<SandboxKind> && kOffersAll<WeightDistribution> && kOffersAll<SandboxBiases>);
static_assert(kOffersAll<NormKind> && kOffersAll<NormPlace> && kOffersAll<ScoreKind> && kOffersAll<MaskReach> && kOffersAll<SandboxUnit>);
static_assert(kOffersAll<Scope::Kind> && kOffersAll<Theme> && kOffersAll<ColourMap> && kOffersAll<ScaleKind> && kOffersAll<RangeKind>);

}  // namespace

std::string_view name_of(PositionKind kind) {
  return position_method(kind).name;
}

std::string_view name_of(ScoreKind kind) {
  return score_function(kind).name;
}

std::string_view name_of(SandboxKind kind) {
  static constexpr Names<SandboxKind> kNames{"causal", "bidirectional", "encoder-decoder"};
  return kNames[kind];
}

std::string_view name_of(WeightDistribution distribution) {
  static constexpr Names<WeightDistribution> kNames{"normal", "uniform"};
  return kNames[distribution];
}

std::string_view name_of(SandboxBiases biases) {
  static constexpr Names<SandboxBiases> kNames{"none", "zero", "random"};
  return kNames[biases];
}

std::string_view name_of(NormKind kind) {
  static constexpr Names<NormKind> kNames{"layer-norm", "rms-norm", "none"};
  return kNames[kind];
}

std::string_view name_of(NormPlace place) {
  static constexpr Names<NormPlace> kNames{"before", "after"};
  return kNames[place];
}

std::string_view name_of(Activation activation) {
  static constexpr Names<Activation> kNames{"gelu-tanh", "gelu-erf", "relu", "silu", "gelu-quick"};
  return kNames[activation];
}

std::string_view name_of(RotaryScaling::Kind kind) {
  static constexpr Names<RotaryScaling::Kind> kNames{"none", "linear", "llama3", "yarn", "longrope", "dynamic"};
  return kNames[kind];
}

std::string_view name_of(MaskReach reach) {
  static constexpr Names<MaskReach> kNames{"whole-model", "this-head"};
  return kNames[reach];
}

std::string_view name_of(SandboxUnit unit) {
  static constexpr Names<SandboxUnit> kNames{"words", "bytes"};
  return kNames[unit];
}

std::string_view name_of(Scope::Kind kind) {
  static constexpr Names<Scope::Kind> kNames{"all", "stack", "layer", "head"};
  return kNames[kind];
}

std::string_view name_of(Theme theme) {
  static constexpr Names<Theme> kNames{"dark", "light"};
  return kNames[theme];
}

}  // namespace headlight
