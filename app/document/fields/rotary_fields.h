// The rows of rotary positions among those of the sandbox (sandbox_fields.cpp).
#pragma once

#include <fmt/core.h>

#include <array>

#include "app/document/fields/field.h"
#include "engine/model/model.h"

namespace headlight::rotary {

inline bool has_rotary(const SandboxSpec& spec) {
  return spec.positions == PositionKind::rotary;
}
inline constexpr double kMostDimensions = 1'000'000;  // anything above is a damaged file
inline constexpr FieldUse<SandboxSpec> kRotaryOnly{has_rotary, "only rotary positions use these", "--positions", "--positions rotary"};

inline bool is_stretched(const SandboxSpec& spec) {
  return spec.rotary.scaling.kind != RotaryScaling::Kind::none;
}

/// A factor of 1 has no effect, so choosing a scaling also chooses a larger factor.
inline void stretch(SandboxSpec& spec) {
  constexpr double kFirstFactor = 4;
  if (is_stretched(spec) && spec.rotary.scaling.factor == 1) spec.rotary.scaling.factor = kFirstFactor;
}

inline std::vector<double> turned_numbers(const SandboxSpec& spec) {
  std::vector<double> numbers{0};
  for (int turned = 2; turned <= spec.d_model / std::max(1, spec.heads); turned *= 2) numbers.push_back(turned);
  return numbers;
}

inline std::vector<double> bases(const SandboxSpec& /*spec*/) {
  return {100, 1'000, 10'000, 100'000, 500'000, 1'000'000};
}

inline std::string turned_text(const SandboxSpec& spec, double turned) {
  return turned == 0 ? fmt::format("all · {}", spec.d_model / std::max(1, spec.heads)) : fmt::format("{}", turned);
}

inline std::string factor_text(const SandboxSpec& /*spec*/, double factor) {
  return fmt::format("{:.3g}", factor);
}

inline constexpr std::array kScalingWords{
    ChoiceWords{"none", nullptr, "Frequencies as they are."},
    ChoiceWords{"linear", nullptr, "All frequencies ÷ factor. Chen et al. 2023, arXiv 2306.15595."},
    ChoiceWords{"llama3", nullptr, "Slow rotations are stretched, fast ones kept. Grattafiori et al. 2024, arXiv 2407.21783."},
    ChoiceWords{"yarn", nullptr, "Slow rotations are stretched, and scores sharpened. Peng et al. 2023, arXiv 2309.00071."}};

inline constexpr FieldWords kRotaryWords{"rotary positions", true};

inline constexpr std::array kFields{
    Field<SandboxSpec>{.json = "rotary.dimensions",
                       .value = access<SandboxSpec, &SandboxSpec::rotary, &RotarySettings::dimensions>(),
                       .low = 0,
                       .high = kMostDimensions,
                       .use = &kRotaryOnly,
                       .is_advanced = true,
                       .words = kRotaryWords,
                       .option = {.name = "--rotary-dimensions",
                                  .help = "How many dimensions of a head rotary positions rotate; 0: all",
                                  .has_range = true,
                                  .low = 0,
                                  .high = 1 << 20,
                                  .place = 10},
                       .control = {.kind = ControlKind::list,
                                   .label = "Rotated dimensions",
                                   .help = "How many dimensions of a head are rotated, in pairs; the rest carry no position.",
                                   .name = "Rotary dimensions",
                                   .offered = turned_numbers,
                                   .text = turned_text,
                                   .place = 7}},
    Field<SandboxSpec>{.json = "rotary.theta",
                       .value = access<SandboxSpec, &SandboxSpec::rotary, &RotarySettings::theta>(),
                       .low = 1.0001,
                       .high = 1e12,
                       .use = &kRotaryOnly,
                       .is_advanced = true,
                       .words = kRotaryWords,
                       .control = {.kind = ControlKind::list,
                                   .label = "Base θ",
                                   .help = "Pair i is rotated by position · θ^(−2i/d): the larger θ, the slower the slowest pair.",
                                   .name = "Theta",
                                   .offered = bases,
                                   .place = 8}},
    Field<SandboxSpec>{.json = "rotary.is_interleaved",
                       .value = access<SandboxSpec, &SandboxSpec::rotary, &RotarySettings::is_interleaved>(),
                       .use = &kRotaryOnly,
                       .is_advanced = true,
                       .words = kRotaryWords},
    Field<SandboxSpec>{.json = "rotary.scaling",
                       .value = access<SandboxSpec, &SandboxSpec::rotary, &RotarySettings::scaling, &RotaryScaling::kind>(),
                       .use = &kRotaryOnly,
                       .is_advanced = true,
                       .words = kRotaryWords,
                       .option = {.name = "--rotary-scaling", .help = "Position scaling for longer texts", .place = 11},
                       .control = {.kind = ControlKind::list,
                                   .label = "Position scaling",
                                   .help = "How rotary frequencies are scaled for texts longer than those in training.",
                                   .name = "Rotary scaling",
                                   .choices = kScalingWords,
                                   .settle = stretch,
                                   .place = 9}},
    Field<SandboxSpec>{
        .json = "rotary.factor",
        .value = access<SandboxSpec, &SandboxSpec::rotary, &RotarySettings::scaling, &RotaryScaling::factor>(),
        .low = 1,
        .high = 1e6,
        .use = &kRotaryOnly,
        .is_advanced = true,
        .words = kRotaryWords,
        .option = {.name = "--rotary-factor", .help = "Factor for --rotary-scaling", .has_range = true, .low = 1, .high = 1e6, .place = 12},
        .control = {.kind = ControlKind::slider,
                    .label = "Factor",
                    .help = "How many times longer texts may be. 1: no scaling.",
                    .name = "Rotary factor",
                    .low = 1,
                    .high = 32,
                    .home = 4,
                    .text = factor_text,
                    .is_shown = is_stretched,
                    .place = 10}},
    Field<SandboxSpec>{.json = "rotary.original_positions",
                       .value = access<SandboxSpec, &SandboxSpec::rotary, &RotarySettings::scaling, &RotaryScaling::original_positions>(),
                       .low = 1,
                       .high = 1e9,
                       .use = &kRotaryOnly,
                       .is_advanced = true,
                       .words = kRotaryWords},
};

}  // namespace headlight::rotary
