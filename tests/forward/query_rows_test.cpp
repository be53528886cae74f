// Queries that a long text's trace does not keep: projected again, they have the bits of those that the run used.
#include <gtest/gtest.h>

#include "engine/forward/forward.h"
#include "engine/model/sandbox.h"
#include "tests/kernels/random_matrix.h"

namespace headlight {
namespace {

using testing::random_matrix;

struct Case {
  std::string name;
  SandboxSpec spec;
  QueryKeyNorm norm = QueryKeyNorm::none;
  std::optional<int> heads = {};
  bool has_biases = true;
};

std::vector<Case> cases() {
  const SandboxSpec plain{.layers = 1, .d_model = 24, .heads = 3};
  SandboxSpec grouped{.layers = 1, .d_model = 64, .heads = 8, .kv_heads = 2}, rotary = grouped, yarn = grouped, biased = plain,
                                                                              post = plain;
  rotary.positions = yarn.positions = PositionKind::rotary;
  yarn.rotary.scaling = {.kind = RotaryScaling::Kind::dynamic, .factor = 4, .original_positions = 8};
  biased.biases = SandboxBiases::random;
  post.norm_place = NormPlace::after;
  return {{"plain", plain},
          {"grouped", grouped},
          {"rotary", rotary},
          {"rotary whose angles depend on the text's length", yarn},
          {"biases", biased},
          {"biases left out", biased, QueryKeyNorm::none, {}, false},
          {"norm after", post},
          {"other heads", rotary, QueryKeyNorm::none, 4},
          {"a norm for each head", rotary, QueryKeyNorm::each_head},
          {"a norm over all heads", rotary, QueryKeyNorm::all_heads}};
}

std::shared_ptr<const Model> model_of(const Case& each) {
  auto model = std::make_shared<Model>(*make_sandbox(each.spec));
  model->config.scores.query_key_norm = each.norm;
  const Index width = each.norm == QueryKeyNorm::each_head ? model->config.heads.d_head : model->config.d_model;
  if (each.norm == QueryKeyNorm::none) return model;
  LayerParameters& layer = model->parameters.layers[0];
  layer.q_norm = {.gain = random_matrix("gain", 1, width).row(0), .kind = NormKind::rms_norm};
  const Index of_keys = each.norm == QueryKeyNorm::each_head ? width : layer.k.weight.cols();
  layer.k_norm = {.gain = random_matrix("gain of k", 1, of_keys).row(0), .kind = NormKind::rms_norm};
  return model;
}

class QueriesAgain : public ::testing::TestWithParam<Case> {
 protected:
  static constexpr Index kTokens = 21;

  LayerInput again() const {
    LayerInput input;
    input.projects_queries_again = model;
    return input;
  }
  /// What is not in `more`: the stream and the masks.
  std::shared_ptr<const LayerTrace> run(const LayerInput& more = {}) const {
    Query query;
    query.heads = GetParam().heads;
    query.block.has_biases = GetParam().has_biases;
    const LayerRequest request = request_of_layer(query, *model, 0);
    LayerInput input = more;
    input.resid_pre = random_matrix("x", kTokens, model->config.d_model);
    input.masks = layer_masks({}, 0, request.counts.heads, "causal", {kTokens, kTokens, {}});
    ThreadPool pool(2);
    return run_layer(*model, 0, request, input, pool, {});
  }

  const std::shared_ptr<const Model> model = model_of(GetParam());
};

TEST_P(QueriesAgain, AllRowsSomeRowsAndTheRowsOfAHeadHaveTheBitsOfThoseThatAreKept) {
  const auto kept = run(), projected = run(again());
  EXPECT_TRUE(kept->q.is_kept());
  ASSERT_FALSE(projected->q.is_kept());
  EXPECT_EQ(projected->q.rows(), kTokens);
  EXPECT_EQ(projected->q.cols(), kept->q.cols());
  EXPECT_EQ(*projected->q.whole(), *kept->q.whole());
  EXPECT_EQ(*projected->q.from_row(13), *kept->q.from_row(13));
  EXPECT_EQ(projected->q.middle_rows(5, 2), kept->q.middle_rows(5, 2));
  EXPECT_EQ(projected->q.middle_rows(0, 1), kept->q.middle_rows(0, 1));
  EXPECT_EQ(projected->z, kept->z);
  EXPECT_EQ(projected->resid_post, kept->resid_post);
  for (int head = 0; head < kept->heads; ++head) {
    Matrix copy, other;
    EXPECT_EQ(Matrix(head_columns(projected->q, kept->heads, head, copy)), Matrix(head_columns(kept->q, kept->heads, head, other)));
    EXPECT_EQ(rebuild_head(*projected, head).scores, rebuild_head(*kept, head).scores);
  }
}

TEST_P(QueriesAgain, ARunThatSharesItsFirstRowsEndsInTheSame) {
  const auto whole = run(), before = run(again());
  LayerInput more = again();
  more.before = before.get();
  more.known_rows = 17;
  more.first_map_row = 12;
  const auto after = run(more);
  EXPECT_EQ(*after->q.whole(), *whole->q.whole());
  EXPECT_EQ(after->z, whole->z);
  EXPECT_EQ(after->resid_post, whole->resid_post);
}

TEST_P(QueriesAgain, TakeNoMemoryOfTheTrace) {
  Trace kept, projected;
  kept.layers = {run()};
  projected.layers = {run(again())};
  EXPECT_EQ(bytes_of(kept) - bytes_of(projected), static_cast<std::size_t>(kept.layers[0]->q.size()) * sizeof(float));
}

INSTANTIATE_TEST_SUITE_P(Kinds, QueriesAgain, ::testing::ValuesIn(cases()), [](const auto& tested) {
  std::string name;
  for (const char letter : tested.param.name) name += letter == ' ' || letter == '\'' ? '_' : letter;
  return name;
});

}  // namespace
}  // namespace headlight
