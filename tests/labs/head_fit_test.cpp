#include "engine/labs/head_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/forward/forward.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;

std::shared_ptr<const LayerTrace> first_layer(const Model& model, const Query& query = {}) {
  ThreadPool pool(1);
  const Matrix x = embed(model, model.tokenizer->encode("the cat sat on the mat again", std::nullopt).tokens);
  const LayerRequest request = request_of_layer(query, model, 0);
  const MaskContext context{x.rows(), x.rows(), {}};
  return run_layer(model, 0, request, {x, nullptr, layer_masks(request.mask, 0, request.counts.heads, model.config.own_mask(0), context)},
                   pool, {});
}

TargetMap previous_token(Index tokens, int head) {
  TargetMap target{{0, head}, Matrix::Zero(tokens, tokens)};
  for (Index query = 1; query < tokens; ++query) target.wanted(query, query - 1) = 1;
  return target;
}

HeadFit train_head(const Model& model, const TargetMap& target, int steps) {
  SilentProgress progress;
  return fit_head(model, *first_layer(model), target, steps, progress);
}

SandboxSpec with(SandboxSpec spec, const HeadFit& fit) {
  spec.edits.push_back(fit.q);
  spec.edits.push_back(fit.k);
  return spec;
}

// Seeds S4-12: for a gradient step on a stated loss, the loss falls and the map changes.
TEST(Training, EveryStepLowersTheLossAndTheMapComesNearerToTheTarget) {
  const SandboxSpec spec{.layers = 1};
  const auto model = make_sandbox(spec);
  const TargetMap target = previous_token(7, 3);
  const HeadFit fit = train_head(*model, target, 40);
  ASSERT_GT(fit.losses.size(), 10U);
  for (std::size_t step = 1; step < fit.losses.size(); ++step) EXPECT_LT(fit.losses[step], fit.losses[step - 1]);
  EXPECT_LT(fit.losses.back(), fit.losses.front() / 4);

  const auto trained = make_sandbox(with(spec, fit));
  const HeadMaps before = rebuild_head(*first_layer(*model), 3), after = rebuild_head(*first_layer(*trained), 3);
  for (Index query = 1; query < 7; ++query) EXPECT_GT(after.weights(query, query - 1), before.weights(query, query - 1));
  EXPECT_LE((after.weights - fit.weights).cwiseAbs().maxCoeff(), 1e-6F) << "a model with the edits makes the map that was promised";
  EXPECT_EQ(rebuild_head(*first_layer(*trained), 2).weights, rebuild_head(*first_layer(*model), 2).weights) << "other heads stay";
}

TEST(Training, IsTheSameHoweverOftenItIsLookedAt) {
  const auto model = make_sandbox({.layers = 1});
  const TargetMap target = previous_token(7, 3);
  SilentProgress progress;
  const std::vector<int> counts{0, 3, 3, 10, 400};
  const std::vector<HeadFit> fits = fit_head_at(*model, *first_layer(*model), target, counts, progress);
  ASSERT_EQ(fits.size(), counts.size());
  for (std::size_t place = 0; place < counts.size(); ++place) {
    const HeadFit alone = train_head(*model, target, counts[place]);
    EXPECT_EQ(fits[place].losses, alone.losses);
    EXPECT_EQ(fits[place].q, alone.q);
    EXPECT_EQ(fits[place].k, alone.k);
    EXPECT_EQ(fits[place].weights, alone.weights);
  }
}

/// One short step down the gradient must lower the loss by length² · rate: compared with a loss measured on both sides of it.
void expect_true_gradient(const SandboxSpec& spec, const Query& query) {
  const auto model = make_sandbox(spec);
  const auto layer = first_layer(*model, query);
  const TargetMap target = previous_token(7, 1);
  SilentProgress progress;
  const HeadFit start = fit_head(*model, *layer, target, 0, progress);
  const auto loss_at = [&](int row, int column, float change) {
    SandboxSpec moved = spec;
    ParameterEdit edit = start.q;
    edit.values[static_cast<std::size_t>(row * edit.columns + column)] += change;
    moved.edits.push_back(edit);
    const auto other = make_sandbox(moved);
    return fit_head(*other, *first_layer(*other, query), target, 0, progress).losses.front();
  };
  const HeadFit one = fit_head(*model, *layer, target, 1, progress);
  double steepest = 0;  // the step is −rate · gradient with one unknown rate: compare ratios
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 4; ++column) {
      const std::size_t at = static_cast<std::size_t>(row * one.q.columns + column);
      const double slope = (loss_at(row, column, 0.02F) - loss_at(row, column, -0.02F)) / 0.04;
      const double moved = double{start.q.values[at]} - double{one.q.values[at]};
      if (std::abs(slope) < 2e-3) continue;
      if (steepest == 0) steepest = moved / slope;
      EXPECT_NEAR(moved / slope, steepest, 0.05 * steepest) << row << ", " << column;
    }
  }
  EXPECT_GT(steepest, 0);
}

TEST(Training, TheGradientIsThatOfTheMeasuredLoss) {
  expect_true_gradient({.layers = 1}, {});
  expect_true_gradient({.layers = 1, .kind = SandboxKind::bidirectional, .positions = PositionKind::rotary}, {});
  expect_true_gradient({.layers = 1, .kv_heads = 2, .positions = PositionKind::alibi, .norm = NormKind::rms_norm}, {});
  Query capped;
  capped.score.softcap = 3.0F;
  capped.score.sink = 0.5F;
  expect_true_gradient({.layers = 1, .norm_place = NormPlace::after}, capped);
}

TEST(Training, RefusesWhatCannotBeTrained) {
  const auto model = make_sandbox({.layers = 1});
  EXPECT_EQ(error_of([&] { train_head(*model, previous_token(6, 0), 1); }).detail().found, "6 × 6");
  TargetMap nothing{{0, 0}, Matrix::Zero(7, 7)};
  nothing.wanted(0, 6) = 1;  // the causal mask forbids it
  EXPECT_EQ(error_of([&] { train_head(*model, nothing, 1); }).kind(), ErrorKind::usage);
  Query additive;
  additive.score.kind = ScoreKind::additive;
  SilentProgress progress;
  EXPECT_EQ(error_of([&] { fit_head(*model, *first_layer(*model, additive), previous_token(7, 0), 1, progress); }).detail().expected,
            "dot");
}

}  // namespace
}  // namespace headlight
