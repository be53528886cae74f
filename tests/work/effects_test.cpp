// What heads do to the output, as the desk finds it: the same numbers as the engine's, beside the run without edits.
#include "app/work/effects/effects.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "engine/studies/importance/effect_study.h"
#include "engine/studies/importance/patch_report.h"
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
  const testing::TemporaryFolder folder;
  const auto texts = folder.file("texts.txt", "a cat sat on the mat\nthe dog ran\nthe king saw the man\n");
  const SweepRequest request{.run = run,
                             .target = parse_target("loss"),
                             .kinds = {SweepKind::off, SweepKind::gate, SweepKind::previous, SweepKind::mean, SweepKind::resample},
                             .texts = {texts, "", false}};
  const auto sweep = found([&] { return effects.sweep(request); });
  ASSERT_TRUE(sweep);
  EXPECT_EQ(sweep->problem, "");
  const EffectPlan plan(run->model, run->query, request.target);
  ThreadPool pool(1);
  SilentProgress progress;
  CorpusReader corpus(texts, corpus_format(texts, "", false));
  const OtherTexts others = read_other_texts(plan, run->query, corpus, 4096, 1, pool, progress);
  std::vector<EffectMethod> methods;
  for (const SweepKind kind : request.kinds) methods.push_back(*row_of(kind).method);
  const std::vector<HeadValues> expected = measure_effects(plan, methods, &others, plan.run().tokens_of(run->query), pool);
  ASSERT_EQ(sweep->heads.size(), expected.size());
  for (std::size_t at = 0; at < request.kinds.size(); ++at) {
    const SweepValues* const values = sweep->find(request.kinds[at]);
    ASSERT_TRUE(values);
    for (std::size_t place = 0; place < expected.size(); ++place) {
      EXPECT_EQ(sweep->heads[place], expected[place].head);
      EXPECT_EQ(values->values[place], expected[place].values[at]);
    }
  }
  const StoredStudy stored = study_of(*sweep, "digest");
  EXPECT_EQ(stored.manifest.measures, (std::vector<std::string>{"zero", "gate", "previous", "mean", "resample"}));
  EXPECT_NEAR(stored.study.sum_of_all_lengths(3, 1).mean(), sweep->find(SweepKind::gate)->values[3], 1e-9);
  const HeadColumns columns = columns_of(*sweep);
  ASSERT_EQ(columns.size(), 5U);
  EXPECT_EQ(columns.front()->id, "effect:zero");
  EXPECT_EQ(columns.front()->values.of(sweep->heads[2]), sweep->find(SweepKind::off)->values[2]);
}

TEST_F(EffectsOnTheDesk, WhatIsKnownOfTheSameRunAndTargetStays) {
  SweepRequest request{.run = run, .target = parse_target("loss"), .kinds = {SweepKind::off}};
  const std::vector<double> off = found([&] { return effects.sweep(request); })->find(SweepKind::off)->values;
  request.kinds = {SweepKind::gate};
  const auto both = found([&] { return effects.sweep(request); });
  ASSERT_TRUE(both->find(SweepKind::off));
  EXPECT_EQ(both->find(SweepKind::off)->values, off);
  EXPECT_EQ(both->request.before, nullptr);
  request.target = parse_target("logit:#7@2");
  EXPECT_FALSE(found([&] { return effects.sweep(request); })->find(SweepKind::off)) << "it was of another target";
}

TEST_F(EffectsOnTheDesk, PatchesAreThoseOfThePatchSweep) {
  Query other = run->query;
  other.text = "the cross did not animal";
  const EffectPlan plan(run->model, run->query, parse_target("loss"));
  ThreadPool pool(1);
  SilentProgress progress;
  for (const SweepKind kind : {SweepKind::z, SweepKind::pattern, SweepKind::stream, SweepKind::layer_z}) {
    const TokenStage own_tokens = plan.run().tokens_of(run->query), other_tokens = plan.run().tokens_of(other);
    ASSERT_EQ(own_tokens.encoding->tokens.size(), other_tokens.encoding->tokens.size());
    const PatchSweep expected = sweep_patches(plan, own_tokens, other_tokens, *row_of(kind).part, pool, progress);
    const SweepRequest request{.run = run, .target = parse_target("loss"), .kinds = {kind}, .text = other.text};
    const auto sweep = found([&] { return effects.sweep(request); });
    ASSERT_TRUE(sweep && sweep->find(kind));
    ASSERT_TRUE(patches_of(*sweep, kind));
    EXPECT_EQ(patch_csv(*patches_of(*sweep, kind)), patch_csv(expected)) << "a file has the bytes of the command line's";
    EXPECT_EQ(*patches_of(*sweep, kind), expected) << "as figures show them";
    for (std::size_t place = 0; place < expected.values.size(); ++place) {
      const double value = expected.values[place].value;
      if (row_of(kind).is_by_position()) {
        EXPECT_EQ(sweep->places.values[place].value, value);
        EXPECT_EQ(sweep->places.values[place].position, expected.values[place].position);
      } else {
        EXPECT_EQ(sweep->find(kind)->values[place], value - expected.unpatched);
        EXPECT_EQ(sweep->find(kind)->other, expected.other);
      }
    }
  }
}

TEST_F(EffectsOnTheDesk, ATextOrAFileThatDoesNotFitIsSaidAndLeavesTheRest) {
  SweepRequest request{.run = run, .target = parse_target("loss"), .kinds = {SweepKind::off}};
  found([&] { return effects.sweep(request); });
  request.kinds = {SweepKind::z};
  request.text = "the";
  auto sweep = found([&] { return effects.sweep(request); });
  EXPECT_THAT(sweep->problem, HasSubstr("equally many tokens"));
  EXPECT_TRUE(sweep->find(SweepKind::off));
  const testing::TemporaryFolder folder;
  request.kinds = {SweepKind::mean};
  request.texts.file = folder.file("same.txt", run->query.text + "\n");
  EXPECT_THAT(found([&] { return effects.sweep(request); })->problem, HasSubstr("no text but this one"));
  request.texts.file = folder / "missing.txt";
  EXPECT_THAT(found([&] { return effects.sweep(request); })->problem, HasSubstr("missing.txt"));
}

TEST_F(EffectsOnTheDesk, PruningGivesBothCurvesAndKeepsOneHeadOfEachLayer) {
  const PruningRequest request{run, parse_target("loss"), EffectMethod::zero};
  const auto pruned = found([&] { return effects.pruning(request); });
  ASSERT_TRUE(pruned && pruned->is_complete);
  ThreadPool pool(1);
  SilentProgress progress;
  const EffectPlan plan(run->model, run->query, request.target);
  const std::vector<TokenStage> texts{plan.run().tokens_of(run->query)};
  for (const bool is_exact : {false, true}) {
    const PrunedHeads expected = prune_heads(run->model, run->query, request.target,
                                             {.by = request.by, .is_exact = is_exact, .kept_per_layer = 1}, texts, pool, progress);
    const std::vector<PruningStep>& curve = is_exact ? pruned->curves.anew : pruned->curves.once;
    ASSERT_EQ(curve.size(), expected.curve.size());
    EXPECT_EQ(curve.size(), run->all_heads().size() - static_cast<std::size_t>(run->layers()));
    for (std::size_t step = 0; step < curve.size(); ++step) {
      EXPECT_EQ(curve[step].removed, expected.curve[step].removed);
      EXPECT_EQ(curve[step].value, expected.curve[step].value);
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

TEST_F(EffectsOnTheDesk, TheSharesOfACellAddUpToItsScoreOnEitherSideTheLargestFirst) {
  const CellRequest request{run, {1, 2}, 4, 1};
  const auto cell = found([&] { return effects.cell(request); });
  ASSERT_TRUE(cell);
  EXPECT_EQ(cell->request, request);
  const auto score = static_cast<double>(run->maps(request.head).scores(4, 1));
  EXPECT_NEAR(std::accumulate(cell->of_query.begin(), cell->of_query.end(), 0.0), score, 1e-4);
  EXPECT_NEAR(std::accumulate(cell->of_key.begin(), cell->of_key.end(), 0.0), score, 1e-4);
  ASSERT_EQ(cell->query_by_size.size(), cell->parts.query_parts.size());
  for (std::size_t place = 1; place < cell->query_by_size.size(); ++place)
    EXPECT_GE(std::abs(cell->of_query[cell->query_by_size[place - 1]]), std::abs(cell->of_query[cell->query_by_size[place]]));
  ASSERT_EQ(cell->pairs_by_size.size(), kListedPairs);
  const auto [query, key] = cell->pairs_by_size.front();
  EXPECT_EQ(std::abs(cell->parts.table(static_cast<Index>(query), static_cast<Index>(key))), cell->parts.table.cwiseAbs().maxCoeff());
  effects.rest_cell();
  EXPECT_FALSE(found([&] { return effects.cell({run, {9, 9}, 0, 0}); })) << "no such head";
  EXPECT_TRUE(effects.cell_status().error);
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
