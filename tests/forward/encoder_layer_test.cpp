// The encoder layer of seed S1: what stands around its attention.
#include <gtest/gtest.h>

#include "engine/attention/multi_head.h"
#include "engine/forward/block.h"
#include "engine/forward/forward.h"
#include "engine/model/sandbox.h"
#include "tests/kernels/random_matrix.h"

namespace headlight {
namespace {

using testing::random_matrix;

constexpr Index kTokens = 7, kWidth = 24;

Model encoder(NormPlace place = NormPlace::before) {
  return *make_sandbox({.layers = 1, .d_model = 24, .heads = 3, .kind = SandboxKind::bidirectional, .norm_place = place});
}

std::shared_ptr<const LayerTrace> run(const Model& model, const Matrix& x, const BlockSwitches& block = {}) {
  Query query;
  query.block = block;
  ThreadPool pool(1);
  const auto mask = std::make_shared<const Mask>(x.rows(), x.rows(), true);
  return run_layer(model, 0, request_of_layer(query, model, 0), {.resid_pre = x, .masks = LayerMasks(3, mask)}, pool, {});
}

void set_zero(Linear& linear) {
  linear.weight = Matrix(Matrix::Zero(linear.weight.rows(), linear.weight.cols()));
  linear.bias.setZero();
}

Matrix input() {
  return random_matrix("x", kTokens, kWidth);
}

Matrix normalised(const Model& model, const Matrix& x) {
  return normalise(x, model.parameters.layers[0].norm_1);
}

// Seeds S1-3: both forms of GELU, against their formulas in double precision (Hendrycks and Gimpel 2016, arXiv 1606.08415).
TEST(EncoderLayer, BothFormsOfGeluHaveTheirReferenceValues) {
  RowVector exact(4), approximate(4);
  exact << -1, -0.5F, 1, 2;
  approximate = exact;
  apply_activation(Activation::gelu_erf, exact);
  apply_activation(Activation::gelu_tanh, approximate);
  const double erf_form[] = {-0.15865525393, -0.15426876936, 0.84134474607, 1.95449973610};
  const double tanh_form[] = {-0.15880800939, -0.15428599018, 0.84119199061, 1.95459769409};
  for (Index at = 0; at < 4; ++at) {
    EXPECT_NEAR(exact[at], erf_form[at], 3e-7);
    EXPECT_NEAR(approximate[at], tanh_form[at], 3e-7);
  }
}

// Seeds S1-3: Linear, GELU of the form asked for, Linear.
TEST(EncoderLayer, FeedForwardIsTwoLinearsAroundTheActivation) {
  const LayerParameters layer = encoder().parameters.layers[0];
  ThreadPool pool(1);
  const Matrix x = input();
  for (const Activation form : {Activation::gelu_erf, Activation::gelu_tanh}) {
    Matrix inner = x * layer.ff_in.weight.to_matrix();
    for (Index token = 0; token < kTokens; ++token) apply_activation(form, inner.row(token));
    EXPECT_LE((feed_forward(layer, form, x, nullptr, pool) - inner * layer.ff_out.weight.to_matrix()).cwiseAbs().maxCoeff(), 1e-5F);
  }
  EXPECT_NE(feed_forward(layer, Activation::gelu_erf, x, nullptr, pool), feed_forward(layer, Activation::gelu_tanh, x, nullptr, pool));
}

// Seeds S1-4: permuted tokens give permuted rows, and a changed token changes no other row, exactly.
TEST(EncoderLayer, FeedForwardTakesEachTokenAlone) {
  const LayerParameters layer = encoder().parameters.layers[0];
  ThreadPool pool(1);
  const Matrix x = input();
  const Matrix y = feed_forward(layer, Activation::gelu_erf, x, nullptr, pool);
  EXPECT_EQ(feed_forward(layer, Activation::gelu_erf, x.colwise().reverse(), nullptr, pool), Matrix(y.colwise().reverse()));
  Matrix changed = x;
  changed.row(2).setConstant(3);
  const Matrix after = feed_forward(layer, Activation::gelu_erf, changed, nullptr, pool);
  for (Index token = 0; token < kTokens; ++token) EXPECT_EQ(after.row(token) == y.row(token), token != 2) << token;
}

// Seeds S1-5: x + attention(norm_1(x)) is x itself where both branches end in zeros, exactly; with the norms after it is not.
TEST(EncoderLayer, WithNormsBeforeAndBranchesOfZerosItIsTheIdentity) {
  for (const NormPlace place : {NormPlace::before, NormPlace::after}) {
    Model model = encoder(place);
    set_zero(model.parameters.layers[0].o);
    set_zero(model.parameters.layers[0].ff_out);
    const Matrix x = 3 * input();
    const Matrix expected = place == NormPlace::before ? x : normalised(model, normalised(model, x));
    EXPECT_EQ(run(model, x)->resid_post, expected);
  }
  EXPECT_NE(run(encoder(NormPlace::before), input())->resid_post, run(encoder(NormPlace::after), input())->resid_post);
}

// Seeds S1-6: without its skip connection a sublayer's sum lacks exactly its input.
TEST(EncoderLayer, SwitchingASkipOffRemovesExactlyThatTerm) {
  const Matrix x = input();
  Model attention_only = encoder(), feed_forward_only = encoder();
  set_zero(attention_only.parameters.layers[0].ff_out);
  set_zero(feed_forward_only.parameters.layers[0].o);
  const Matrix attention = *run(attention_only, x, {.has_attention_skip = false})->resid_post.whole();
  const Matrix feed_forward = *run(feed_forward_only, x, {.has_feed_forward_skip = false})->resid_post.whole();
  EXPECT_GT(attention.cwiseAbs().maxCoeff(), 0.01F);
  EXPECT_GT(feed_forward.cwiseAbs().maxCoeff(), 0.01F);
  EXPECT_EQ(run(attention_only, x)->resid_post, Matrix(x + attention));
  EXPECT_EQ(run(feed_forward_only, x)->resid_post, Matrix(x + feed_forward));
}

// Seeds S1-7: query, key and value are projected from one normalised tensor.
TEST(EncoderLayer, OneNormalisedTensorFeedsQueryKeyAndValue) {
  const Model model = encoder();
  const LayerParameters& layer = model.parameters.layers[0];
  const Matrix x = 2 * input(), normed = normalised(model, x);
  const auto trace = run(model, x);
  ThreadPool pool(1);
  EXPECT_EQ(*trace->q.whole(), apply_linear(normed, layer.q, pool));
  EXPECT_EQ(trace->k, apply_linear(normed, layer.k, pool));
  EXPECT_EQ(trace->v, apply_linear(normed, layer.v, pool));
  EXPECT_NE(normed, x);
}

}  // namespace
}  // namespace headlight
