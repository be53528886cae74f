// Options made from a table of fields: a further row is a further option.
#include "app/cli/options/field_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/document/fields/sandbox_fields.h"
#include "app/document/fields/style_fields.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

/// A row more than the program has: it reaches the gain by another name.
std::vector<Field<SandboxSpec>> longer_table() {
  std::vector<Field<SandboxSpec>> rows(sandbox_fields().begin(), sandbox_fields().end());
  rows.push_back({.json = "sharpness",
                  .value = access<SandboxSpec, &SandboxSpec::gain>(),
                  .option = {.name = "--sharpness", .help = "How sharp maps are", .has_range = true, .low = 0, .high = 10}});
  return rows;
}

/// A command with the options of the longer table, as the program's own commands have those of theirs.
struct Command {
  explicit Command(bool texts_only = false) : options(app, "Sandbox", rows, texts_only) {}
  SandboxSpec parse(const std::string& line) {
    app.parse(line);
    SandboxSpec spec;
    options.apply(spec);
    return spec;
  }
  std::vector<Field<SandboxSpec>> rows = longer_table();
  CLI::App app;
  FieldOptions<SandboxSpec> options;
};

std::string refusal(const std::string& line) {
  Command command;
  try {
    command.parse(line);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

TEST(FieldOptions, OfAFurtherRowAreInTheHelpAndSetItsField) {
  Command command;
  EXPECT_THAT(command.app.help(), ::testing::HasSubstr("--sharpness X"));
  EXPECT_THAT(command.app.help(), ::testing::HasSubstr("How sharp maps are"));
  EXPECT_EQ(command.parse("--sharpness 2.5").gain, 2.5F);
  EXPECT_TRUE(command.options.is_given());
  EXPECT_THROW(Command().parse("--sharpness 11"), CLI::ValidationError);
}

TEST(FieldOptions, LeaveWhatIsNotGiven) {
  Command command;
  EXPECT_EQ(command.parse(""), SandboxSpec{});
  EXPECT_FALSE(command.options.is_given());
}

TEST(FieldOptions, TakeNumbersNamesAndFlagsOfTheirRows) {
  const SandboxSpec spec = Command().parse("--layers 2 --seed 18446744073709551615 --norm rms-norm --bidirectional");
  EXPECT_EQ(spec.layers, 2);
  EXPECT_EQ(spec.seed, 18446744073709551615U);
  EXPECT_EQ(spec.norm, NormKind::rms_norm);
  EXPECT_EQ(spec.kind, SandboxKind::bidirectional);
}

TEST(FieldOptions, ThatExcludeEachOtherAreRefused) {
  EXPECT_THAT(refusal("--causal --bidirectional"), ::testing::HasSubstr("these exclude each other"));
}

TEST(FieldOptions, OfAFieldThatDoesNotCountAreRefusedWithWhatDecides) {
  const std::string message = refusal("--rotary-factor 2");
  EXPECT_THAT(message, ::testing::HasSubstr("--rotary-dimensions, --rotary-scaling, --rotary-factor"));
  EXPECT_THAT(message, ::testing::HasSubstr("--positions sinusoidal"));
  EXPECT_EQ(refusal("--positions rotary --rotary-factor 2"), "");
}

TEST(FieldOptions, ThatDecideTokensAreThoseOfACommandThatReadsTexts) {
  Command command(true);
  EXPECT_THAT(command.app.help(), ::testing::HasSubstr("--unit"));
  EXPECT_THAT(command.app.help(), ::testing::Not(::testing::HasSubstr("--layers")));
}

TEST(FieldOptions, ChooseAThemeWithItsColoursAsAPersonDoes) {
  CLI::App app;
  const FieldOptions<Style> options(app, "Looks", style_fields());
  app.parse("--theme light --range 0.5");
  Style style;
  options.apply(style);
  EXPECT_EQ(style.map, default_map(Theme::light));
  EXPECT_EQ(style.range, RangeKind::fixed);
  EXPECT_EQ(style.fixed_high, 0.5F);
}

TEST(FieldOptions, HideKeysInAnySpellingAndRenormaliseOnlyWithThem) {
  CLI::App app;
  const FieldOptions<Style> options(app, "Looks", style_fields());
  app.parse("--hide special+3+0 --renormalise --scale percentile --percentile 95 --among layer");
  Style style;
  options.apply(style);
  EXPECT_EQ(key_set_text(style.hidden), "first-token+3+special");
  EXPECT_EQ(style.hiding, Hiding::renormalise);
  EXPECT_EQ(style.percentile, 95);
  EXPECT_EQ(style.among, Among::layer);
  CLI::App second;
  const FieldOptions<Style> alone(second, "Looks", style_fields());
  second.parse("--renormalise");
  Style plain;
  EXPECT_THROW(alone.apply(plain), Error);
  CLI::App third;
  const FieldOptions<Style> wrong(third, "Looks", style_fields());
  third.parse("--hide everything");
  EXPECT_THROW(wrong.apply(plain), Error);
}

TEST(FieldOptions, AreListedByTheirFirstNames) {
  EXPECT_THAT(option_names(style_fields()), ::testing::ElementsAre("--theme", "--colours", "--scale", "--gamma", "--range", "--percentile",
                                                                   "--among", "--hide", "--renormalise"));
}

}  // namespace
}  // namespace headlight
