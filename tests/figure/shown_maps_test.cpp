// What a style leaves out of weights, and colours by rank and percentile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/figure/figure_notes.h"
#include "engine/figure/pictures.h"
#include "engine/measures/worked_example.h"
#include "tests/figure/figure_testing.h"
#include "tests/measures/gauging.h"

namespace headlight::testing {
namespace {

using ::testing::HasSubstr;

std::vector<std::uint8_t> first_of(std::size_t keys) {
  std::vector<std::uint8_t> hidden(keys);
  hidden[0] = 1;
  return hidden;
}

Style hiding(const char* keys, Hiding how = Hiding::raw) {
  Style style;
  style.hidden = parse_key_set(keys);
  style.hiding = how;
  return style;
}

// The worked map of the measures: hidden mass 0.266667 over the rows with two keys and more.
TEST(LeaveOut, OfTheWorkedExampleHasTheHiddenMassOfTheMeasures) {
  const ShownCells shown = leave_out(worked_map(), causal_mask(4), first_of(4), false);
  EXPECT_NEAR(shown.left_out.mean_mass, 0.266667, 1e-6);
  EXPECT_THAT(shown.left_out.mass, ::testing::Pointwise(::testing::DoubleNear(1e-6), {1.0, 0.5, 0.2, 0.1}));
  EXPECT_EQ(shown.left_out.dropped_rows, 0);
  for (Index query = 0; query < 4; ++query) {
    EXPECT_EQ(shown.values(query, 0), kHiddenCell);
    for (Index key = 1; key < 4; ++key) EXPECT_EQ(shown.values(query, key), worked_map()(query, key)) << "raw weights stay";
  }
}

TEST(LeaveOut, RenormalisedRowsShareOutOneAndThoseWithNothingLeftAreDropped) {
  const ShownCells shown = leave_out(worked_map(), causal_mask(4), first_of(4), true);
  EXPECT_EQ(shown.left_out.dropped_rows, 1) << "row 0 has its first token alone";
  for (Index key = 0; key < 4; ++key) EXPECT_EQ(shown.values(0, key), kHiddenCell);
  for (Index query = 1; query < 4; ++query) EXPECT_NEAR(shown.values.row(query).tail(3).sum(), 1, 1e-6);
  EXPECT_NEAR(shown.values(2, 1), 0.3 / 0.8, 1e-6);
  EXPECT_NEAR(shown.values(3, 2), 0.5 / 0.9, 1e-6);
}

TEST(LeaveOut, RowsAreDroppedBelowTheLeastThatIsLeft) {
  const Matrix almost = (Matrix(2, 2) << 1 - 5e-7F, 5e-7F, 1 - 5e-6F, 5e-6F).finished();
  const ShownCells shown = leave_out(almost, Mask(2, 2, true), first_of(2), true);
  EXPECT_EQ(shown.left_out.dropped_rows, 1);
  EXPECT_EQ(shown.values(0, 1), kHiddenCell);
  EXPECT_EQ(shown.values(1, 1), 1);
}

TEST(LeaveOut, NumbersThatAreNoWeightsAreNotRenormalised) {
  const ShownCells shown = leave_out(3 * worked_map(), causal_mask(4), first_of(4), true, false);
  EXPECT_FALSE(shown.left_out.is_renormalised);
  EXPECT_EQ(shown.values(1, 1), 1.5F);
}

TEST(MapPicture, LeftOutCellsHaveNoValueAndAFlatColourOfTheirOwn) {
  ShownCells shown = leave_out(worked_map(), causal_mask(4), first_of(4), false);
  const MapPicture picture(std::move(shown.values), 1, 4, 4, std::make_shared<const Mask>(causal_mask(4)), false);
  EXPECT_TRUE(std::isnan(picture.value(0, 4, 0, 1)));
  EXPECT_EQ(picture.value(0, 4, 0, 4), 0.5F) << "the largest of what is shown";
  Image image{4, 4, std::vector<std::uint8_t>(64)};
  const HatchStyle hatch{{1, 2, 3, 255}, {4, 5, 6, 255}};
  paint_map(picture, {0, 4, 0, 4}, {}, hatch, image, {0, 0, 4, 4});
  EXPECT_EQ(image.pixels[0], hatch.line.red);
  EXPECT_EQ(image.pixels[2], hatch.line.blue);
}

TEST(ShownMaps, ScalesAreThoseOfWhatIsShown) {
  const auto snapshot = sandbox_snapshot("the cat sat on the mat", 2, 3);
  Style style = hiding("first-token");
  style.range = RangeKind::head;
  ShownMaps shown(*snapshot, style);
  for (int head = 0; head < 3; ++head) {
    const Matrix weights = snapshot->maps({1, head}).weights;
    const float rest = weights.rightCols(weights.cols() - 1).maxCoeff();
    EXPECT_LT(rest, 1);
    EXPECT_EQ(shown.scale({1, head}).high, round_up(rest)) << "without row 0, whose weight is 1";
    EXPECT_EQ(shown.small({1, head})->left_out()->keys, first_of(static_cast<std::size_t>(weights.cols())));
  }
}

TEST(ShownMaps, TheSmallAndTheFullPictureOfAHeadShowTheSame) {
  const auto snapshot = sandbox_snapshot("the cat sat on the mat", 2, 3);
  for (const Hiding how : {Hiding::raw, Hiding::renormalise}) {
    ShownMaps shown(*snapshot, hiding("first-token+3", how));
    const HeadMaps maps = snapshot->maps({0, 1});
    EXPECT_TRUE(*shown.small({0, 1}) == *shown.full({0, 1}, maps));
  }
}

TEST(ShownMaps, WhatIsDerivedIsSaidWithTheMassThatIsHidden) {
  const auto snapshot = sandbox_snapshot("the cat sat on the mat", 2, 3);
  const Style style = hiding("first-token", Hiding::renormalise);
  const std::string badge = badge_of(*snapshot, style, {1, 1});
  EXPECT_THAT(badge, HasSubstr("derived: first token hidden, renormalised · "));
  EXPECT_THAT(badge, HasSubstr("of the weight hidden"));
  EXPECT_THAT(badge, HasSubstr("1 row with nothing left"));
  EXPECT_THAT(badge_of(*snapshot, style), HasSubstr("mean of the heads"));
  EXPECT_THAT(notes_of(*snapshot, style, {1, 1}), HasSubstr("derived: first token hidden"));
  EXPECT_EQ(badge_of(*snapshot, Style{}), "");
  EXPECT_EQ(badge_of(*snapshot, hiding("99")), "") << "the text has no such token";
}

TEST(Notes, HeadsThatAnEditSwitchesOffAreSaidLikeThoseOfASwitch) {
  Query query;
  query.model.sandbox = {.layers = 2, .d_model = 12, .heads = 3};
  query.text = "the cat sat on the mat";
  query.switched_off = {{0, 0}};
  query.interventions = {parse_intervention("1=off"), parse_intervention("1.1=resample:a"), parse_intervention("0.1=off")};
  Pipeline pipeline(1);
  SilentProgress progress;
  const auto snapshot = pipeline.run(query, progress);
  EXPECT_THAT(notes_of(*snapshot, Style{}), HasSubstr("4 heads switched off"));
  EXPECT_THAT(notes_of_numbers(*snapshot), HasSubstr("4 heads switched off"));
  for (const HeadId head : {HeadId{0, 0}, HeadId{0, 1}, HeadId{1, 0}})
    EXPECT_THAT(notes_of(*snapshot, Style{}, head), HasSubstr("head switched off")) << head.layer << "." << head.head;
  EXPECT_THAT(notes_of(*snapshot, Style{}, {1, 1}), ::testing::Not(HasSubstr("switched off")));
  EXPECT_THAT(notes_of(*snapshot, Style{}, {0, 2}), ::testing::Not(HasSubstr("switched off")));
}

TEST(ShownMaps, SmallMapsOfALongTextLeaveOutWholeBlocksAndSayThatTheyAreNotRenormalised) {
  std::string text = "a";
  for (int word = 1; word < 300; ++word) text += " a";
  const auto snapshot = sandbox_snapshot(text, 1, 1);
  ASSERT_EQ(snapshot->summary({0, 0}).pool, 2);
  ShownMaps shown(*snapshot, hiding("first-token", Hiding::renormalise));
  const MapPicture& small = *shown.small({0, 0});
  EXPECT_TRUE(std::isnan(small.value(0, 300, 0, 2)));
  EXPECT_FALSE(std::isnan(small.value(0, 300, 2, 4)));
  EXPECT_THAT(shown.derived_text({0, 0}), HasSubstr("first token hidden, with what shares its blocks of 2 × 2 cells, not renormalised"));
  EXPECT_NEAR(small.left_out()->mean_mass, snapshot->summary({0, 0}).value("first-token"), 1e-12);
  const auto full = shown.full({0, 0}, snapshot->maps({0, 0}));
  EXPECT_NEAR(full->left_out()->mean_mass, small.left_out()->mean_mass, 1e-6);
  EXPECT_TRUE(full->left_out()->is_renormalised) << "Head has the whole map";
}

TEST(ShownMaps, AnotherStyleKeepsThePicturesThatStayTheSame) {
  const auto snapshot = sandbox_snapshot("the cat sat", 1, 2);
  ShownMaps shown(*snapshot, {});
  const auto before = shown.small({0, 1});
  Style style;
  style.scale = ScaleKind::rank;
  shown.show(*snapshot, style);
  EXPECT_EQ(shown.small({0, 1}), before);
  shown.show(*snapshot, hiding("first-token"));
  EXPECT_NE(shown.small({0, 1}), before);
  shown.show(*snapshot, {});
  EXPECT_TRUE(*shown.small({0, 1}) == *before);
}

ValueCounts counted(const std::vector<float>& values) {
  ValueCounter counter;
  for (const float value : values) counter.add(value);
  return counter.finish();
}

TEST(ValueCounts, RanksGoFromTheSmallestToTheLargestAndEqualCellsShareTheirs) {
  const auto ranks = counted({0, 0, 0, 0.25F, 0.5F, 0.5F, 1}).ranks();
  EXPECT_EQ(ranks->colour(0), 0U);
  EXPECT_EQ(ranks->colour(0.25F), std::lround(255 * 3.0 / 6));
  EXPECT_EQ(ranks->colour(0.5F), std::lround(255 * 4.0 / 6));
  EXPECT_EQ(ranks->colour(1), 255U);
  EXPECT_EQ(ranks->colour(0.75F), ranks->colour(0.5F)) << "between two values the colour of the lower one";
}

TEST(ValueCounts, ColoursByRankDoNotChangeWhenValuesAreStretched) {
  std::vector<float> values, squares;
  for (int i = 1; i <= 50; ++i) values.push_back(static_cast<float>(i) / 50), squares.push_back(values.back() * values.back());
  const auto ranks = counted(values).ranks(), of_squares = counted(squares).ranks();
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(ranks->colour(values[i]), of_squares->colour(squares[i]));
}

TEST(ValueCounts, PercentilesLeaveTheirShareAbove) {
  std::vector<float> values;
  for (int i = 1; i <= 100; ++i) values.push_back(static_cast<float>(i) / 128);
  const ValueCounts counts = counted(values);
  EXPECT_EQ(counts.percentile(98), 98.0F / 128);
  EXPECT_DOUBLE_EQ(counts.share_above(98.0F / 128), 0.02);
  EXPECT_EQ(counts.percentile(100), 100.0F / 128);
  EXPECT_EQ(counts.share_above(1), 0);
  EXPECT_EQ(counted({}).percentile(98), 0);
}

TEST(ValueCounts, OfTwoMapsAreThoseOfTheirCellsTogether) {
  const std::vector<float> a{0, 0.25F, 0.5F}, b{0.5F, 0.75F};
  ValueCounter joined;
  joined.add(counted(a));
  joined.add(counted(b));
  EXPECT_EQ(*joined.finish().ranks(), *counted({0, 0.25F, 0.5F, 0.5F, 0.75F}).ranks());
}

TEST(ShownMaps, ByRankEveryPixelHasTheColourOfTheScale) {
  const auto snapshot = sandbox_snapshot("the cat sat on the mat", 1, 2);
  Style style;
  style.scale = ScaleKind::rank;
  ShownMaps shown(*snapshot, style);
  const auto picture = shown.small({0, 1});
  const ColourScale scale = shown.scale({0, 1});
  const auto tokens = static_cast<int>(picture->rows());
  Image image{tokens, tokens, std::vector<std::uint8_t>(static_cast<std::size_t>(tokens * tokens) * 4)};
  paint_map(*picture, {0, static_cast<float>(tokens), 0, static_cast<float>(tokens)}, scale, {}, image, {0, 0, tokens, tokens});
  const Matrix weights = snapshot->maps({0, 1}).weights;
  for (int query = 0; query < tokens; ++query) {
    for (int key = 0; key <= query; ++key) {
      const std::uint8_t* pixel = image.pixels.data() + (query * tokens + key) * 4;
      EXPECT_EQ((Colour{pixel[0], pixel[1], pixel[2], pixel[3]}), scale.colour(weights(query, key)));
    }
  }
  EXPECT_EQ(scale.place(weights(0, 0)), 1) << "the largest weight has the last colour";
}

TEST(ShownMaps, MaskedAndHiddenCellsAreNotRanked) {
  const auto snapshot = sandbox_snapshot("the cat sat on", 1, 2);
  ShownMaps shown(*snapshot, {});
  EXPECT_EQ(shown.small({0, 0})->counts().cells(), 4 * 5 / 2);
  shown.show(*snapshot, hiding("first-token"));
  EXPECT_EQ(shown.small({0, 0})->counts().cells(), 4 * 5 / 2 - 4);
}

TEST(ShownMaps, APercentileSaysWhatItClipsAndSharesItsScaleAmongWhomItIsTold) {
  const auto snapshot = sandbox_snapshot("the cat sat on the mat and the dog ran after it", 2, 2);
  Style style;
  style.scale = ScaleKind::percentile;
  style.percentile = 90;
  ShownMaps shown(*snapshot, style);
  EXPECT_FALSE(shown.has_one_scale());
  for (const HeadId head : {HeadId{0, 0}, HeadId{1, 1}}) {
    const ColourScale scale = shown.scale(head);
    EXPECT_GT(scale.clipped, 0);
    EXPECT_LE(scale.clipped, 0.1F);
    EXPECT_NEAR(scale.clipped, shown.small(head)->counts().share_above(scale.high), 1e-6);
  }
  EXPECT_THAT(badge_of(*snapshot, style), HasSubstr("of the cells clipped")) << "there is no one bar that says it";
  style.among = Among::layer;
  shown.show(*snapshot, style);
  EXPECT_EQ(shown.scale({1, 0}), shown.scale({1, 1}));
  EXPECT_NE(shown.scale({0, 0}), shown.scale({1, 0}));
  style.among = Among::model;
  shown.show(*snapshot, style);
  EXPECT_TRUE(shown.has_one_scale());
  EXPECT_EQ(shown.scale({0, 0}), shown.scale({1, 1}));
  EXPECT_THAT(notes_of(*snapshot, style), HasSubstr("colours up to percentile 90 of the cells of all heads"));
}

}  // namespace
}  // namespace headlight::testing
