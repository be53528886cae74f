#include "engine/pipeline/pipeline.h"

#include <gmock/gmock.h>

#include "engine/pipeline/stages/run_estimate.h"
#include "tests/extra_measure.h"
#include "tests/model/gpt2_folder.h"
#include "tests/pipeline/random_edits.h"
#include "tests/pipeline/same_bits.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using testing::error_of;
using testing::Gpt2Folder;
using testing::has_same_bits;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kTinyConfig;
using ::testing::Not;
using testing::query_of;
using testing::run;
using testing::tiny_gpt2_tensors;

TEST(Pipeline, GivesACompleteSnapshot) {
  Pipeline pipeline(2);
  const auto snapshot = run(pipeline, query_of("The cat sat on the mat"));
  EXPECT_EQ(snapshot->tokens(), 6);
  EXPECT_EQ(snapshot->layers(), 4);
  EXPECT_EQ(snapshot->heads(), 4);
  EXPECT_EQ(snapshot->label(snapshot->encoding->tokens[1]).text, "cat");
  EXPECT_TRUE(snapshot->contains({3, 3}));
  EXPECT_FALSE(snapshot->contains({4, 0}));
  EXPECT_FALSE(snapshot->contains({0, -1}));
  EXPECT_TRUE(has_same_bits(snapshot->maps({2, 1}).weights, snapshot->summary({2, 1}).pooled));
  EXPECT_EQ(snapshot->cost.layers_computed, 4);
  EXPECT_GT(snapshot->cost.bytes, 4U * 6 * 6 * 24 * sizeof(float));
  EXPECT_THAT(snapshot->notices, IsEmpty());
}

// Seeds S0-11: several alignments of one sentence at once, one per head.
TEST(Pipeline, HeadsOfOneSentenceDiffer) {
  Pipeline pipeline(1);
  const auto snapshot = run(pipeline, query_of("The cat sat on the mat"));
  for (int head = 1; head < 4; ++head) {
    EXPECT_GT((snapshot->maps({0, 0}).weights - snapshot->maps({0, head}).weights).cwiseAbs().maxCoeff(), 0.05F);
  }
}

/// Maps of the sandbox are worth looking at: neither flat nor one-hot, in every layer.
TEST(Pipeline, SandboxMapsAreUnevenInEveryLayer) {
  Pipeline pipeline;
  for (const int layers : {4, 12}) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      Query query;
      query.model.sandbox = {.layers = layers, .seed = seed};
      query.text =
          "The cat sat on the mat because it was tired, and the dog which had chased it lay down beside the fire in the old house.";
      const auto snapshot = run(pipeline, query);
      for (const auto& layer : snapshot->summaries) {
        double mean = 0;
        for (const HeadSummary& summary : *layer) mean += summary.value("normalised-entropy") / snapshot->heads();
        EXPECT_GT(mean, 0.5) << "seed " << seed;
        EXPECT_LT(mean, 0.8) << "seed " << seed;
      }
    }
  }
}

TEST(Pipeline, EveryHeadHasOneMoreMeasureWhereTheTableHasOneMore) {
  const std::vector<Measure> longer = testing::measures_and(testing::kLastKey);
  Pipeline pipeline(2);
  pipeline.measure_by(longer);
  const Query query = query_of("The cat sat on the mat");
  for (int time = 0; time < 2; ++time) {  // computed, then kept
    const auto snapshot = run(pipeline, query);
    for (int head = 0; head < snapshot->heads(); ++head) {
      const Matrix weights = snapshot->maps({1, head}).weights;
      EXPECT_NEAR(snapshot->summary({1, head}).value("last_key"), weights.col(weights.cols() - 1).sum() / 5, 1e-6);
    }
  }
}

TEST(Pipeline, AQueryOverTheLimitIsRefusedSayingBothSizes) {
  Pipeline pipeline(1, {.bytes = 1'000'000});
  EXPECT_EQ(run(pipeline, query_of("The cat sat"))->tokens(), 3);
  std::string text;
  for (int word = 0; word < 5000; ++word) text += "word ";
  const Error error = error_of([&] { run(pipeline, query_of(text)); });
  EXPECT_EQ(error.kind(), ErrorKind::limit);
  EXPECT_THAT(error.message(), AllOf(HasSubstr("5000 tokens"), HasSubstr("GiB"), HasSubstr("at most 1.0 MiB")));
  EXPECT_EQ(run(pipeline, query_of("The cat sat"))->tokens(), 3);
}

TEST(EstimateBytes, CoversWhatARunKeepsAndGrowsWithoutOverflow) {
  Pipeline pipeline(1);
  const auto snapshot = run(pipeline, query_of("The cat sat on the mat"));
  EXPECT_GE(estimate_bytes(snapshot->model->config, 4, 6), snapshot->cost.bytes);
  ModelConfig huge = snapshot->model->config;
  huge.layers = 10'000;
  huge.d_model = 1 << 20;
  EXPECT_GT(estimate_bytes(huge, 1 << 20, Index{1} << 40), std::size_t{1} << 62U);
}

TEST(EstimateBytes, CountsTheStreamBetweenTwoLayersOnce) {
  ModelConfig config;
  config.d_model = 64;
  config.layers = 2;
  const std::size_t lower = estimate_bytes(config, 4, 6);
  config.layers = 3;
  const std::size_t q_k_v_z_and_stream = 5 * 6 * 64, pooled = 4 * 6 * 6, of_rows = 4 * 6 * (3 + 2 * head_measures().size());
  EXPECT_EQ(estimate_bytes(config, 4, 6) - lower, sizeof(float) * (q_k_v_z_and_stream + pooled) + sizeof(double) * of_rows);
}

TEST(Pipeline, ALayerReadsTheMatrixThatTheLayerBelowHasWritten) {
  Pipeline pipeline(1);
  const Trace trace = run(pipeline, query_of("The cat sat on the mat"))->trace;
  Index numbers = trace.embedded.size() + trace.final_hidden.size();
  const SharedRows* below = &trace.embedded;
  for (const auto& layer : trace.layers) {
    EXPECT_EQ(layer->resid_pre.whole(), below->whole()) << "one object, not two that are equal";
    below = &layer->resid_post;
    numbers += layer->q.size() + layer->k.size() + layer->v.size() + layer->z.size() + layer->resid_post.size();
  }
  EXPECT_EQ(bytes_of(trace), static_cast<std::size_t>(numbers) * sizeof(float) + 6 + 6 - 1) << "with the mask";
}

// Reliability N3: an explicit empty state.
TEST(Pipeline, EmptyTextGivesAnEmptySnapshot) {
  Pipeline pipeline(2);
  for (const std::string text : {"", "   "}) {
    const auto snapshot = run(pipeline, query_of(text));
    EXPECT_EQ(snapshot->tokens(), 0);
    EXPECT_EQ(snapshot->layers(), 4);
    EXPECT_EQ(snapshot->heads(), 4);
    EXPECT_EQ(snapshot->maps({0, 0}).weights.size(), 0);
    EXPECT_EQ(snapshot->summary({3, 3}).informative_rows, 0);
    EXPECT_THAT(snapshot->notices, Contains("The text has no tokens."));
  }
}

TEST(Pipeline, OneTokenAttendsToItself) {
  Pipeline pipeline(1);
  EXPECT_EQ(run(pipeline, query_of("cat"))->maps({0, 0}).weights, Matrix::Ones(1, 1));
}

TEST(Pipeline, TheSecondSentenceCountsForPairMasks) {
  Pipeline pipeline(1);
  Query query = query_of("The cat");
  query.text_pair = "a dog";
  query.model.sandbox.kind = SandboxKind::bidirectional;
  query.mask.rules.push_back({{}, "pair", {}});
  const Matrix weights = run(pipeline, query)->maps({1, 1}).weights;
  ASSERT_EQ(weights.rows(), 4);
  EXPECT_EQ(weights.topRightCorner(2, 2), Matrix::Zero(2, 2));
  EXPECT_EQ(weights.bottomLeftCorner(2, 2), Matrix::Zero(2, 2));
  EXPECT_GT(weights(0, 1), 0.0F);
}

TEST(Pipeline, IdsStandForTheText) {
  Pipeline pipeline(1);
  const Gpt2Folder folder(kTinyConfig, tiny_gpt2_tensors());
  Query by_text, by_ids;
  by_text.model.name = by_ids.model.name = folder.path();
  by_text.text = "c a b";
  by_ids.ids = {2, 0, 1};
  const auto expected = run(pipeline, by_text);
  const auto given = run(pipeline, by_ids);
  EXPECT_EQ(given->encoding->tokens[0].text, "c");
  EXPECT_EQ(given->cost.layers_reused, 2);
  EXPECT_TRUE(has_same_bits(given->trace.final_hidden, expected->trace.final_hidden));
  by_ids.ids = {3};
  EXPECT_THAT(error_of([&] { run(pipeline, by_ids); }).message(), HasSubstr("found id 3, expected an id from 0 to 2"));
}

// Reliability T2: cut at the model's limit, and said.
TEST(Pipeline, ATextLongerThanTheModelsPositionsIsCutWithANotice) {
  Pipeline pipeline(1);
  const Gpt2Folder folder(kTinyConfig, tiny_gpt2_tensors());
  Query query;
  query.model.name = folder.path();
  for (int word = 0; word < 20; ++word) query.text += "a b ";
  const auto snapshot = run(pipeline, query);
  EXPECT_EQ(snapshot->tokens(), 16);
  EXPECT_THAT(snapshot->notices, Contains(HasSubstr("Showing the first 16 of 40 tokens")));
}

TEST(Pipeline, HeadsOfALoadedModelAreReSplitWhereLegal) {
  Pipeline pipeline(1);
  const Gpt2Folder folder(kTinyConfig, tiny_gpt2_tensors());
  Query query;
  query.model.name = folder.path();
  query.text = "a b c";
  query.heads = 8;
  EXPECT_EQ(run(pipeline, query)->heads(), 8);
  query.heads = 3;
  EXPECT_THAT(error_of([&] { run(pipeline, query); }).message(), HasSubstr("3 heads do not divide d_model 8"));
}

TEST(Pipeline, WeightsThatMakeEveryHeadUniformAreNoticed) {
  Pipeline pipeline(1);
  auto tensors = tiny_gpt2_tensors();
  const Gpt2Folder trained(kTinyConfig, tensors);
  for (const std::string layer : {"0", "1"}) {
    for (float& value : tensors["transformer.h." + layer + ".attn.c_attn.weight"].values) value = 0;
  }
  const Gpt2Folder zeroed(kTinyConfig, tensors);
  Query query;
  query.text = "a b c a";
  query.model.name = trained.path();
  EXPECT_THAT(run(pipeline, query)->notices, Not(Contains(HasSubstr("attends to all tokens equally"))));
  query.model.name = zeroed.path();
  EXPECT_THAT(run(pipeline, query)->notices, Contains(HasSubstr("attends to all tokens equally")));
}

TEST(Pipeline, EditsOfHeadsThatAreNotThereDoNothingAndSaySo) {
  Pipeline pipeline(1);
  Query query = query_of("The cat sat");
  const auto plain = run(pipeline, query);
  query.switched_off = {{0, 9}};
  query.mask.rules.push_back({{Scope::Kind::layer, {7, 0}}, "none", {}});
  const auto edited = run(pipeline, query);
  EXPECT_TRUE(has_same_bits(edited->trace.final_hidden, plain->trace.final_hidden));
  EXPECT_THAT(edited->notices,
              AllOf(Contains(HasSubstr("Switching off head 0.9 does nothing")), Contains(HasSubstr("The mask of layer 7"))));
}

TEST(Pipeline, CellsOutsideEveryMapAreNamed) {
  Pipeline pipeline(1);
  Query query = query_of("The cat sat");
  query.mask.rules.push_back({{}, "", parse_cells("2:2,1:*", false)});
  EXPECT_THAT(run(pipeline, query)->notices, IsEmpty());
  query.mask.rules.back().strokes = parse_cells("7:7", false);
  EXPECT_THAT(run(pipeline, query)->notices, Contains("The mask's 7:7 does nothing: the map has 3 queries and 3 keys, counted from 0."));
  query.mask.rules.back().strokes = parse_cells("*:3-5,1:1,9:0", false);
  EXPECT_THAT(run(pipeline, query)->notices, Contains(HasSubstr("The mask's *:3-5 and 1 more painted cells or blocks do nothing")));
}

// "This head only": the map shows the edit, and everything that follows is what it would be without.
TEST(Pipeline, AMaskOfThisHeadOnlyStaysOnItsMap) {
  Pipeline pipeline(1);
  Query query = query_of("The cat sat on the mat");
  const auto plain = run(pipeline, query);
  query.mask.rules.push_back({{Scope::Kind::head, {1, 2}}, "window:1", {}});
  const auto whole = run(pipeline, query);
  query.mask_reach = MaskReach::this_head;
  const auto alone = run(pipeline, query);
  EXPECT_TRUE(has_same_bits(alone->maps({1, 2}).weights, Matrix::Identity(6, 6)));
  EXPECT_TRUE(has_same_bits(alone->maps({1, 2}).weights, whole->maps({1, 2}).weights));
  for (std::size_t layer = 0; layer < 4; ++layer) {
    EXPECT_TRUE(has_same_bits(alone->trace.layers[layer]->resid_post, plain->trace.layers[layer]->resid_post)) << "layer " << layer;
  }
  EXPECT_TRUE(has_same_bits(alone->trace.final_hidden, plain->trace.final_hidden));
  EXPECT_TRUE(has_same_bits(alone->maps({2, 0}).weights, plain->maps({2, 0}).weights));
  EXPECT_FALSE(has_same_bits(whole->trace.final_hidden, plain->trace.final_hidden));
}

TEST(Pipeline, AHeadThatIsSwitchedOffIsCutFromTheResult) {
  Pipeline pipeline(1);
  Query query = query_of("The cat sat");
  const auto plain = run(pipeline, query);
  query.switched_off = {{1, 2}};
  const auto cut = run(pipeline, query);
  EXPECT_EQ(cut->cost.layers_reused, 1);
  EXPECT_EQ(cut->trace.layers[1]->z.whole()->middleCols(12, 6), Matrix::Zero(3, 6));
  EXPECT_TRUE(has_same_bits(cut->maps({1, 2}).weights, plain->maps({1, 2}).weights));
  EXPECT_FALSE(has_same_bits(cut->trace.final_hidden, plain->trace.final_hidden));
}

// Seeds D1: a row without keys is zeros and flagged; nothing downstream is NaN.
TEST(Pipeline, AFullyMaskedRowIsFlaggedAndFiniteDownstream) {
  Pipeline pipeline(2);
  Query query = query_of("The cat sat on");
  query.mask.rules.push_back({{}, "", parse_cells("2:*", false)});
  const auto snapshot = run(pipeline, query);
  for (int layer = 0; layer < 4; ++layer) {
    const HeadMaps maps = snapshot->maps({layer, 0});
    EXPECT_EQ(maps.weights.row(2), Matrix::Zero(1, 4));
    EXPECT_EQ(maps.is_row_masked, (std::vector<bool>{false, false, true, false}));
    EXPECT_EQ(snapshot->summary({layer, 0}).masked_rows, 1);
  }
  EXPECT_TRUE(snapshot->trace.final_hidden.whole()->allFinite());
}

/// By hand: a layer has 4 · 8² + 2 · 8 · 32 = 768 weights, which every token meets once; of 10 × 10 cells a causal mask leaves half, each of
/// two heads, with 2 · 4 multiply-adds and 24 more.
TEST(RunEstimate, CountsWeightsAndTheCellsThatTheMaskAllows) {
  Query query = query_of("a b c d e f g h i j");
  query.model.sandbox.layers = 2, query.model.sandbox.heads = 2, query.model.sandbox.d_model = 8, query.model.sandbox.d_ff = 32;
  Pipeline pipeline(1);
  const auto work_of = [&](std::size_t first) {
    const auto model = run(pipeline, query)->model;
    return work_of_layers(*model, requests_of_layers(query, *model), {10, 0}, first, 2);
  };
  const double of_tokens = 10 * 768, of_cells = 50 * 2 * (2 * 4 + 24);
  EXPECT_EQ(work_of(0), 2 * (of_tokens + of_cells));
  EXPECT_EQ(work_of(1), of_tokens + of_cells);
  query.mask.rules = {{{}, "none", {}}};
  EXPECT_EQ(work_of(0), 2 * (of_tokens + 2 * of_cells));
}

TEST(RunEstimate, IsToldBeforeALongRunWhichEndsWhereItIsNotWanted) {
  struct NotWanted {};
  Query query = query_of("");
  query.model.sandbox.layers = 4, query.model.sandbox.heads = 12, query.model.sandbox.d_model = 768;
  Pipeline pipeline(2);
  std::vector<RunEstimate> told;
  pipeline.tell_cost([&](const RunEstimate& estimate) {
    told.push_back(estimate);
    throw NotWanted();
  });
  query.text = "a short text";
  run(pipeline, query);
  EXPECT_TRUE(told.empty());
  for (int word = 0; word < 4000; ++word) query.text += " w";
  EXPECT_THROW(run(pipeline, query), NotWanted);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].tokens, 4003);
  EXPECT_EQ(told[0].layers, 4);
  EXPECT_EQ(told[0].heads, 12);
  EXPECT_GT(told[0].seconds, 0.02) << "1.6e11 multiply-adds, of which no two cores of today do 8e12 in a second";
  query.text = "a short text";
  EXPECT_EQ(told[0].bytes, estimate_bytes(run(pipeline, query)->model->config, 12, 4003));
}

}  // namespace
}  // namespace headlight
