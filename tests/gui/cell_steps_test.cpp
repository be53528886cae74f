#include "app/gui/panel/cell_steps.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/gui/kit/formula.h"
#include "app/gui/panel/focus.h"
#include "engine/attention/score.h"

namespace headlight {
namespace {

/// Two queries, three keys; the last key is forbidden to the first query, and the second query may attend to nothing.
HeadRule plain_rule() {
  Mask mask(2, 3, true);
  mask.set(0, 2, false);
  for (Index key = 0; key < 3; ++key) mask.set(1, key, false);
  HeadRule rule;
  rule.mask = std::make_shared<const Mask>(mask);
  return rule;
}

HeadMaps maps_of_rule(const HeadRule& rule) {
  Matrix q(2, 2), k(3, 2);
  q << 1, 2, 3, 4;
  k << 1, 0, 0, 1, 1, 1;
  return compute_maps(q, k, rule);
}

TEST(CellSteps, APlainHeadHasNoStepBetweenScoreAndWeight) {
  const HeadRule rule = plain_rule();
  const CellSteps steps = steps_of(maps_of_rule(rule), rule, {0, 1});
  EXPECT_EQ(steps.score, 2);
  EXPECT_EQ(steps.final_score, 2);
  EXPECT_FALSE(steps.scaled || steps.capped || steps.bias);
  EXPECT_NEAR(steps.weight, 1 / (1 + std::exp(-1.0)), 1e-6);
  EXPECT_FALSE(steps_of(maps_of_rule(rule), rule, {0, 2}).is_allowed);
}

TEST(CellSteps, EveryStepOfTheRuleLeadsToTheFinalScore) {
  HeadRule rule = plain_rule();
  rule.factor = 0.5F;
  rule.softcap = 2;
  RowVector distances(4);
  distances << 10, 20, 30, 40;  // key − query = −1, 0, 1, 2
  rule.bias.by_distance = std::make_shared<const RowVector>(distances);
  const HeadMaps maps = maps_of_rule(rule);
  const CellSteps steps = steps_of(maps, rule, {0, 1});
  ASSERT_TRUE(steps.scaled && steps.capped && steps.bias);
  EXPECT_FLOAT_EQ(*steps.scaled, 1);
  EXPECT_FLOAT_EQ(*steps.capped, 2 * std::tanh(0.5F));
  EXPECT_FLOAT_EQ(*steps.bias, 30);
  EXPECT_FLOAT_EQ(steps.final_score, *steps.capped + *steps.bias);
  EXPECT_FLOAT_EQ(*steps_of(maps, rule, {1, 0}).bias, 10);
}

TEST(RowSums, OfARowWithASinkSumToOneWithItsShare) {
  HeadRule rule = plain_rule();
  rule.sink = 3.0F;
  const RowSums sums = sums_of_row(maps_of_rule(rule), rule, 0);
  EXPECT_EQ(sums.largest, 3);
  EXPECT_NEAR(sums.sink_share, 1 / (1 + std::exp(-1.0) + std::exp(-2.0)), 1e-6);
  EXPECT_NEAR(sums.sink_share + sums.weights_total, 1, 1e-6);
}

TEST(RowSums, AWeightIsItsExponentialByTheSum) {
  const HeadRule rule = plain_rule();
  const HeadMaps maps = maps_of_rule(rule);
  const RowSums sums = sums_of_row(maps, rule, 0);
  EXPECT_EQ(sums.sink_share, 0);
  EXPECT_NEAR(std::exp(maps.final_score(0, 0) - sums.largest) / sums.sum, maps.weights(0, 0), 1e-6);
}

TEST(RowSums, AFullyMaskedRowGivesNothingToTheSink) {
  HeadRule rule = plain_rule();
  rule.sink = 3.0F;
  const RowSums sums = sums_of_row(maps_of_rule(rule), rule, 1);
  EXPECT_EQ(sums.sum, 0);
  EXPECT_EQ(sums.sink_share, 0);
  EXPECT_EQ(sums.weights_total, 0);
}

TEST(CellSteps, InWordsSayWhatTakesTheScoresPlaceInAMaskedCell) {
  const HeadRule rule = plain_rule();
  EXPECT_EQ(stages_text(steps_of(maps_of_rule(rule), rule, {0, 1})), "score 2.000 · mask ✓");
  EXPECT_EQ(stages_text(steps_of(maps_of_rule(rule), rule, {0, 2})), "score 3.000 · mask ✗ · masked −∞");
}

TEST(CellSteps, TheFormulaOfRelativeScoresHasNoPartThatNoModelHolds) {
  EXPECT_EQ(formula_in_models(score_function(ScoreKind::relative).formula), "q_i · k_j + q_i · R_(i−j) + v · k_j");
  EXPECT_EQ(formula_in_models(score_function(ScoreKind::dot).formula), score_function(ScoreKind::dot).formula);
}

}  // namespace
}  // namespace headlight
