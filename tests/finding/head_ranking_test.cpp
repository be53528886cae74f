// Which head does this: pattern mass, its baselines and its laws, on maps that are known and on a run of the sandbox.
#include "engine/finding/head_ranking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/measures/measure_request.h"
#include "tests/finding/question_testing.h"

namespace headlight {
namespace {

using testing::cells_in, testing::full_mask, testing::layer_of, testing::ranked, testing::sandbox_run, testing::snapshot_of,
    testing::worked_snapshot;

constexpr Index kTokens = 4;
const std::vector<std::string> kWords{"a", "b", "c", "d"};

Matrix even() {
  return Matrix::Constant(kTokens, kTokens, 0.25F);
}

/// Every query gives `share` to `key`, and the rest evenly to the others.
Matrix looking_at(Index key, float share) {
  Matrix map = Matrix::Constant(kTokens, kTokens, (1 - share) / 3);
  map.col(key).setConstant(share);
  return map;
}

TEST(PatternMass, IsThatOfTheWorkedExample) {
  const HeadRanking found = ranked(worked_snapshot(), question_of(TargetPattern::previous));
  ASSERT_EQ(found.heads.size(), 1U);
  const RankedHead& head = found.heads.front();
  EXPECT_NEAR(head.mass, 0.433333, 1e-6);
  EXPECT_NEAR(head.uniform, 0.361111, 1e-6);
  EXPECT_NEAR(head.lift(), 1.2, 1e-6);
  EXPECT_EQ(head.rows, 3);
  EXPECT_EQ(head.offset, -1);
  EXPECT_DOUBLE_EQ(head.fixed, 1) << "the previous token is a fixed offset";
  EXPECT_NEAR(head.lift_over_fixed(), 0.433333, 1e-6);
  EXPECT_EQ(head.best.query, 1);
  EXPECT_EQ(head.best.key, 0);
}

TEST(PatternMass, InductionOfABABHasTwoTargets) {
  const Snapshot run = worked_snapshot();
  const std::optional<Mask> targets = targets_of(question_of(TargetPattern::induction), tokens_of(run, 0));
  ASSERT_TRUE(targets);
  for (Index query = 0; query < kTokens; ++query) {
    for (Index key = 0; key < kTokens; ++key) {
      const bool is_target = (query == 2 && key == 1) || (query == 3 && key == 2);
      EXPECT_EQ(targets->allows(query, key), is_target) << query << ", " << key;
    }
  }
  EXPECT_NEAR(ranked(run, question_of(TargetPattern::induction)).heads.front().mass, 0.4, 1e-6);
  EXPECT_NEAR(ranked(run, question_of(TargetPattern::duplicate)).heads.front().mass, 0.175, 1e-6);
}

TEST(PatternMass, OfAnAllOnesPatternHasALiftOfOne) {
  const auto run = sandbox_run("the cat sat on the mat and the dog sat on the cat");
  const HeadRanking found = ranked(*run, question_of_mask("none"));
  ASSERT_FALSE(found.heads.empty());
  for (const RankedHead& head : found.heads) {
    EXPECT_NEAR(head.lift(), 1, 1e-6) << head.head.layer << "." << head.head.head;
    EXPECT_NEAR(head.mass, 1, 1e-6);
  }
}

TEST(PatternMass, MaskedKeysAddNothing) {
  const auto mask = std::make_shared<const Mask>(worked_mask());
  const Snapshot run = worked_snapshot();
  const HeadRanking some = ranked(run, cells_in(run, {{3, 4, 1, 2}}));
  const HeadRanking with_masked = ranked(run, cells_in(run, {{3, 4, 1, 2}, {0, 1, 1, 4}, {1, 2, 2, 4}, {2, 3, 3, 4}}));
  ASSERT_EQ(some.heads.size(), 1U);
  ASSERT_EQ(with_masked.heads.size(), 1U);
  EXPECT_EQ(some.heads.front().mass, with_masked.heads.front().mass);
  EXPECT_EQ(some.heads.front().uniform, with_masked.heads.front().uniform);
  EXPECT_EQ(some.heads.front().rows, with_masked.heads.front().rows);
  const HeadRanking only_masked = ranked(run, cells_in(run, {{1, 2, 2, 4}}));
  EXPECT_TRUE(only_masked.heads.empty());
  EXPECT_THAT(only_masked.undefined, ::testing::ElementsAre(HeadId{0, 0}));
}

TEST(PatternMass, PermutingHeadsPermutesTheirRows) {
  const std::vector<Matrix> maps{even(), looking_at(0, 0.4F), looking_at(1, 0.7F)};
  const auto found = [&](const std::vector<std::size_t>& order) {
    std::vector<Matrix> permuted;
    for (const std::size_t place : order) permuted.push_back(maps[place]);
    const Snapshot run = snapshot_of(kWords, {layer_of(permuted, full_mask(kTokens))});
    std::vector<double> masses(maps.size());
    for (const RankedHead& head : ranked(run, question_of(TargetPattern::first)).heads) {
      masses[order[static_cast<std::size_t>(head.head.head)]] = head.mass;
    }
    return masses;
  };
  EXPECT_EQ(found({0, 1, 2}), found({2, 0, 1}));
  EXPECT_EQ(found({0, 1, 2}), found({1, 2, 0}));
}

/// The questions with a name are rows of the table of measures too: two ways to the same number.
TEST(PatternMass, IsTheMeasureOfThatName) {
  const auto run = sandbox_run("the cat sat on the mat and the dog sat on the cat");
  const std::vector<std::pair<TargetPattern, std::string>> same{{TargetPattern::previous, "previous-token"},
                                                                {TargetPattern::duplicate, "duplicate"},
                                                                {TargetPattern::induction, "induction"},
                                                                {TargetPattern::first, "first-token"},
                                                                {TargetPattern::self, "self-token"}};
  for (const auto& [pattern, id] : same) {
    const std::vector<MeasureRequest> requests = measure_requests(id, "test");
    const MeasuredText text(run->encoding->tokens);
    const GaugePlan plan(requests, text, run->tokens());
    for (const RankedHead& head : ranked(*run, question_of(pattern)).heads) {
      HeadGauge gauge(plan, run->trace.layer(head.head.layer).mask(head.head.head));
      gauge.add({0, run->maps(head.head).weights});
      EXPECT_NEAR(head.mass, gauge.value(0), 1e-6) << id << " " << head.head.layer << "." << head.head.head;
    }
  }
}

TEST(PatternMass, IsTheSameForAnyNumberOfThreads) {
  const auto run = sandbox_run("the cat sat on the mat");
  SilentProgress progress;
  ThreadPool one(1), four(4);
  const HeadRanking a = rank_heads(*run, question_of_mask("k == q - 2"), one, progress);
  const HeadRanking b = rank_heads(*run, question_of_mask("k == q - 2"), four, progress);
  ASSERT_EQ(a.heads.size(), b.heads.size());
  for (std::size_t i = 0; i < a.heads.size(); ++i) {
    EXPECT_EQ(a.heads[i].head, b.heads[i].head);
    EXPECT_EQ(a.heads[i].mass, b.heads[i].mass);
  }
}

TEST(FixedOffset, IsTheOneThatHitsMostRows) {
  const Snapshot run = snapshot_of(kWords, {layer_of({looking_at(1, 0.7F)}, full_mask(kTokens))});
  const RankedHead head = ranked(run, cells_in(run, {{2, 3, 1, 2}, {3, 4, 2, 3}, {0, 1, 3, 4}})).heads.front();
  EXPECT_EQ(head.rows, 3);
  EXPECT_EQ(head.offset, -1) << "in two of three rows";
  EXPECT_NEAR(head.fixed, 2.0 / 3, 1e-12);
  EXPECT_NEAR(head.lift_over_fixed(), head.mass / (2.0 / 3), 1e-12);
  const RankedHead tied = ranked(run, cells_in(run, {{0, 1, 3, 4}, {2, 3, 1, 2}, {1, 2, 2, 3}})).heads.front();
  EXPECT_EQ(tied.offset, -1) << "of equal ones the nearest, before after";
}

TEST(Ranking, PutsTheHeadThatLooksWhereTheQuestionAsksFirst) {
  const Snapshot run = snapshot_of(
      kWords, {layer_of({even(), looking_at(1, 0.7F)}, full_mask(kTokens)), layer_of({looking_at(2, 0.4F)}, full_mask(kTokens))});
  const HeadRanking first = ranked(run, cells_in(run, {{3, 4, 1, 2}}));
  ASSERT_EQ(first.heads.size(), 3U);
  EXPECT_EQ(first.heads[0].head, (HeadId{0, 1}));
  EXPECT_NEAR(first.heads[0].mass, 0.7, 1e-6);
  EXPECT_NEAR(first.heads[0].uniform, 0.25, 1e-6);
  EXPECT_EQ(first.heads[0].rows, 1);
  EXPECT_EQ(ranked(run, cells_in(run, {{3, 4, 2, 3}})).heads[0].head, (HeadId{1, 0}));
}

TEST(Ranking, SumsTheKeysOfARowAndTakesTheMeanOfTheRows) {
  const Snapshot run = snapshot_of(kWords, {layer_of({looking_at(1, 0.7F)}, full_mask(kTokens))});
  const RankedHead found = ranked(run, cells_in(run, {{2, 4, 0, 2}})).heads.front();  // two queries, keys 0 and 1
  EXPECT_NEAR(found.mass, 0.8, 1e-6);
  EXPECT_NEAR(found.uniform, 0.5, 1e-6);
  EXPECT_EQ(found.rows, 2);
  const RankedHead twice = ranked(run, cells_in(run, {{2, 3, 1, 2}, {2, 3, 1, 2}})).heads.front();
  EXPECT_NEAR(twice.mass, 0.7, 1e-6) << "a cell in two frames counts once";
}

TEST(Ranking, OfEqualHeadsTheLowerComesFirst) {
  const Snapshot run = snapshot_of(kWords, {layer_of({even(), even()}, full_mask(kTokens)), layer_of({even()}, full_mask(kTokens))});
  const HeadRanking found = ranked(run, cells_in(run, {{1, 2, 1, 2}}));
  ASSERT_EQ(found.heads.size(), 3U);
  EXPECT_EQ(found.heads[0].head, (HeadId{0, 0}));
  EXPECT_EQ(found.heads[1].head, (HeadId{0, 1}));
  EXPECT_EQ(found.heads[2].head, (HeadId{1, 0}));
}

TEST(Ranking, NothingIsAskedOfHeadsThatAreNotWeights) {
  auto layer = layer_of({even(), even()}, full_mask(kTokens));
  layer->given[1].sums.odd_rows = 1;
  const HeadRanking found = ranked(snapshot_of(kWords, {layer}), question_of(TargetPattern::self));
  EXPECT_EQ(found.heads.size(), 1U);
  EXPECT_THAT(found.undefined, ::testing::ElementsAre(HeadId{0, 1}));
}

TEST(PassHead, GivesTheBitsOfTheWholeMap) {
  const auto run = sandbox_run("the cat sat on the mat and the dog sat on the cat");
  for (int number = 0; number < run->layers(); ++number) {
    const LayerTrace& layer = run->trace.layer(number);
    for (int head = 0; head < layer.heads; ++head) {
      const Matrix whole = run->maps({number, head}).weights;
      Matrix passed = Matrix::Zero(whole.rows(), whole.cols());
      Index next = 0;
      pass_head(layer, head, [&](const HeadRows& rows) {
        EXPECT_EQ(rows.first_query, next);
        passed.block(rows.first_query, 0, rows.weights.rows(), rows.weights.cols()) = rows.weights;
        next += rows.weights.rows();
      });
      EXPECT_EQ(next, whole.rows());
      EXPECT_TRUE((passed.array() == whole.array()).all()) << number << "." << head;
    }
  }
}

}  // namespace
}  // namespace headlight
