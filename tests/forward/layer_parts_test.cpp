#include "engine/forward/layer_parts.h"

#include <gtest/gtest.h>

#include "engine/forward/forward.h"
#include "engine/model/model.h"

namespace headlight {
namespace {

struct Ran {
  std::shared_ptr<const Model> model;
  Trace trace;
};

std::vector<Token> tokens_of(int first, int count) {
  std::vector<Token> tokens(static_cast<std::size_t>(count));
  for (Token& token : tokens) token.id = first++;
  return tokens;
}

std::shared_ptr<const LayerTrace> run_one(const Model& model, int layer, const Query& query, const Matrix& resid_pre, const Matrix* memory,
                                          Index keys) {
  ThreadPool pool(1);
  const LayerRequest request = request_of_layer(query, model, layer);
  const auto mask = std::make_shared<const Mask>(resid_pre.rows(), keys, true);
  return run_layer(model, layer, request, {resid_pre, memory, LayerMasks(static_cast<std::size_t>(request.counts.heads), mask)}, pool, {});
}

/// The sandbox with norms before, one encoder layer, one decoder layer with cross-attention.
Ran run_pair(const Query& query) {
  SandboxSpec spec{.layers = 1, .d_model = 16, .heads = 4, .kind = SandboxKind::encoder_decoder};
  Ran run{make_sandbox(spec), {}};
  const Matrix text = embed(*run.model, tokens_of(1, 5));
  run.trace.layers.push_back(run_one(*run.model, 0, query, text, nullptr, 5));
  ThreadPool pool(1);
  const Matrix memory = make_memory(*run.model, *run.trace.layers[0]->resid_post.whole(), pool);
  run.trace.layers.push_back(run_one(*run.model, 1, query, embed(*run.model, tokens_of(9, 3), true), nullptr, 3));
  run.trace.layers.push_back(run_one(*run.model, 2, query, *run.trace.layers[1]->resid_post.whole(), &memory, 5));
  return run;
}

LayerParts parts_of(const Ran& run, int layer, const BlockSwitches& block = {}) {
  ThreadPool pool(1);
  return parts_of_layer(*run.model, run.trace, layer, block, pool);
}

Matrix product(const Matrix& x, const Linear& linear) {
  ThreadPool pool(1);
  return apply_linear(x, linear, pool);
}

// Seeds S1-7: one normalised tensor is query, key and value; q, k and v of the layer are its projections.
TEST(LayerParts, SelfAttentionReadsOneTensorThreeTimes) {
  const Ran run = run_pair({});
  const LayerParts parts = parts_of(run, 0);
  EXPECT_TRUE(parts.is_one_tensor);
  EXPECT_EQ(parts.key, parts.query);
  EXPECT_EQ(parts.value, parts.query);
  EXPECT_NE(parts.query, *run.trace.layers[0]->resid_pre.whole()) << "the norm stands before";
  const LayerParameters& parameters = run.model->parameters.layers[0];
  EXPECT_EQ(product(parts.query, parameters.q), *run.trace.layers[0]->q.whole());
  EXPECT_EQ(product(parts.value, parameters.v), run.trace.layers[0]->v);
}

TEST(LayerParts, CrossAttentionReadsKeysAndValuesFromTheEncoder) {
  const Ran run = run_pair({});
  const LayerParts parts = parts_of(run, 2);
  EXPECT_FALSE(parts.is_one_tensor);
  EXPECT_EQ(parts.query.rows(), 3);
  EXPECT_EQ(parts.key.rows(), 5);
  const LayerParameters& parameters = run.model->parameters.layers[2];
  EXPECT_EQ(product(parts.query, parameters.q), *run.trace.layers[2]->q.whole());
  EXPECT_EQ(product(parts.key, parameters.k), run.trace.layers[2]->k);
  EXPECT_EQ(product(parts.value, parameters.v), run.trace.layers[2]->v);
}

// Seeds S0-8: what W_O makes of the heads side by side is what the skip adds; without W_O they are joined only.
TEST(LayerParts, TheOutputIsWhatTheLayerAddsToItsStream) {
  const Ran run = run_pair({});
  const LayerTrace& decoder = *run.trace.layers[1];  // its feed-forward part comes after the cross-attention
  EXPECT_TRUE((*decoder.resid_pre.whole() + parts_of(run, 1).output).isApprox(*decoder.resid_post.whole(), 1e-6F));
  const BlockSwitches joined_only{.has_output_projection = false};
  EXPECT_EQ(parts_of(run, 1, joined_only).output, decoder.z);
}

}  // namespace
}  // namespace headlight
