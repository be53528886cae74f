// What heads do to the output, as the desk finds it: the same numbers as the engine's, beside the run without edits.
#include "app/work/effects/effects.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "engine/studies/importance/effect_study.h"
#include "tests/testing.h"
#include "tests/work/queries.h"
#include "tests/work/snapshots.h"

namespace headlight {
namespace {

using ::testing::HasSubstr;

Query gpt2_query() {
  Query query;
  query.model.name = std::string(HEADLIGHT_TESTS_DIR) + "/reference/models/gpt2";
  query.text = "the animal did not cross";
  return query;
}

class EffectsOnTheDesk : public ::testing::Test {
 protected:
  /// Asks until the desk is idle.
  template <class Ask>
  auto found(Ask ask) {
    ask();
    testing::wait_until_idle(worker);
    return ask();
  }
  Worker worker{1};
  Effects effects{worker};
  std::shared_ptr<const Snapshot> run = testing::snapshot_of(gpt2_query());
};

TEST_F(EffectsOnTheDesk, ATargetStandsBesideThatOfTheRunWithoutEdits) {
  Query edited = gpt2_query();
  edited.switched_off = {{0, 1}};
  const auto now = testing::snapshot_of(edited);
  const TargetRequest request{parse_target("loss"), now, run};
  const auto target = found([&] { return effects.target(request); });
  ASSERT_TRUE(target && target->before);
  ThreadPool pool(1);
  EXPECT_EQ(target->now.value, target_of(request.target, *now, run.get(), pool).value);
  EXPECT_EQ(target->before->value, target_of(request.target, *run, run.get(), pool).value);
  ASSERT_TRUE(target->change());
  EXPECT_EQ(*target->change(), target->now.value - target->before->value);
  EXPECT_NE(*target->change(), 0);
}

TEST_F(EffectsOnTheDesk, WithoutEditsNothingIsBefore) {
  const TargetRequest request{parse_target("loss"), run, run};
  const auto target = found([&] { return effects.target(request); });
  ASSERT_TRUE(target);
  EXPECT_FALSE(target->before);
  EXPECT_FALSE(target->change());
}

TEST_F(EffectsOnTheDesk, AWordThatTheModelLacksIsAReasonAndNoFailure) {
  const TargetRequest request{parse_target("logit:\"no such word at all\""), run, run};
  const auto target = found([&] { return effects.target(request); });
  ASSERT_TRUE(target);
  EXPECT_TRUE(std::isnan(target->now.value));
  EXPECT_THAT(target->now.reason, HasSubstr("is not one token of this model"));
  EXPECT_FALSE(worker.status().error);
}

TEST_F(EffectsOnTheDesk, ASweepIsTheStudyOfImportanceForOneText) {
  for (const EffectMethod method : {EffectMethod::zero, EffectMethod::gate}) {
    const SweepRequest request{run, parse_target("loss"), method};
    const auto sweep = found([&] { return effects.sweep(request); });
    ASSERT_TRUE(sweep);
    const EffectPlan plan(run->model, run->query, request.target);
    ThreadPool pool(1);
    const std::vector<HeadValues> expected = measure_effects(plan, {method}, nullptr, plan.run().tokens_of(run->query), pool);
    ASSERT_EQ(sweep->heads.size(), expected.size());
    for (std::size_t place = 0; place < expected.size(); ++place) {
      EXPECT_EQ(sweep->heads[place], expected[place].head);
      EXPECT_EQ(sweep->values[place], expected[place].values.front());
    }
  }
}

TEST_F(EffectsOnTheDesk, SourcesOfAHeadAddUpToItsPartAndPartsToTheLogit) {
  const PartsRequest request{run, {2, 7, 11}};
  const auto parts = found([&] { return effects.parts(request); });
  ASSERT_TRUE(parts);
  EXPECT_NEAR(parts->parts.sum, parts->parts.logit, 1e-4);
  const HeadId head{1, 1};
  const auto sources = found([&] { return effects.sources({request, head}); });
  ASSERT_TRUE(sources);
  EXPECT_NEAR(std::accumulate(sources->adds.begin(), sources->adds.end(), 0.0), parts->parts.value({PartKind::head, 1, 1}), 1e-4);
  EXPECT_NEAR(std::accumulate(sources->weights.begin(), sources->weights.end(), 0.0), 1, 1e-5);
}

TEST_F(EffectsOnTheDesk, TheLensOfTheLastLayerIsThePrediction) {
  const LensRequest request{run, 3, {5}};
  const auto lens = found([&] { return effects.lens(request); });
  ASSERT_TRUE(lens && !lens->layers.empty());
  ThreadPool pool(1);
  SilentProgress progress;
  const std::vector<Prediction> expected =
      predict_tokens(*run->model, *run->trace.final_hidden.whole(), run->encoding->tokens, {3, 1, 5}, pool, progress);
  const Prediction& last = lens->layers.back().predictions.front();
  ASSERT_EQ(last.likeliest.size(), 5U);
  for (std::size_t rank = 0; rank < 5; ++rank) {
    EXPECT_EQ(last.likeliest[rank].id, expected.front().likeliest[rank].id);
    EXPECT_NEAR(last.likeliest[rank].probability, expected.front().likeliest[rank].probability, 1e-6);
  }
  ASSERT_EQ(lens->followed.size(), lens->layers.size());
  EXPECT_EQ(lens->followed.back().front().id, 5);
  EXPECT_EQ(lens->labels.size(), lens->layers.size());
}

TEST_F(EffectsOnTheDesk, ATargetNamesItsLogitAndOthersDoNot) {
  EXPECT_FALSE(logit_of(parse_target("loss"), *run));
  const std::optional<LogitQuestion> question = logit_of(parse_target("logit:#7-#11@2"), *run);
  ASSERT_TRUE(question);
  EXPECT_EQ(*question, (LogitQuestion{2, 7, 11}));
  EXPECT_FALSE(logit_of(parse_target("logit:#7@99"), *run)) << "the text has no such position";
}

}  // namespace
}  // namespace headlight
