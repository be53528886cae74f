#include "app/document/names.h"

#include "engine/attention/positions.h"
#include "engine/attention/score.h"

namespace headlight {

namespace {

/// The name of a value that counts from 0.
template <std::size_t count, typename Enum>
std::string_view nth(const std::array<std::string_view, count>& names, Enum value) {
  return names.at(static_cast<std::size_t>(value));
}

}  // namespace

std::string_view name_of(PositionKind kind) {
  return position_method(kind).name;
}

std::string_view name_of(ScoreKind kind) {
  return score_function(kind).name;
}

std::string_view name_of(SandboxKind kind) {
  return nth<3>({"causal", "bidirectional", "encoder-decoder"}, kind);
}

std::string_view name_of(WeightDistribution distribution) {
  return nth<2>({"normal", "uniform"}, distribution);
}

std::string_view name_of(SandboxBiases biases) {
  return nth<3>({"none", "zero", "random"}, biases);
}

std::string_view name_of(NormKind kind) {
  return nth<3>({"layer-norm", "rms-norm", "none"}, kind);
}

std::string_view name_of(NormPlace place) {
  return nth<2>({"before", "after"}, place);
}

std::string_view name_of(Activation activation) {
  return nth<5>({"gelu-tanh", "gelu-erf", "relu", "silu", "gelu-quick"}, activation);
}

std::string_view name_of(RotaryScaling::Kind kind) {
  return nth<6>({"none", "linear", "llama3", "yarn", "longrope", "dynamic"}, kind);
}

std::string_view name_of(MaskReach reach) {
  return nth<2>({"whole-model", "this-head"}, reach);
}

std::string_view name_of(SandboxUnit unit) {
  return unit == SandboxUnit::words ? "words" : "bytes";
}

std::string_view name_of(Scope::Kind kind) {
  switch (kind) {
    case Scope::Kind::all:
      return "all";
    case Scope::Kind::stack:
      return "stack";
    case Scope::Kind::layer:
      return "layer";
    case Scope::Kind::head:
      return "head";
  }
  return "";
}

std::string_view name_of(Theme theme) {
  return theme == Theme::dark ? "dark" : "light";
}

}  // namespace headlight
