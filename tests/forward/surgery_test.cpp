#include "engine/forward/surgery.h"

#include <gtest/gtest.h>

#include "engine/forward/forward.h"
#include "tests/attention/collect_maps.h"
#include "tests/kernels/random_matrix.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;

ModelConfig grouped_config() {
  return make_sandbox({.layers = 1, .d_model = 64, .heads = 8, .kv_heads = 2})->config;
}

TEST(Surgery, LegalHeadCountsCutBothProjectionsIntoWholeHeads) {
  EXPECT_EQ(legal_head_counts(make_sandbox({.d_model = 12, .heads = 3})->config), (std::vector<int>{1, 2, 3, 4, 6, 12}));
  // k is 16 wide: heads of 64, 32 and 16 … must cut it too, and 1 and 2 heads would be wider than it.
  EXPECT_EQ(legal_head_counts(grouped_config()), (std::vector<int>{4, 8, 16, 32, 64}));
}

// Seeds S0-1, D4: the message names the numbers that do not go together.
TEST(Surgery, AnImpossibleHeadCountIsRefusedForItsTrueReason) {
  const ModelConfig plain = make_sandbox({.d_model = 12, .heads = 3})->config;
  EXPECT_EQ(problem_of_head_count(plain, 5), "5 heads do not divide d_model 12");
  EXPECT_EQ(problem_of_head_count(plain, 0), "0 heads: there has to be at least 1");
  EXPECT_EQ(problem_of_head_count(plain, 12), "");
  EXPECT_EQ(problem_of_head_count(grouped_config(), 1), "1 head would be 64 wide, but k and v are 16 wide");
  ModelConfig rotary = make_sandbox({.d_model = 24, .heads = 2, .positions = PositionKind::rotary})->config;
  EXPECT_EQ(problem_of_head_count(rotary, 8), "8 heads would be 3 wide, but rotary positions turn pairs of numbers");
  rotary.positions.rotary.dimensions = 8;
  EXPECT_EQ(problem_of_head_count(rotary, 6), "6 heads would be 4 wide, but rotary positions turn 8 numbers");
  rotary.d_model = 20;
  EXPECT_EQ(problem_of_head_count(rotary, 5), "5 heads do not divide the projections' width 24");
}

TEST(Surgery, HeadCountsThatDoNotFitAreRefusedWithTheNumbers) {
  const Error error = error_of([] { resolve_head_counts(grouped_config(), 2, {}); });
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_EQ(error.detail().problem, problem_of_head_count(grouped_config(), 2));
  EXPECT_NE(error.message().find("4, 8, 16, 32, 64"), std::string::npos);
  EXPECT_NE(error_of([] { resolve_head_counts(grouped_config(), {}, 3); }).message().find("Possible counts: 1, 2, 4, 8"),
            std::string::npos);
}

SurgeryNote note_of(const ModelConfig& config, std::optional<int> heads, std::optional<int> kv_heads) {
  return describe_surgery(config, resolve_head_counts(config, heads, kv_heads));
}

TEST(Surgery, SaysWhetherTheResultIsExact) {
  const ModelConfig config = grouped_config();
  EXPECT_EQ(note_of(config, {}, {}).worth, Worth::exact);
  EXPECT_EQ(note_of(config, {}, 8).worth, Worth::exact);
  EXPECT_EQ(note_of(config, {}, 1).worth, Worth::approximation);
  EXPECT_EQ(note_of(config, 16, {}).worth, Worth::what_if);
}

TEST(Surgery, OperationsTogetherAreAllNamedAndWorthAsMuchAsTheWeakest) {
  const ModelConfig full = make_sandbox({.layers = 1, .d_model = 64, .heads = 8})->config;
  const SurgeryNote pooled = note_of(full, 4, 2);
  EXPECT_EQ(pooled.worth, Worth::what_if);
  EXPECT_EQ(pooled.sentence,
            "What if: the same projections cut into 4 heads of width 16 instead of 8 of width 8; then 4 key/value heads are averaged into "
            "2. No model was trained this way.");
  EXPECT_EQ(note_of(full, 4, {}).sentence,
            "What if: the same projections cut into 4 heads of width 16 instead of 8 of width 8. No model was trained this way.");
  const std::string grouped = note_of(grouped_config(), 16, 16).sentence;
  EXPECT_NE(grouped.find("those of keys and values into 4 instead of 2; then each of 4 key/value heads is repeated 4 times"),
            std::string::npos)
      << grouped;
}

struct LayerRun {
  std::vector<Matrix> weights;
  SharedRows resid_post;
};
LayerRun run_first_layer(const Model& model, const Query& query) {
  ThreadPool pool(1);
  const Matrix x = embed(model, model.tokenizer->encode("the cat sat on the mat", std::nullopt).tokens);
  const LayerRequest request = request_of_layer(query, model, 0);
  LayerRun run;
  const LayerMasks masks = layer_masks({}, 0, request.counts.heads, "causal", {x.rows(), x.rows(), {}});
  const HeadObserver observer = testing::collect_maps(run.weights, request.counts.heads, x.rows(), x.rows());
  run.resid_post = run_layer(model, 0, request, {x, nullptr, masks}, pool, observer)->resid_post;
  return run;
}

// Grouped heads read their shared key/value head: giving each its own copy changes nothing, to the bit.
TEST(Surgery, ExpandingGroupedHeadsIsExact) {
  const auto model = make_sandbox({.layers = 1, .d_model = 64, .heads = 8, .kv_heads = 2});
  Query expanded;
  expanded.kv_heads = 8;
  const LayerRun own = run_first_layer(*model, {}), full = run_first_layer(*model, expanded);
  EXPECT_EQ(own.weights, full.weights);
  EXPECT_EQ(own.resid_post, full.resid_post);
}

// Pooling equal key/value heads loses nothing; pooling different ones takes their mean.
TEST(Surgery, PoolingTakesTheMeanOfNeighbours) {
  const HeadCounts counts{.heads = 4, .kv_heads = 2, .stored_kv_heads = 4, .d_head = 3};
  const Matrix joined = testing::random_matrix("k", 5, 12);
  const Matrix pooled = regroup(joined, counts);
  EXPECT_TRUE(pooled.leftCols(3).isApprox((joined.leftCols(3) + joined.middleCols(3, 3)) / 2));
  EXPECT_TRUE(pooled.rightCols(3).isApprox((joined.middleCols(6, 3) + joined.rightCols(3)) / 2));
  const auto model = make_sandbox({.layers = 1, .d_model = 64, .heads = 8});
  Query query;
  query.kv_heads = 2;
  EXPECT_NE(run_first_layer(*model, {}).weights, run_first_layer(*model, query).weights);
}

TEST(Surgery, ReSplittingKeepsTheParametersAndCutsThemAnew) {
  const auto model = make_sandbox({.layers = 1, .d_model = 64, .heads = 8});
  Query query;
  query.heads = 4;
  const auto other = make_sandbox({.layers = 1, .d_model = 64, .heads = 4});
  EXPECT_EQ(run_first_layer(*model, query).weights, run_first_layer(*other, {}).weights)
      << "the sandbox draws the same numbers for any head count";
}

// Switching a head off is exact: the same as a model whose rows of W_O for that head are zero.
TEST(Surgery, AHeadThatIsSwitchedOffIsAHeadWhoseOutputIsCutOut) {
  const SandboxSpec spec{.layers = 1, .d_model = 64, .heads = 8};
  Query switched_off;
  switched_off.switched_off = {{0, 3}};
  SandboxSpec cut = spec;
  cut.edits = {{"layer.0.o.weight", 3 * 8, 0, 8, 64, std::vector<float>(8 * 64, 0.0F)}};
  const LayerRun left_out = run_first_layer(*make_sandbox(spec), switched_off), zeroed = run_first_layer(*make_sandbox(cut), {});
  EXPECT_EQ(left_out.weights, zeroed.weights);
  EXPECT_EQ(left_out.resid_post, zeroed.resid_post);
  EXPECT_EQ(describe_switched_off(1).worth, Worth::exact);
  EXPECT_NE(describe_switched_off(1).sentence.find("Its part"), std::string::npos);
  EXPECT_NE(describe_switched_off(2).sentence.find("Their part"), std::string::npos);
}

}  // namespace
}  // namespace headlight
