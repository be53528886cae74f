#include "engine/model/sandbox.h"

#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;

TEST(Sandbox, HasTheSizesAskedFor) {
  const auto model = make_sandbox({.layers = 3, .d_model = 24, .heads = 6, .kind = SandboxKind::bidirectional});
  EXPECT_EQ(model->config.layers, 3);
  EXPECT_EQ(model->config.heads.d_head, 4);
  EXPECT_FALSE(model->config.mask.is_causal);
  EXPECT_FALSE(model->config.has_logits);
  EXPECT_TRUE(model->is_random);
  ASSERT_EQ(model->parameters.layers.size(), 3U);
  EXPECT_EQ(model->parameters.layers[0].ff_in.weight.rows(), 24);
  EXPECT_EQ(model->parameters.layers[0].ff_in.weight.cols(), 96);
}

// The integers were computed by a separate Python program from the words in random.h and sandbox.h.
TEST(Sandbox, ParametersHaveTheDocumentedBits) {
  const auto model = make_sandbox({.layers = 4, .seed = 7});
  const Matrix weight = model->parameters.layers[3].ff_out.weight.to_matrix();
  const auto scale = static_cast<float>(1.0 / std::sqrt(4.0) / std::sqrt(256.0));
  const int expected[] = {-205594, 1744389, -1551457};
  for (Index column = 0; column < 3; ++column) EXPECT_EQ(weight(0, column), static_cast<float>(expected[column]) / 2097152.0F * scale);
}

// Seeds S0-10.
TEST(Sandbox, SeedDecidesEveryBit) {
  const auto first = make_sandbox({.seed = 5}), again = make_sandbox({.seed = 5}), other = make_sandbox({.seed = 6});
  EXPECT_EQ(first->parameters.layers[2].v.weight.to_matrix(), again->parameters.layers[2].v.weight.to_matrix());
  EXPECT_NE(first->parameters.layers[2].v.weight.to_matrix(), other->parameters.layers[2].v.weight.to_matrix());
}

// Seeds S2-11: biases are drawn beside the other numbers, which keep their bits.
TEST(Sandbox, BiasesAreLeftAwayZeroOrDrawnAndChangeNoOtherNumber) {
  const auto without = make_sandbox({}), random = make_sandbox({.biases = SandboxBiases::random});
  const LayerParameters &plain = without->parameters.layers[1], &drawn = random->parameters.layers[1];
  for (Linear LayerParameters::*part : {&LayerParameters::q, &LayerParameters::k, &LayerParameters::v, &LayerParameters::o}) {
    EXPECT_EQ((plain.*part).bias.size(), 0);
    EXPECT_EQ((plain.*part).weight.to_matrix(), (drawn.*part).weight.to_matrix());
    ASSERT_EQ((drawn.*part).bias.size(), 64);
    EXPECT_GT((drawn.*part).bias.norm(), 0.1F);
    EXPECT_EQ((make_sandbox({.biases = SandboxBiases::zero})->parameters.layers[1].*part).bias, RowVector::Zero(64));
  }
  EXPECT_NE(drawn.q.bias, drawn.k.bias);
  EXPECT_EQ(plain.ff_in.weight.to_matrix(), drawn.ff_in.weight.to_matrix());
}

// Seeds S0-2: four different projections.
TEST(Sandbox, ProjectionsAreIndependent) {
  const auto model = make_sandbox({});
  const LayerParameters& layer = model->parameters.layers[0];
  EXPECT_NE(layer.q.weight.to_matrix(), layer.k.weight.to_matrix());
  EXPECT_NE(layer.k.weight.to_matrix(), layer.v.weight.to_matrix());
  EXPECT_NE(layer.v.weight.to_matrix(), layer.o.weight.to_matrix());
}

// Seeds S1-2: the head count changes how the matrices are split, not what they hold.
TEST(Sandbox, HeadCountChangesNoParameter) {
  const auto eight = make_sandbox({.heads = 8}), two = make_sandbox({.heads = 2});
  for (std::size_t layer = 0; layer < eight->parameters.layers.size(); ++layer) {
    EXPECT_EQ(eight->parameters.layers[layer].q.weight.to_matrix(), two->parameters.layers[layer].q.weight.to_matrix());
    EXPECT_EQ(eight->parameters.layers[layer].o.weight.to_matrix(), two->parameters.layers[layer].o.weight.to_matrix());
  }
  EXPECT_EQ(tally_parameters(eight->parameters).numbers, tally_parameters(two->parameters).numbers);
}

TEST(Sandbox, CountsItsParameters) {
  // Per layer 12 d² of matrices and two norms of 2 d; then the final norm.
  EXPECT_EQ(tally_parameters(make_sandbox({.layers = 2, .d_model = 16, .heads = 4})->parameters).numbers,
            2 * (12 * 16 * 16 + 4 * 16) + 2 * 16);
}

TEST(Sandbox, LearnedPositionsAreATableWithALimit) {
  const auto model = make_sandbox({.positions = PositionKind::learned});
  EXPECT_EQ(model->config.positions.most, 1024);
  EXPECT_EQ(model->parameters.embedding.positions.rows(), 1024);
  EXPECT_EQ(make_sandbox({.positions = PositionKind::sinusoidal})->config.positions.most, 0);
}

TEST(Sandbox, IllegalSizesAreRefusedWithTheirNumbers) {
  EXPECT_NE(error_of([] { make_sandbox({.d_model = 64, .heads = 7}); }).message().find("7 heads do not divide d_model 64"),
            std::string::npos);
  EXPECT_NE(error_of([] { make_sandbox({.layers = 0}); }).message().find("found 0"), std::string::npos);
  EXPECT_NE(error_of([] { make_sandbox({.d_model = -4}); }).message().find("found -4"), std::string::npos);
  EXPECT_EQ(error_of([] { make_sandbox({.layers = 10'000, .d_model = 1 << 20, .heads = 1}); }).kind(), ErrorKind::limit);
}

TEST(Sandbox, CanBeCancelledWhileItIsMade) {
  struct Cancelling final : Progress {
    void step(double, std::string_view) override { throw Cancelled{}; }
  } cancelling;
  ThreadPool two(2);
  EXPECT_THROW(make_sandbox({}, two, cancelling), Cancelled);
}

}  // namespace
}  // namespace headlight
