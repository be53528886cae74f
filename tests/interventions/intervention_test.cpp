// Interventions as values: their table, their text form, and maps that are put in place.
#include "engine/interventions/intervention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "engine/interventions/placed_map.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;

TEST(Interventions, EveryKindSaysWhatItReplacesAndItsFormIsReadAsThatKind) {
  for (const InterventionRow& row : intervention_rows()) {
    EXPECT_FALSE(row.title.empty());
    EXPECT_TRUE(row.replaced.ends_with(".")) << row.name;
    EXPECT_TRUE(row.limits.ends_with(".")) << row.name;
    EXPECT_EQ(parse_intervention(row.form).kind, row.kind) << row.form;
    EXPECT_THAT(intervention_forms(), HasSubstr(std::string(row.form)));
  }
}

TEST(Interventions, ATextIsReadBackAsItIsWritten) {
  for (const char* text :
       {"1.3=off", "1=off", "1.3,2,0.0=uniform", "2.0=map:1.3", "0.1=patch:\"The cats run.\"@3-5,8", "2=stream:\"a\"@0-",
        "1.3=resample:\"say \\\"a\\\\b\\\" @ 3\"", "4.0=mean:\"sentences.txt\"", "1.0=pattern:\"x = y\"", "3.2=previous"}) {
    EXPECT_EQ(to_text(parse_intervention(text)), text);
    EXPECT_EQ(parse_intervention(to_text(parse_intervention(text))), parse_intervention(text));
  }
  const Intervention patch = parse_intervention("0.1,0.1,2=patch:The cats run@3-5,8,10-");
  EXPECT_THAT(patch.heads, ElementsAre(HeadId{0, 1}, HeadId{2, kWholeLayer}));
  EXPECT_EQ(patch.text, "The cats run");
  EXPECT_THAT(patch.positions, ElementsAre(PositionRange{3, 5}, PositionRange{8, 8}, PositionRange{10, std::numeric_limits<int>::max()}));
  EXPECT_EQ(parse_intervention("1.0=resample:me@home").text, "me@home") << "it takes no positions, so an @ belongs to the text";
}

TEST(Interventions, WhatCannotBeReadIsRefusedWithItsPlace) {
  const auto message = [](const char* text) { return error_of([&] { parse_intervention(text); }).message(); };
  EXPECT_THAT(message("1.3"), AllOf(HasSubstr("character 4"), HasSubstr("1.3=off")));
  EXPECT_THAT(message("1.3=of"), AllOf(HasSubstr("character 5"), HasSubstr("off, mean, resample, uniform")));
  EXPECT_THAT(message("x.3=off"), HasSubstr("a head such as 2.5"));
  EXPECT_THAT(message("1.3=map"), HasSubstr("a head such as 1.3"));
  EXPECT_THAT(message("1.3=map:2"), HasSubstr("a head such as 1.3"));
  EXPECT_THAT(message("1.3=resample:"), HasSubstr("a text"));
  EXPECT_THAT(message("1.3=patch:\"a"), HasSubstr("a quote after the text"));
  EXPECT_THAT(message("1.3=patch:\"a\"@5-3"), HasSubstr("a position from 5"));
  EXPECT_THAT(message("1.3=patch:\"a\"@x"), HasSubstr("a position from 0"));
  EXPECT_THAT(message("1.3=uniform@3"), HasSubstr("the end"));
  EXPECT_THAT(message("1.3=stream:\"a\""), HasSubstr("layers"));
}

TEST(Interventions, ASourceAndPositionsAreReadByThemselvesAsInsideAnIntervention) {
  EXPECT_EQ(parse_map_source("1.3"), parse_intervention("0.0=map:1.3").from);
  EXPECT_EQ(parse_positions("3-5,8,10-"), parse_intervention("0=patch:\"a\"@3-5,8,10-").positions);
  const auto message_of_source = [](const char* text) { return error_of([&] { parse_map_source(text); }).message(); };
  const auto message_of_positions = [](const char* text) { return error_of([&] { parse_positions(text); }).message(); };
  EXPECT_THAT(message_of_source("nonsense"), AllOf(HasSubstr("\"nonsense\" at character 1"), HasSubstr("a head such as 2.5")));
  EXPECT_THAT(message_of_source("2"), HasSubstr("a head such as 1.3"));
  EXPECT_THAT(message_of_positions("1,5-3"), AllOf(HasSubstr("\"1,5-3\" at character 5"), HasSubstr("a position from 5")));
  EXPECT_THAT(message_of_positions("1;2"), HasSubstr("a position from 0"));
}

TEST(Interventions, WordsNameTheHeadsAndThePositions) {
  EXPECT_EQ(describe_intervention(parse_intervention("2.0=map:1.3")), "head 2.0: map of head 1.3");
  EXPECT_EQ(describe_intervention(parse_intervention("1,2.3=patch:\"The cats\"@3-5,8")),
            "layer 1, head 2.3: z of \"The cats\" at positions 3 to 5, 8");
  EXPECT_EQ(describe_intervention(parse_intervention("0.0,0.1,0.2,0.3,1.0,1.1=off")),
            "head 0.0, head 0.1, head 0.2, head 0.3 and 2 more switched off");
}

TEST(Interventions, AnInterventionReplacesItsHeadsAtItsPositionsAlone) {
  const Intervention patch = parse_intervention("0.1,2=patch:\"a\"@3");
  EXPECT_TRUE(replaces(patch, ReplacedPart::z, {0, 1}, 3));
  EXPECT_TRUE(replaces(patch, ReplacedPart::z, {2, 7}, 3));
  EXPECT_FALSE(replaces(patch, ReplacedPart::z, {0, 1}, 2));
  EXPECT_FALSE(replaces(patch, ReplacedPart::z, {0, 2}, 3));
  EXPECT_FALSE(replaces(patch, ReplacedPart::weights, {0, 1}, 3));
}

TEST(PlacedMaps, AreExactlyThoseMapsUnderTheMask) {
  const Mask causal = MaskText("causal").cells({4, 4, {}}), window = MaskText("window:2").cells({4, 4, {}});
  const Matrix own = Matrix{{1, 0, 0, 0}, {.5, .5, 0, 0}, {.2, .3, .5, 0}, {.1, .15, .5, .25}};
  const auto third = 1.0F / 3;
  EXPECT_EQ(placed_map(InterventionKind::uniform, causal, own),
            (Matrix{{1, 0, 0, 0}, {.5, .5, 0, 0}, {third, third, third, 0}, {.25, .25, .25, .25}}));
  EXPECT_EQ(placed_map(InterventionKind::previous, causal, own), (Matrix{{1, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}))
      << "the first row has no previous token and keeps its own weights";
  EXPECT_EQ(placed_map(InterventionKind::self, causal, own), Matrix(Matrix::Identity(4, 4)));
  EXPECT_EQ(placed_map(InterventionKind::first, causal, own), (Matrix{{1, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}}));
  const Matrix first = placed_map(InterventionKind::first, window, own);
  EXPECT_EQ(first.row(1), (Matrix{{1, 0, 0, 0}}).row(0));
  EXPECT_EQ(first.row(3), own.row(3)) << "the window forbids the first token";
}

TEST(PlacedMaps, AnotherHeadsMapKeepsItsBitsWhereTheMaskAllowsItAndItsSumWhereNot) {
  const Mask causal = MaskText("causal").cells({2, 2, {}}), none = MaskText("none").cells({2, 2, {}});
  const Matrix own = Matrix{{1, 0}, {.5, .5}}, other = Matrix{{.25, .75}, {.1F, .9F}};
  EXPECT_EQ(placed_map(other, none, own), other);
  EXPECT_EQ(placed_map(other, causal, own), (Matrix{{1, 0}, {.1F, .9F}}));
  EXPECT_EQ(placed_map(Matrix{{0, 1}, {.1F, .9F}}, causal, own).row(0), own.row(0)) << "nothing is left of the row";
}

}  // namespace
}  // namespace headlight
