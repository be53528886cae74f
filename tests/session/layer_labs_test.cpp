// The labs that look at a whole layer: what its heads cost, how they are put side by side, and a token's way through it.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "app/document/labs/walk_lab.h"
#include "app/work/labs.h"
#include "engine/labs/layer_walk.h"
#include "tests/session/lab_runs.h"
#include "tests/work/snapshots.h"

namespace headlight {
namespace {

using testing::cell;
using ::testing::ElementsAre;
using testing::lab_query;
using testing::reference_query;
using testing::snapshot_of;

CostFound run_cost_lab(LabSettings settings, const Query& query = lab_query(), HeadId head = {0, 0}) {
  settings.lab = Lab::head_cost;
  SilentProgress progress;
  return std::any_cast<const CostFound&>(run_lab({settings, snapshot_of(query), head, {}}, progress).found);
}

// Seeds S1-2.
TEST(CostLab, SharedWidthCostsTheSameForEveryHeadCountAndFixedWidthDoesNot) {
  LabSettings settings;
  settings.has_bias = true;
  const CostFound found = run_cost_lab(settings);
  ASSERT_EQ(found.rows.size(), 5U);  // 1, 2, 4, 8, 16 heads
  for (const CostFound::Row& row : found.rows) {
    EXPECT_EQ(row.shared->parameters, 4 * 16 * 16 + 4 * 16);
    EXPECT_EQ(row.fixed->sizes.d_head, 8);
  }
  EXPECT_GT(found.rows[4].fixed->parameters, found.rows[0].fixed->parameters);
  EXPECT_EQ(found.own.heads, 2);
  EXPECT_TRUE(found.own.shares_width());
}

// Seeds S2-11.
TEST(CostLab, BeginsWithTheBiasesThatTheLayerHas) {
  const CostFound sandbox = run_cost_lab({});
  EXPECT_FALSE(sandbox.has_bias);
  EXPECT_EQ(sandbox.own.parameters, 4 * 16 * 16);
  EXPECT_EQ(sandbox.rows[1].shared->parameters, 4 * 16 * 16);
  const CostFound gpt2 = run_cost_lab({}, reference_query("gpt2"));
  const std::int64_t d_model = gpt2.own.d_model;
  EXPECT_TRUE(gpt2.has_bias);
  EXPECT_EQ(gpt2.own.bias_parameters, 4 * d_model);
  EXPECT_EQ(gpt2.rows[0].shared->parameters, 4 * d_model * d_model + 4 * d_model);
  const CostFound qwen2 = run_cost_lab({}, reference_query("qwen2-yarn"));  // biases of q, k and v, none of o
  EXPECT_EQ(qwen2.own.bias_parameters, (3 + 1 + 1) * 8);
  EXPECT_EQ(qwen2.rows.at(2).heads, 3);
  EXPECT_EQ(qwen2.heads_per_kv_head, 0) << "one key/value head for all";
  EXPECT_EQ(qwen2.rows.at(2).fixed->parameters, qwen2.own.parameters);
}

// A Gemma 3 of 4 heads 16 wide on a d_model of 48, 2 key/value heads, no biases.
TEST(CostLab, TakesKeyValueHeadsAndWidthFromTheLayer) {
  const CostFound found = run_cost_lab({}, reference_query("gemma3"));
  const CostFound::Own& own = found.own;
  ASSERT_NE(own.heads * own.d_head, own.d_model) << "the test wants such a model";
  EXPECT_FALSE(own.shares_width());
  ASSERT_LT(own.kv_heads, own.heads);
  EXPECT_EQ(own.parameters, 2 * own.d_model * (own.heads + own.kv_heads) * own.d_head);
  EXPECT_EQ(own.bias_parameters, 0);
  const auto row = std::find_if(found.rows.begin(), found.rows.end(), [&](const CostFound::Row& each) { return each.heads == own.heads; });
  ASSERT_NE(row, found.rows.end()) << "its own head count is listed, whether it divides d_model or not";
  EXPECT_EQ(row->fixed->parameters, own.parameters);
  EXPECT_EQ(row->fixed->sizes.kv_heads, own.kv_heads);
  EXPECT_EQ(row->fixed->cache_bytes, 2.0 * 4 * static_cast<double>(found.keys) * own.kv_heads * own.d_head);
}

TEST(CostLab, CountsBothSidesOfACrossAttention) {
  Query query = lab_query();
  query.model.sandbox.kind = SandboxKind::encoder_decoder;
  query.decoder_text = "Ich gehe";
  const CostFound found = run_cost_lab({}, query, {2, 0});
  EXPECT_EQ(found.queries, 2);
  EXPECT_EQ(found.keys, 10);
  const double products = 2.0 * 16 * (2 * 16 + 2 * 10 * 16 + 2 * 16) + 2 * 2.0 * 2 * 10 * 16;
  EXPECT_EQ(found.rows[1].fixed->flops, products);
  EXPECT_EQ(found.rows[1].fixed->cache_bytes, 2.0 * 4 * 10 * 16);
}

TEST(CostLab, GroupsThatDoNotDivideTheHeadsHaveNoCost) {
  LabSettings settings;
  settings.heads_per_kv_head = 4;
  const CostFound found = run_cost_lab(settings);
  EXPECT_FALSE(found.rows[1].shared.has_value());
  EXPECT_EQ(found.rows[3].shared->sizes.kv_heads, 2);
  settings.heads_per_kv_head = 0;
  EXPECT_EQ(run_cost_lab(settings).rows[3].shared->sizes.kv_heads, 1);
}

ConcatenationFound run_concatenation_lab(LayerStep step, const Query& query = lab_query(), HeadId head = {0, 1}) {
  LabSettings settings;
  settings.lab = Lab::concatenation;
  settings.step = step;
  SilentProgress progress;
  return std::any_cast<const ConcatenationFound&>(run_lab({settings, snapshot_of(query), head, {}}, progress).found);
}

// Seeds S0-8: block h of Z is what head h made of its own weights and values, and W_O gives d_model numbers.
TEST(ConcatenationLab, PutsTheHeadsSideBySide) {
  const ConcatenationFound found = run_concatenation_lab(LayerStep::joined);
  ASSERT_EQ(found.strips.size(), 2U);
  const ConcatenationFound::Strip& z = found.strips[0];
  EXPECT_EQ(z.blocks, 2);
  EXPECT_EQ(z.columns.at(11), "head 1, 3");
  EXPECT_EQ(z.rows.at(4), "deposit");
  const std::shared_ptr<const Snapshot> snapshot = snapshot_of(lab_query());
  for (int head = 0; head < 2; ++head) {
    Matrix own(10, 8);
    mix_values(snapshot->maps({0, head}).weights, snapshot->trace.layers[0]->v.whole()->middleCols(head * 8, 8), own);
    for (Index token = 0; token < 10; ++token) {
      for (Index column = 0; column < 8; ++column) {
        EXPECT_EQ(cell(*z.values, token, head * 8 + column), static_cast<double>(own(token, column)));
      }
    }
  }
  EXPECT_EQ(found.strips[1].values->columns(), 16);
  EXPECT_EQ(found.strips[1].blocks, 1);
  Query joined_only = lab_query();
  joined_only.block.has_output_projection = false;
  const ConcatenationFound without = run_concatenation_lab(LayerStep::joined, joined_only);
  EXPECT_EQ(cell(*without.strips[1].values, 3, 9), cell(*without.strips[0].values, 3, 9));
  EXPECT_NE(cell(*found.strips[1].values, 3, 9), cell(*found.strips[0].values, 3, 9));
}

// Seeds S0-3 and S1-7.
TEST(ConcatenationLab, ShowsWhatALayerReadsAndWhoOwnsWhichColumns) {
  const ConcatenationFound own = run_concatenation_lab(LayerStep::inputs);
  EXPECT_TRUE(own.is_one_tensor);
  EXPECT_EQ(cell(*own.strips[0].values, 4, 5), cell(*own.strips[2].values, 4, 5));
  Query query = lab_query();
  query.model.sandbox.kind = SandboxKind::encoder_decoder;
  query.decoder_text = "Ich gehe";
  const ConcatenationFound cross = run_concatenation_lab(LayerStep::inputs, query, {2, 0});
  EXPECT_FALSE(cross.is_one_tensor);
  EXPECT_THAT(cross.strips[0].rows, ElementsAre("Ich", "gehe"));
  EXPECT_EQ(cross.strips[1].values->rows(), 10);
  const ConcatenationFound grouped = run_concatenation_lab(LayerStep::projections, reference_query("gemma3"));
  EXPECT_EQ(grouped.strips[0].blocks, 4);
  EXPECT_EQ(grouped.strips[0].title, "Q = X_Q W_Q, normalised, rotated by position");
  EXPECT_EQ(grouped.strips[2].title, "V = X_V W_V");
  EXPECT_EQ(run_concatenation_lab(LayerStep::joined, reference_query("gpt2")).strips[1].title, "Z W_O + b_O");
  EXPECT_EQ(grouped.strips[1].blocks, 2);
  EXPECT_EQ(grouped.strips[2].values->columns(), 32);
}

// --- A token's way through a layer -----------------------------------------------------------------------------------------------------

WalkFound run_walk_lab(const Query& query, HeadId head, std::optional<Index> row) {
  LabSettings settings;
  settings.lab = kWalkLab;
  SilentProgress progress;
  return std::any_cast<const WalkFound&>(run_lab({settings, snapshot_of(query), head, row}, progress).found);
}

RowVector stream(const SharedRows& rows, Index row) {
  return rows.middle_rows(row, 1).row(0);
}

// Seeds S1-5 and S1-6: whatever norms, gates and skips a layer has, its steps end in the stream that the run has.
TEST(WalkLab, EndsInTheStreamOfTheRun) {
  Query post_norm = lab_query(), without_skips = lab_query(), mixed = lab_query();
  post_norm.model.sandbox.norm_place = NormPlace::after;
  without_skips.block.has_attention_skip = without_skips.block.has_feed_forward_skip = false;
  mixed.block.has_output_projection = false;
  ThreadPool pool(1);
  for (const Query& query : {lab_query(), post_norm, without_skips, mixed, reference_query("gpt2"), reference_query("gemma3"),
                             reference_query("stablelm-parallel"), reference_query("opt-post-norm"), reference_query("qwen2-yarn")}) {
    const std::shared_ptr<const Snapshot> run = snapshot_of(query);
    for (int layer = 0; layer < run->layers(); ++layer) {
      const LayerWalk walk = walk_layer(*run->model, run->trace, layer, query.block, 1, pool);
      EXPECT_EQ(walk.before, stream(run->trace.layer(layer).resid_pre, 1)) << query.model.name;
      EXPECT_EQ(walk.after, stream(run->trace.layer(layer).resid_post, 1)) << query.model.name;
    }
  }
}

TEST(WalkLab, AddsTwoVectorsWhereTheNormComesFirst) {
  ThreadPool pool(1);
  const std::shared_ptr<const Snapshot> run = snapshot_of(lab_query());
  const LayerWalk walk = walk_layer(*run->model, run->trace, 0, {}, 4, pool);
  EXPECT_LT((walk.before + walk.attention - walk.after_attention).cwiseAbs().maxCoeff(), 1e-5F);
  EXPECT_LT((walk.after_attention + walk.feed_forward - walk.after).cwiseAbs().maxCoeff(), 1e-5F);
  BlockSwitches alone;
  alone.has_attention_skip = false;
  const LayerWalk without = walk_layer(*run->model, run->trace, 0, alone, 4, pool);
  EXPECT_EQ(without.after_attention, walk.attention);
}

// Seeds S1-3: GELU(x) = x · Φ(x) = x · erfc(−x / √2) / 2.
TEST(WalkLab, BendsTheNumbersOfTheTokenThatIsLookedAt) {
  Query query = lab_query();
  query.model.sandbox.activation = Activation::gelu_erf;
  const WalkFound found = run_walk_lab(query, {0, 1}, 4);
  EXPECT_EQ(found.token, "deposit");
  EXPECT_EQ(found.activation, "GELU");
  const std::shared_ptr<const Snapshot> run = snapshot_of(query);
  ThreadPool pool(1);
  const LayerWalk walk = walk_layer(*run->model, run->trace, 0, {}, 4, pool);
  const LayerParameters& parameters = run->model->parameters.layer(0);
  const Eigen::RowVectorXd x = walk.after_attention.cast<double>();
  const double mean = x.mean(), spread = std::sqrt((x.array() - mean).square().mean() + static_cast<double>(parameters.norm_2.epsilon));
  const Eigen::RowVectorXd read = ((x.array() - mean) / spread).matrix();
  const Eigen::RowVectorXd inner = read * parameters.ff_in.weight.to_matrix().cast<double>();
  ASSERT_EQ(found.inner.size(), 64U) << "four times the width";
  for (std::size_t place = 0; place < found.inner.size(); ++place) {
    const double bend = inner(static_cast<Index>(place));
    EXPECT_NEAR(static_cast<double>(found.inner[place]), bend, 1e-4);
    EXPECT_NEAR(static_cast<double>(found.bent[place]), bend * std::erfc(-bend / std::sqrt(2.0)) / 2, 1e-4);
  }
  EXPECT_EQ(found.places.front(), -found.places.back());
  const auto below = std::count_if(found.inner.begin(), found.inner.end(), [](float number) { return number < 0; });
  EXPECT_THAT(bend_note(found), ::testing::StartsWith(std::to_string(below) + " of 64 numbers of W_1 · x are below 0"));
}

TEST(WalkLab, MeasuresItsVectors) {
  const WalkFound found = run_walk_lab(lab_query(), {0, 0}, 4);
  const std::shared_ptr<const Snapshot> run = snapshot_of(lab_query());
  ASSERT_EQ(found.lengths.size(), 5U);
  EXPECT_EQ(found.lengths[0].name, "before the layer");
  EXPECT_NEAR(found.lengths[0].length, static_cast<double>(stream(run->trace.layer(0).resid_pre, 4).norm()), 1e-4);
  EXPECT_EQ(found.lengths[1].name, "attention adds");
  EXPECT_TRUE(found.lengths[1].is_added);
  EXPECT_NEAR(found.lengths[4].length, static_cast<double>(stream(run->trace.layer(0).resid_post, 4).norm()), 1e-4);
  Query alone = lab_query();
  alone.block.has_attention_skip = false;
  const WalkFound without = run_walk_lab(alone, {0, 0}, 4);
  EXPECT_EQ(without.lengths[1].name, "attention alone");
  EXPECT_EQ(without.lengths[1].length, without.lengths[2].length);
}

TEST(WalkLab, OfALayerWithoutFeedForwardStopsAfterAttention) {
  Query query = lab_query();
  query.model.sandbox.kind = SandboxKind::encoder_decoder;
  query.decoder_text = "Ich gehe";
  const WalkFound found = run_walk_lab(query, {1, 0}, {});
  EXPECT_EQ(found.lengths.size(), 3U);
  EXPECT_TRUE(found.inner.empty());
  EXPECT_EQ(bend_title(found), "This layer has no feed-forward part.");
}

}  // namespace
}  // namespace headlight
