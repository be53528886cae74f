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

bool has_range(const Style& style) {
  return !ranks_cells(style);
}

bool has_fixed_range(const Style& style) {
  return has_range(style) && style.range == RangeKind::fixed;
}

bool has_percentile(const Style& style) {
  return style.scale == ScaleKind::percentile;
}

bool hides_keys(const Style& style) {
  return !style.hidden.is_empty();
}

/// "none", or a set of keys in any spelling; false for what is neither.
bool read_hidden(Style& style, std::string_view text) {
  if (!problem_of_key_set(text).empty()) return false;
  style.hidden = key_set_of(std::string(text));
  return true;
}

std::string per_cent(const Style& /*style*/, double number) {
  return fmt::format("{:g} %", number);
}

constexpr FieldUse<Style> kRanksCells{ranks_cells, "only the scales rank and percentile use this", "--scale", "rank or percentile"};
constexpr FieldUse<Style> kHasPercentile{has_percentile, "only the scale percentile uses this", "--scale", "percentile"};
constexpr FieldUse<Style> kHidesKeys{hides_keys, "only maps with hidden keys are renormalised", "--hide", "first-token"};

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
constexpr std::array kScaleWords{
    ChoiceWords{"linear"}, ChoiceWords{"log"}, ChoiceWords{"gamma", "γ"},
    ChoiceWords{"rank", "rank", "By rank: how many cells have a smaller weight. Cells that are alike share a colour."},
    ChoiceWords{"percentile", "%", "Percentile: linear up to a percentile of the cells; the share above it is said at the bar."}};
constexpr std::array kAmongWords{ChoiceWords{"head", "this map"}, ChoiceWords{"layer", "its layer"}, ChoiceWords{"model", "all heads"}};
constexpr std::array kHiddenWords{
    ChoiceWords{"", "nothing"},
    ChoiceWords{"first-token", "first token", "The token that most heads of many models rest on: the attention sink."},
    ChoiceWords{"special", "special tokens", "Those that the tokenizer added, such as [CLS] and [SEP]."},
    ChoiceWords{"punctuation", "punctuation", "Tokens without a letter or a digit."},
    ChoiceWords{"first-token+special+punctuation", "all of these"}};
constexpr std::array kRangeWords{ChoiceWords{"unit", "0 … 1"}, ChoiceWords{"head", "this head"}, ChoiceWords{"layer", "this layer"},
                                 ChoiceWords{"fixed"}};

constexpr std::array kHidingWords{ChoiceWords{"raw", "as it is"}, ChoiceWords{"renormalise", "renormalised"}};
constexpr std::array kRenormaliseFlag{
    FlagOption{"renormalise", "--renormalise", "With --hide: what is left of each row shares out 1 again"}};

constexpr std::array kStyleRows{
    Field<Style>{.json = "theme",
                 .value = access<Style, &Style::theme>(),
                 .choose = choose_theme,
                 .scope = FieldScope::all,
                 .words = {"theme"},
                 .option = {.name = "--theme", .help = "Background theme"},
                 .control = {.kind = ControlKind::segments,
                             .label = "Theme",
                             .help = "Light or dark background. It comes with its own colour map, unless you have chosen another."}},
    Field<Style>{.json = "colours",
                 .value = access<Style, &Style::map>(),
                 .scope = FieldScope::coloured,
                 .words = {"colours"},
                 .option = {.name = "--colours,--colors", .help = "Colour map"},
                 .control = {.kind = ControlKind::ramps,
                             .label = "Colours",
                             .help = "Perceptually uniform colour maps that are safe for colour-blind readers.",
                             .choices = kWeightMaps}},
    Field<Style>{.json = "scale",
                 .value = access<Style, &Style::scale>(),
                 .scope = FieldScope::coloured,
                 .words = {"scale"},
                 .option = {.name = "--scale", .help = "How weights map to colours"},
                 .control = {.kind = ControlKind::segments,
                             .label = "Scale",
                             .help = "How weights map to colours. γ below 1 lifts small weights; log shows four powers of ten; rank and "
                                     "percentile follow how the weights are distributed.",
                             .choices = kScaleWords}},
    Field<Style>{.json = "gamma",
                 .value = access<Style, &Style::gamma>(),
                 .low = 0.01,
                 .high = 100,
                 .scope = FieldScope::coloured,
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
                    .choices = kRangeWords,
                    .is_shown = has_range}},
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
    Field<Style>{
        .json = "percentile",
        .value = access<Style, &Style::percentile>(),
        .low = 50,
        .high = 100,
        .use = &kHasPercentile,
        .words = {"percentile"},
        .option =
            {.name = "--percentile", .help = "Of --scale percentile: what the last colour is", .has_range = true, .low = 50, .high = 100},
        .control = {.kind = ControlKind::slider,
                    .label = "Up to",
                    .help = "The percentile of the cells that has the last colour. The share above it is written beside the colour bar.",
                    .name = "Percentile",
                    .low = 80,
                    .high = 100,
                    .home = 98,
                    .parts = 10,
                    .text = per_cent}},
    Field<Style>{.json = "among",
                 .value = access<Style, &Style::among>(),
                 .use = &kRanksCells,
                 .words = {"ranked among"},
                 .option = {.name = "--among", .help = "Of --scale rank and percentile: whose cells are ranked together"},
                 .control = {.kind = ControlKind::list,
                             .label = "Among",
                             .help = "Whose cells are ranked together: those of each map, of its layer, or of all heads. Masked and hidden "
                                     "cells do not count.",
                             .choices = kAmongWords}},
    Field<Style>{
        .json = "hidden",
        .value = access<Style, &Style::hidden>(),
        .scope = FieldScope::weights,
        .words = {"hidden keys"},
        .option = {.name = "--hide",
                   .help = "Keys to leave out of maps: first-token, special, punctuation, a position such as 3, a token id such as\n"
                           "#50256, several joined by +, or none",
                   .type = "KEYS",
                   .read = read_hidden,
                   .problem = "unknown set of keys",
                   .expected = "first-token, special, punctuation, a position, #ID, several joined by +, or none"},
        .control =
            {.kind = ControlKind::keys,
             .label = "Hide keys",
             .help = "Leaves keys out of the maps, so that one sees past a token that takes most of the weight. Their columns turn grey, "
                     "and how much weight is hidden is said. Files of numbers keep the true weights.",
             .texts = kHiddenWords}},
    Field<Style>{
        .json = "hiding",
        .value = access<Style, &Style::hiding>(),
        .use = &kHidesKeys,
        .scope = FieldScope::weights,
        .words = {"the rest"},
        .option = {.flags = kRenormaliseFlag},
        .control = {.kind = ControlKind::segments,
                    .label = "The rest",
                    .help = "What is left of each row: the weights as they are, or shared out so that they sum to 1 again. Rows with "
                            "less than 0.000001 left are left out.",
                    .choices = kHidingWords}},
};

}  // namespace

std::span<const Field<Style>> style_fields() {
  return kStyleRows;
}

}  // namespace headlight
