#include "app/document/fields/style_fields.h"

#include <fmt/core.h>

#include <array>
#include <charconv>

namespace headlight {
namespace {

constexpr double kSmallestRange = 1e-30, kLargestRange = 1e30;

void choose_theme(Style& style, const FieldValue& theme) {
  set_theme(style, from_name<Theme>(std::get<std::string_view>(theme)).value_or(style.theme));
}

bool has_gamma(const Style& style) {
  return style.scale == ScaleKind::gamma;
}

bool has_fixed_range(const Style& style) {
  return style.range == RangeKind::fixed;
}

std::string hundredths(const Style& /*style*/, double number) {
  return fmt::format("{:.2f}", number);
}

/// The name of a range, or the number that a fixed one ends at.
bool read_range(Style& style, std::string_view text) {
  float high = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), high);
  const bool is_whole = problem == std::errc{} && end == text.data() + text.size();
  if (is_whole && high >= static_cast<float>(kSmallestRange) && high <= static_cast<float>(kLargestRange)) {
    style.range = RangeKind::fixed;
    style.fixed_high = high;
    return true;
  }
  const std::optional<RangeKind> kind = from_name<RangeKind>(text);
  if (!kind || *kind == RangeKind::fixed) return false;
  style.range = *kind;
  return true;
}

// Ramps for weights; the diverging one belongs to differences.
constexpr std::array kWeightMaps{ChoiceWords{"magma"}, ChoiceWords{"viridis"}, ChoiceWords{"cividis"}, ChoiceWords{"grey"},
                                 ChoiceWords{"blues"}};
constexpr std::array kScaleWords{ChoiceWords{"linear"}, ChoiceWords{"log"}, ChoiceWords{"gamma", "γ"}};
constexpr std::array kRangeWords{ChoiceWords{"unit", "0 … 1"}, ChoiceWords{"head", "this head"}, ChoiceWords{"layer", "this layer"},
                                 ChoiceWords{"fixed"}};

constexpr std::array kStyleRows{
    Field<Style>{.json = "theme",
                 .value = access<Style, &Style::theme>(),
                 .choose = choose_theme,
                 .words = {"theme"},
                 .option = {.name = "--theme", .help = "Background theme"},
                 .control = {.kind = ControlKind::segments,
                             .label = "Theme",
                             .help = "Light or dark background. It comes with its own colour map, unless you have chosen another."}},
    Field<Style>{.json = "colours",
                 .value = access<Style, &Style::map>(),
                 .words = {"colours"},
                 .option = {.name = "--colours,--colors", .help = "Colour map"},
                 .control = {.kind = ControlKind::ramps,
                             .label = "Colours",
                             .help = "Perceptually uniform colour maps that are safe for colour-blind readers.",
                             .choices = kWeightMaps}},
    Field<Style>{.json = "scale",
                 .value = access<Style, &Style::scale>(),
                 .words = {"scale"},
                 .option = {.name = "--scale", .help = "How weights map to colours"},
                 .control = {.kind = ControlKind::segments,
                             .label = "Scale",
                             .help = "How weights map to colours. γ below 1 lifts small weights; log shows four powers of ten.",
                             .choices = kScaleWords}},
    Field<Style>{.json = "gamma",
                 .value = access<Style, &Style::gamma>(),
                 .low = 0.01,
                 .high = 100,
                 .words = {"gamma"},
                 .option = {.name = "--gamma", .help = "Exponent of --scale gamma", .has_range = true, .low = 0.01, .high = 100},
                 .control = {.kind = ControlKind::slider,
                             .label = "Gamma",
                             .low = 0.2,
                             .high = 1.5,
                             .home = 0.6,
                             .parts = 20,
                             .text = hundredths,
                             .is_shown = has_gamma}},
    Field<Style>{
        .json = "range",
        .value = access<Style, &Style::range>(),
        .words = {"range"},
        .option = {.name = "--range",
                   .help = "Top of the colour bar: unit (1), head or layer (their largest weight), or a number",
                   .type = "RANGE",
                   .read = read_range,
                   .problem = "unknown range",
                   .expected = "unit, head, layer, or a number above 0"},
        .control = {.kind = ControlKind::list,
                    .label = "Range",
                    .help = "The weight at the top of the colour bar: 1, the largest of the head or of its layer, or a number you choose.",
                    .choices = kRangeWords}},
    Field<Style>{.json = "fixed_high",
                 .value = access<Style, &Style::fixed_high>(),
                 .low = kSmallestRange,
                 .high = kLargestRange,
                 .words = {"range to"},  // the option is --range
                 .control = {.kind = ControlKind::slider,
                             .label = "Up to",
                             .low = 0.05,
                             .high = 1,
                             .home = 1,
                             .parts = 20,
                             .text = hundredths,
                             .is_shown = has_fixed_range}},
};

}  // namespace

std::span<const Field<Style>> style_fields() {
  return kStyleRows;
}

}  // namespace headlight
