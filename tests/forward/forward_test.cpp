#include "engine/forward/forward.h"

#include <gmock/gmock.h>

#include "engine/forward/block.h"
#include "tests/attention/collect_maps.h"
#include "tests/kernels/random_matrix.h"
#include "tests/reference/slow_attention.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;
using ::testing::HasSubstr;
using testing::random_matrix;

std::vector<Token> tokens_of(const Model& model, std::string_view text) {
  return model.tokenizer->encode(text, std::nullopt).tokens;
}

/// All layers in a row, with what the observer saw.
struct Forward {
  SharedRows embedded;
  std::vector<std::shared_ptr<const LayerTrace>> layers;
  std::vector<std::vector<Matrix>> weights;
};

Forward run_all(const Model& model, const std::vector<Token>& tokens, const Query& query, int threads) {
  ThreadPool pool(threads);
  Forward forward;
  forward.embedded = embed(model, tokens);
  const auto count = std::ssize(tokens);
  for (int layer = 0; layer < model.config.layers; ++layer) {
    const LayerRequest request = request_of_layer(query, model, layer);
    const int heads = request.counts.heads;
    const LayerMasks masks = layer_masks(request.mask, 0, heads, model.config.own_mask(layer), {count, count, {}});
    std::vector<Matrix>& seen = forward.weights.emplace_back();
    const SharedRows& resid_pre = layer == 0 ? forward.embedded : forward.layers.back()->resid_post;
    forward.layers.push_back(
        run_layer(model, layer, request, {resid_pre, nullptr, masks}, pool, testing::collect_maps(seen, heads, count, count)));
  }
  return forward;
}

constexpr std::string_view kText = "The cat sat on the mat because it was tired, and the dog did not care.";

TEST(Forward, AgreesWithTheSlowSecondOpinionOnTheSandbox) {
  Query query;
  query.mask.rules.push_back({{Scope::Kind::layer, {1, 0}}, "window:3", {}});
  query.mask.rules.push_back({{Scope::Kind::head, {2, 1}}, "", {{4, 5, 0, 100, false}}});
  for (const bool is_causal : {true, false}) {
    const auto model = make_sandbox(
        {.layers = 3, .d_model = 48, .heads = 4, .kind = is_causal ? SandboxKind::causal : SandboxKind::bidirectional, .seed = 11});
    const auto tokens = tokens_of(*model, kText);
    const Forward fast = run_all(*model, tokens, query, 2);
    const auto allows = [&](int layer, int head, int from, int to) {
      if (layer == 2 && head == 1 && from == 4) return false;
      return layer == 1 ? std::abs(from - to) < 3 : !is_causal || to <= from;
    };
    const auto slow = testing::slow_forward(*model, testing::to_table(*fast.embedded.whole()), 4, allows);
    for (std::size_t layer = 0; layer < 3; ++layer) {
      EXPECT_LE(testing::largest_difference(slow.resid_post[layer], *fast.layers[layer]->resid_post.whole()), 1e-5);
      for (std::size_t head = 0; head < 4; ++head) {
        EXPECT_LE(testing::largest_difference(slow.weights[layer][head], fast.weights[layer][head]), 1e-5);
      }
    }
    ThreadPool pool(2);
    EXPECT_LE(testing::largest_difference(slow.final_hidden, apply_final_norm(*model, *fast.layers.back()->resid_post.whole(), pool)),
              1e-5);
  }
}

/// A square matrix as the edit of one tensor.
ParameterEdit edit_of(std::string tensor, const Matrix& matrix) {
  return {std::move(tensor),
          0,
          0,
          static_cast<int>(matrix.rows()),
          static_cast<int>(matrix.cols()),
          std::vector<float>(matrix.data(), matrix.data() + matrix.size())};
}

// Seeds S0-8, S4-10: without W_O the heads' outputs are added side by side, as an identity matrix in its place would.
TEST(Forward, WithoutTheOutputProjectionTheHeadsAreJoinedOnly) {
  SandboxSpec spec{.layers = 1, .d_model = 16, .heads = 4};
  const auto model = make_sandbox(spec);
  const auto tokens = tokens_of(*model, kText);
  Query joined;
  joined.block.has_output_projection = false;
  const Matrix without = *run_all(*model, tokens, joined, 1).layers[0]->resid_post.whole();
  EXPECT_NE(run_all(*model, tokens, {}, 1).layers[0]->resid_post, without);
  spec.edits = {edit_of("layer.0.o.weight", Matrix::Identity(16, 16))};
  EXPECT_TRUE(run_all(*make_sandbox(spec), tokens, {}, 1).layers[0]->resid_post.whole()->isApprox(without, 1e-6F));
}

// Seeds S2-11, S3-12: left out, the biases of all four are as if the model had none.
TEST(Forward, WithoutBiasesAModelIsAsIfItHadNone) {
  const auto with = make_sandbox({.layers = 2, .d_model = 16, .heads = 4, .biases = SandboxBiases::random});
  const auto none = make_sandbox({.layers = 2, .d_model = 16, .heads = 4});
  const auto tokens = tokens_of(*with, kText);
  Query left_out;
  left_out.block.has_biases = false;
  const Forward plain = run_all(*none, tokens, {}, 1), without = run_all(*with, tokens, left_out, 1), full = run_all(*with, tokens, {}, 1);
  EXPECT_EQ(without.layers[1]->resid_post, plain.layers[1]->resid_post);
  EXPECT_EQ(without.weights, plain.weights);
  EXPECT_NE(full.weights[0], plain.weights[0]) << "those of q and k count";
  for (const char* part : {"v", "o"}) {
    SandboxSpec spec{.layers = 2, .d_model = 16, .heads = 4, .biases = SandboxBiases::zero};
    spec.edits = {edit_of(std::string("layer.0.") + part + ".bias", Matrix::Ones(1, 16))};
    EXPECT_NE(run_all(*make_sandbox(spec), tokens, {}, 1).layers[0]->resid_post, plain.layers[0]->resid_post) << part;
  }
}

// Seeds S0-10 and reliability N6.
TEST(Forward, HasTheSameBitsForAnyNumberOfThreads) {
  const auto model = make_sandbox({.layers = 2, .d_model = 240, .heads = 6});
  const auto tokens = tokens_of(*model, kText);
  const Forward one = run_all(*model, tokens, {}, 1);
  for (const int threads : {2, 5}) {
    const Forward several = run_all(*model, tokens, {}, threads);
    EXPECT_EQ(several.layers.back()->resid_post, one.layers.back()->resid_post);
    EXPECT_EQ(several.weights, one.weights);
  }
}

TEST(Trace, RebuiltMapsAreBitForBitWhatTheForwardPassUsed) {
  const auto model = make_sandbox({.layers = 2, .d_model = 40, .heads = 5});
  Query query;
  query.score.temperature = 0.3F;
  query.mask.rules.push_back({{Scope::Kind::head, {1, 2}}, "no-self", {{0, 2, 0, 100, false}}});
  for (const std::string_view text : {std::string_view("One."), std::string_view("The cat sat."), kText}) {
    const Forward forward = run_all(*model, tokens_of(*model, text), query, 2);
    for (std::size_t layer = 0; layer < 2; ++layer) {
      for (int head = 0; head < 5; ++head) {
        const HeadMaps maps = rebuild_head(*forward.layers[layer], head);
        EXPECT_EQ(maps.weights, forward.weights[layer][static_cast<std::size_t>(head)]);
        const Matrix q = head_columns(*forward.layers[layer]->q.whole(), 5, head),
                     k = head_columns(*forward.layers[layer]->k.whole(), 5, head);
        EXPECT_TRUE(maps.scores.isApprox(q * k.transpose(), 1e-5F));
        EXPECT_FLOAT_EQ(maps.factor, static_cast<float>(1 / std::sqrt(8.0) / 0.3));
      }
    }
    EXPECT_TRUE(rebuild_head(*forward.layers[1], 2).is_row_masked[0]);
    EXPECT_FALSE(rebuild_head(*forward.layers[1], 1).is_row_masked[0]);
  }
}

TEST(Trace, HasNoLayerBelowTheFirstOrAboveTheLast) {
  Trace trace;
  trace.layers = {std::make_shared<const LayerTrace>()};
  EXPECT_EQ(&trace.layer(0), trace.layers[0].get());
  EXPECT_THROW(trace.layer(1), std::out_of_range);
  EXPECT_THROW(trace.layer(-1), std::out_of_range);
}

TEST(Trace, CountsAMaskThatLayersShareOnce) {
  const auto mask = std::make_shared<const Mask>(10, 10, true);
  LayerTrace layer;
  layer.rules = {{.mask = mask}, {.mask = mask}};
  Trace trace;
  for (int number = 0; number < 2; ++number) {
    layer.q = SharedRows(Matrix::Zero(10, 4));
    trace.layers.push_back(std::make_shared<const LayerTrace>(layer));
  }
  EXPECT_EQ(bytes_of(trace), 2 * 40 * sizeof(float) + 100);
}

// Seeds S1-4: the feed-forward part works on each token alone; with causal masks so do the rows of the past.
TEST(Forward, LaterTokensChangeNothingInEarlierRows) {
  const auto model = make_sandbox({.layers = 2, .d_model = 64, .heads = 4});
  const Forward first = run_all(*model, tokens_of(*model, "the cat sat on the mat"), {}, 1);
  const Forward second = run_all(*model, tokens_of(*model, "the cat sat on the dog"), {}, 1);
  EXPECT_EQ(first.layers[1]->resid_post.middle_rows(0, 5), second.layers[1]->resid_post.middle_rows(0, 5));
  EXPECT_NE(first.layers[1]->resid_post.middle_rows(5, 1), second.layers[1]->resid_post.middle_rows(5, 1));
}

TEST(Forward, ATokenOfNanLeavesEarlierRowsClean) {
  const auto model = make_sandbox({.layers = 2, .d_model = 16, .heads = 2});
  ThreadPool pool(1);
  Matrix x = embed(*model, tokens_of(*model, "the cat sat on the mat"));
  const Index count = x.rows();
  x.row(count - 1).setConstant(std::numeric_limits<float>::quiet_NaN());
  for (int layer = 0; layer < 2; ++layer) {
    const LayerRequest request = request_of_layer({}, *model, layer);
    x = *run_layer(*model, layer, request, {x, nullptr, layer_masks({}, 0, 2, "causal", {count, count, {}})}, pool, {})->resid_post.whole();
  }
  EXPECT_TRUE(x.topRows(count - 1).allFinite());
  EXPECT_TRUE(x.row(count - 1).array().isNaN().all());
}

TEST(Embed, TheSameWordHasTheSameVectorAndItsPositionIsAdded) {
  const auto model = make_sandbox({.d_model = 32, .positions = PositionKind::none});
  const Matrix x = embed(*model, tokens_of(*model, "cat dog cat"));
  EXPECT_EQ(x.row(0), x.row(2));
  EXPECT_NE(x.row(0), x.row(1));
  RandomStream stream(1, "embedding." + std::to_string(tokens_of(*model, "cat")[0].id));
  for (Index column = 0; column < 32; ++column) EXPECT_EQ(x(0, column), stream.next_normal());
}

// Vaswani et al. 2017: PE(pos, 2i) = sin(pos / 10000^(2i/d)), PE(pos, 2i+1) = cos(…). Values from Python's math module.
TEST(Embed, SinusoidsHaveTheirTextbookValues) {
  const auto with = make_sandbox({.d_model = 8}), without = make_sandbox({.d_model = 8, .positions = PositionKind::none});
  const auto tokens = tokens_of(*with, "a b c d");
  const Matrix positions = embed(*with, tokens) - embed(*without, tokens);
  const double at_three[] = {0.14112000806, -0.98999249660, 0.29552020666, 0.95533648913,
                             0.02999550020, 0.99955003375,  0.00299999550, 0.99999550000};
  for (Index column = 0; column < 8; ++column) EXPECT_NEAR(static_cast<double>(positions(3, column)), at_three[column], 1e-6);
}

TEST(Embed, NoTokensGiveNoRows) {
  const auto model = make_sandbox({});
  EXPECT_EQ(embed(*model, {}).rows(), 0);
  EXPECT_EQ(embed(*model, {}).cols(), 64);
}

std::shared_ptr<Model> table_model() {
  auto model = std::make_shared<Model>();
  model->config = {.family = "test", .d_model = 2, .vocabulary = 3, .positions = {.most = 2}};
  model->parameters.embedding.tokens = StoredMatrix((Matrix(3, 2) << 1, 2, 3, 4, 5, 6).finished());
  model->parameters.embedding.positions = (Matrix(2, 2) << 10, 20, 30, 40).finished();
  return model;
}

TEST(Embed, AddsRowsOfTheTables) {
  Token first, second;
  first.id = 2;
  EXPECT_EQ(embed(*table_model(), {first, second}), (Matrix(2, 2) << 15, 26, 31, 42).finished());
}

TEST(Embed, IdsOutsideTheTableAndTooManyTokensAreRefused) {
  Token token;
  token.id = 3;
  token.text = "x";
  EXPECT_THAT(error_of([&] { embed(*table_model(), {token}); }).message(),
              HasSubstr("token \"x\": the model has no embedding for it; found id 3, expected an id from 0 to 2"));
  token.id = -1;
  EXPECT_THAT(error_of([&] { embed(*table_model(), {token}); }).message(), HasSubstr("found id -1"));
  EXPECT_THAT(error_of([&] { embed(*table_model(), std::vector<Token>(3)); }).message(), HasSubstr("found 3, expected at most 2"));
}

TEST(LayerNorm, CentresScalesAndShiftsEveryRow) {
  const Norm norm{(RowVector(4) << 1, 2, 1, 1).finished(), (RowVector(4) << 0, 0, 5, 0).finished(), NormKind::layer_norm, 0.0F};
  const Matrix y = normalise((Matrix(1, 4) << 1, 2, 3, 4).finished(), norm);
  const double unit = 1.5 / std::sqrt(1.25);
  EXPECT_NEAR(static_cast<double>(y(0, 0)), -unit, 1e-6);
  EXPECT_NEAR(static_cast<double>(y(0, 1)), -2 * unit / 3, 1e-6);
  EXPECT_NEAR(static_cast<double>(y(0, 2)), unit / 3 + 5, 1e-6);
}

// Seeds S0-1: a re-split that does not divide is refused with both numbers.
TEST(LayerRequest, RefusesIllegalHeadCountsAndTemperatures) {
  const auto model = make_sandbox({});
  Query query;
  query.heads = 7;
  EXPECT_THAT(error_of([&] { request_of_layer(query, *model, 0); }).message(), HasSubstr("7 heads do not divide d_model 64"));
  query.heads.reset();
  for (const float temperature : {0.0F, -1.0F, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    query.score.temperature = temperature;
    EXPECT_EQ(error_of([&] { request_of_layer(query, *model, 0); }).kind(), ErrorKind::usage);
  }
}

TEST(LayerRequest, HoldsOnlyWhatConcernsTheLayer) {
  const auto model = make_sandbox({});
  Query query;
  query.switched_off = {{0, 3}, {1, 2}, {1, 99}};
  query.mask.rules.push_back({{Scope::Kind::layer, {2, 0}}, "none", {}});
  EXPECT_EQ(request_of_layer(query, *model, 1).switched_off, std::vector<int>{2});
  EXPECT_EQ(request_of_layer(query, *model, 1).mask, MaskEdits{});
  EXPECT_EQ(request_of_layer(query, *model, 3), request_of_layer({}, *model, 3));
}

TEST(LayerRequest, ScaleSwitchesMultiply) {
  auto model = std::make_shared<Model>(*make_sandbox({.layers = 3, .d_model = 16, .heads = 4}));
  const auto factor = [&](int layer, const Query& query) {
    ThreadPool pool(1);
    const Matrix x = Matrix::Zero(1, 16);
    const LayerRequest request = request_of_layer(query, *model, layer);
    return run_layer(*model, layer, request, {x, nullptr, layer_masks({}, 0, request.counts.heads, "causal", {1, 1, {}})}, pool, {})
        ->rule(0)
        .factor;
  };
  Query query;
  EXPECT_FLOAT_EQ(factor(0, query), 0.5F);
  query.heads = 1;
  EXPECT_FLOAT_EQ(factor(0, query), 0.25F);
  query.score.temperature = 2;
  EXPECT_FLOAT_EQ(factor(0, query), 0.125F);
  query.score.is_scaled = false;
  EXPECT_FLOAT_EQ(factor(0, query), 0.5F);
  model->config.scores.is_scaled_by_layer = true;
  EXPECT_FLOAT_EQ(factor(1, query), 0.25F);
  model->config.scores.is_scaled = false;
  query.score.is_scaled = true;
  EXPECT_FLOAT_EQ(factor(1, query), 0.25F);
}

}  // namespace
}  // namespace headlight
