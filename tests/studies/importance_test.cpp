// Laws of single heads' effects on a target, and of what is made of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/model/files/load_model.h"
#include "engine/studies/importance/effect_study.h"
#include "engine/studies/importance/ranking.h"
#include "engine/studies/study_run.h"
#include "engine/studies/study_tables.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using testing::error_of;

std::string recorded(const std::string& name) {
  return std::string(HEADLIGHT_TESTS_DIR) + "/reference/models/" + name;
}

Query query_of(const std::string& model, const std::string& text) {
  Query query;
  query.model.name = model;
  query.text = text;
  return query;
}

/// A model with its plan and texts.
struct Opened {
  explicit Opened(const std::string& name, std::string_view target = "loss", const std::string& text = "the quick brown fox jumps")
      : query(query_of(recorded(name), text)),
        model(load_model(query.model, silent)),
        plan(model, query, parse_target(target)),
        tokens(plan.run().tokens_of(query)) {}
  TokenStage tokens_of(const std::string& text) const {
    Query other = query;
    other.text = text;
    return plan.run().tokens_of(other);
  }
  SilentProgress silent;
  Query query;
  std::shared_ptr<const Model> model;
  EffectPlan plan;
  TokenStage tokens;
};

/// W_O without the rows of one head.
std::shared_ptr<const Model> without_output_rows(const Model& model, HeadId head) {
  auto cut = std::make_shared<Model>(model);
  Linear& o = cut->parameters.layers[static_cast<std::size_t>(head.layer)].o;
  Matrix numbers = o.weight.to_matrix();
  const Index width = numbers.rows() / model.config.heads_of(head.layer);
  numbers.middleRows(head.head * width, width).setZero();
  o.weight = Weights(numbers);
  return cut;
}

// Seeds S2-13
TEST(Importance, ZeroAblationIsTheModelWithTheHeadsRowsOfTheOutputMatrixZeroed) {
  const Opened opened("gpt2");
  ThreadPool pool(2);
  TextEffects effects(opened.plan, opened.tokens, pool);
  for (int layer = 0; layer < opened.model->config.layers; ++layer) {
    const HeadId head{layer, 1};
    const EffectPlan cut(without_output_rows(*opened.model, head), opened.query, opened.plan.target());
    EXPECT_NEAR(effects.gated(head, 0), TextEffects(cut, opened.tokens, pool).unchanged(), 1e-6);
    EXPECT_NE(effects.gated(head, 0), effects.unchanged());
  }
}

TEST(Importance, ZeroAblationHasTheBitsOfTheRunWithTheHeadSwitchedOff) {
  for (const char* name : {"gpt2", "qwen2-yarn", "t5"}) {
    const Opened opened(name);
    ThreadPool pool(2);
    TextEffects effects(opened.plan, opened.tokens, pool);
    ASSERT_EQ(effects.problem(), "");
    for (int layer = 0; layer < opened.model->config.layers; ++layer) {
      Query off = opened.query;
      off.switched_off = {{layer, 0}};
      const EffectPlan plan(opened.model, off, opened.plan.target());
      const double told = TextEffects(plan, opened.tokens, pool).unchanged();
      EXPECT_EQ(effects.gated({layer, 0}, 0), told) << name << " layer " << layer;
      const HeadId head{layer, 0};
      EXPECT_EQ(effects.without(std::span(&head, 1)), told) << name << " layer " << layer;
    }
  }
}

TEST(Importance, AHeadThatGivesWhatItGivesChangesNothingBitForBit) {
  const Opened opened("gpt2");
  ThreadPool pool(1);
  TextEffects effects(opened.plan, opened.tokens, pool);
  EXPECT_EQ(effects.gated({0, 1}, 1), effects.unchanged());
  EXPECT_EQ(effects.with({1, 0}, effects.output({1, 0})), effects.unchanged());
  EXPECT_EQ(effects.without({}), effects.unchanged());
}

TEST(Importance, TheMeanOverOneTextChangesNothingOnIt) {
  const Opened opened("gpt2");
  ThreadPool pool(1);
  OtherTexts others;
  for (int time = 0; time < 3; ++time) others.mean.add(outputs_of(opened.plan, opened.tokens, pool));
  others.donors.push_back({opened.tokens.numbers.ids, outputs_of(opened.plan, opened.tokens, pool)});
  const auto found = measure_effects(opened.plan, {EffectMethod::mean, EffectMethod::resample}, &others, opened.tokens, pool);
  for (const HeadValues& head : found) {
    EXPECT_EQ(head.values[0], 0) << "a head that gives the same on every text of the set";
    EXPECT_TRUE(std::isnan(head.values[1])) << "there is no other text";
  }
}

TEST(Importance, TheMeanIsThatOfTheTextsThatReachThePosition) {
  MeanOutputs mean;
  mean.add({SharedRows(Matrix{{1, 2, 3, 4}, {5, 6, 7, 8}})});
  mean.add({SharedRows(Matrix{{3, 2, 1, 0}})});
  EXPECT_EQ(mean.of({0, 0}, 2), (Matrix{{2, 2}, {5, 6}}));
  EXPECT_EQ(mean.of({0, 1}, 2), (Matrix{{2, 2}, {7, 8}}));
  EXPECT_EQ(rows_of_other(Matrix{{9, 9}, {9, 9}, {9, 9}}, mean.of({0, 0}, 2)), (Matrix{{2, 2}, {5, 6}, {9, 9}}));
}

TEST(Importance, IsTheSameForAnyNumberOfThreads) {
  const Opened opened("gpt2", "kl");
  const auto found = [&](int threads) {
    ThreadPool pool(threads);
    OtherTexts others;
    others.mean.add(outputs_of(opened.plan, opened.tokens_of("a cat sat"), pool));
    std::vector<double> all;
    for (const HeadValues& head :
         measure_effects(opened.plan, {EffectMethod::zero, EffectMethod::mean, EffectMethod::gate}, &others, opened.tokens, pool))
      all.insert(all.end(), head.values.begin(), head.values.end());
    return all;
  };
  EXPECT_EQ(found(1), found(3));
}

TEST(Importance, OfATextWithoutTheTargetSaysWhy) {
  const Opened opened("bert-mlm");
  ThreadPool pool(1);
  const Error error = error_of([&] { measure_effects(opened.plan, {EffectMethod::zero}, nullptr, opened.tokens, pool); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  EXPECT_THAT(error.message(), ::testing::HasSubstr("under its masks"));
}

TEST(Importance, AMaskThatStaysOnItsMapIsRefused) {
  Query query = query_of(recorded("gpt2"), "a cat");
  query.mask.rules = {{{}, "window:2", {}}};
  query.mask_reach = MaskReach::this_head;
  SilentProgress silent;
  const auto model = load_model(query.model, silent);
  EXPECT_EQ(error_of([&] { EffectPlan(model, query, {}); }).kind(), ErrorKind::usage);
}

/// What a study over a few texts writes; part k of n where n is not 1.
CorpusStudy study_of(const Opened& opened, const std::filesystem::path& texts, StudyPart part, int threads) {
  ThreadPool pool(threads);
  SilentProgress silent;
  StudySettings settings;
  std::vector<EffectMethod> methods;
  for (const EffectRow& row : effect_rows()) {
    methods.push_back(row.method);
    settings.requests.push_back(study_request(row.measure.id, "test"));
  }
  CorpusReader all(texts, {});
  const OtherTexts others = read_other_texts(opened.plan, opened.query, all, 4096, 1, pool, silent);
  CorpusStudy study(heads_of(opened.plan.run()), settings);
  study.part = part;
  CorpusReader corpus(texts, {});
  run_study({.run = opened.plan.run(),
             .settings = settings,
             .query = opened.query,
             .pool = pool,
             .measure = [&](const CorpusText&, const TokenStage& tokens, ThreadPool& alone,
                            const Watch& watch) { return measure_effects(opened.plan, methods, &others, tokens, alone, watch); }},
            corpus, study, silent);
  return study;
}

TEST(Importance, ShardsOfAStudyGiveWhatOneRunGives) {
  const testing::TemporaryFolder folder;
  const auto texts = folder.file("t.txt", "the quick brown fox\na cat sat on the mat\nx\n\nthe dog ran\nthe quick brown fox\n");
  const Opened opened("gpt2");
  const CorpusStudy whole = study_of(opened, texts, {}, 3);
  CorpusStudy joined = study_of(opened, texts, {1, 2, 0, false}, 1);
  joined.add(study_of(opened, texts, {2, 2, 0, false}, 2));
  EXPECT_GE(whole.texts(), 4);
  EXPECT_EQ(whole.texts(), joined.texts());
  for (std::size_t head = 0; head < whole.heads().size(); ++head) {
    for (std::size_t column = 0; column < effect_rows().size(); ++column) {
      EXPECT_EQ(whole.sum_of_all_lengths(head, column), joined.sum_of_all_lengths(head, column)) << head << " " << column;
      EXPECT_GT(whole.sum_of_all_lengths(head, column).count, 0);
    }
  }
}

// Seeds S2-13
TEST(RankCorrelation, IsOneOfEqualOrderAndMinusOneOfTheReverse) {
  EXPECT_DOUBLE_EQ(rank_correlation({1, 5, 9}, {-3, 0, 1e9}), 1);
  EXPECT_DOUBLE_EQ(rank_correlation({1, 5, 9}, {3, 2, 1}), -1);
  EXPECT_DOUBLE_EQ(rank_correlation({1, 2, 3, 4}, {1, 1, 2, 2}), 2 / std::sqrt(5.0)) << "equal values share their rank";
  EXPECT_TRUE(std::isnan(rank_correlation({1, 1}, {1, 2})));
  EXPECT_TRUE(std::isnan(rank_correlation({1, NAN}, {1, 2})));
  EXPECT_TRUE(std::isnan(rank_correlation({1}, {1})));
}

// Seeds S2-13
TEST(Pruning, RemovesTheLeastImportantAndKeepsWhatItMust) {
  const std::vector<HeadId> heads = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  EXPECT_THAT(removal_order(heads, {4, 1, 2, 3}, 0), ElementsAre(HeadId{0, 1}, HeadId{1, 0}, HeadId{1, 1}, HeadId{0, 0}));
  EXPECT_THAT(removal_order(heads, {4, 1, 2, 3}, 1), ElementsAre(HeadId{0, 1}, HeadId{1, 0}));
  EXPECT_THAT(removal_order(heads, {1, 1, 1, 1}, 0), ElementsAre(HeadId{0, 0}, HeadId{0, 1}, HeadId{1, 0}, HeadId{1, 1}));
}

// Two heads that stand in for each other: neither matters alone, and once one is gone the other does.
TEST(Pruning, ExactlyFindsAHeadThatMattersOnceItsStandInIsGone) {
  const std::vector<HeadId> heads = {{0, 0}, {0, 1}, {0, 2}};
  const auto is_gone = [](const std::vector<HeadId>& removed, int head) {
    return std::find(removed.begin(), removed.end(), HeadId{0, head}) != removed.end();
  };
  const auto value = [&](const std::vector<HeadId>& removed) {
    return (is_gone(removed, 0) && is_gone(removed, 1) ? 10.0 : 0.0) + (is_gone(removed, 2) ? 1.0 : 0.0);
  };
  const auto importance = [&](const std::vector<HeadId>& removed, HeadId head) {
    std::vector<HeadId> more = removed;
    more.push_back(head);
    return value(more) - value(removed);
  };
  const auto one_shot = pruning_curve(removal_order(heads, {0, 0, 1}, 1), value);
  const auto exact = exact_pruning_curve(heads, 1, importance, value);
  ASSERT_EQ(one_shot.size(), 2U);
  ASSERT_EQ(exact.size(), 2U);
  EXPECT_EQ(one_shot.back().value, 10);
  EXPECT_EQ(exact.back().removed, (HeadId{0, 2}));
  EXPECT_EQ(exact.back().value, 1);
}

}  // namespace
}  // namespace headlight
