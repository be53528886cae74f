// How often long work asks whether to go on, and that being asked changes nothing. Counted, not timed.
#include <gtest/gtest.h>

#include <atomic>

#include "engine/attention/head.h"
#include "engine/attention/multi_head.h"
#include "engine/attention/positions.h"
#include "engine/core/number_runs.h"
#include "engine/core/progress.h"
#include "engine/forward/block.h"
#include "engine/kernels/product.h"
#include "tests/kernels/random_matrix.h"

namespace headlight {
namespace {

using testing::random_matrix;

struct CountingProgress final : Progress {
  void step(double, std::string_view) override { check(); }
  void check() override {
    if (++checks > most) throw Cancelled{};
  }
  std::atomic<int> checks = 0;
  int most = std::numeric_limits<int>::max();
};

constexpr std::int64_t kSmallWork = 1 << 12;

template <typename Work>
int checks_of(const Work& work) {
  CountingProgress counting;
  work(Watch(counting, kSmallWork));
  return counting.checks;
}

TEST(Watch, TheDefaultAsksNobody) {
  Watch().check();
  EXPECT_EQ(Watch().rows_at_once(Watch::kWork), 1);
  EXPECT_EQ(Watch().rows_at_once(0), Watch::kWork);
}

TEST(Watch, ProductsInSlicesHaveTheBitsOfOneProduct) {
  SilentProgress silent;
  const Watch watch(silent, 1);  // the shortest slices
  for (const Index rows : {1, 3, 63, 64, 65, 129, 200, 301}) {
    for (const Index inner : {1, 2, 5, 16, 64, 100, 1300}) {
      for (const Index columns : {1, 3, 12, 17, 48, 65, 192}) {
        const Matrix a = random_matrix("a", rows, inner), b = random_matrix("b", inner, columns), c = b.transpose();
        Matrix whole(rows, columns), slices(rows, columns);
        multiply(a, b, whole);
        multiply(a, b, slices, watch);
        ASSERT_EQ(slices, whole) << rows << " × " << inner << " × " << columns;
        multiply_transposed(a, c, whole);
        multiply_transposed(a, c, slices, watch);
        ASSERT_EQ(slices, whole) << rows << " × " << inner << " × " << columns << ", transposed";
      }
    }
  }
}

TEST(Watch, AProductAsksAtLeastOncePerSixtyFourRowsOrStatedWork) {
  const Matrix a = random_matrix("a", 640, 8), b = random_matrix("b", 8, 100);
  Matrix out(640, 100);
  EXPECT_GE(checks_of([&](const Watch& watch) { multiply(a, b, out, watch); }), 640 / 64);
  CountingProgress counting;
  multiply(a, b, out, counting);
  EXPECT_EQ(counting.checks, 1) << "small products are not cut";
}

TEST(Watch, AProductAsksAtLeastOncePerSixteenMebibytesThatItWrites) {
  const Matrix a = random_matrix("a", 2000, 4), b = random_matrix("b", 4, 20'000);
  Matrix whole(2000, 20'000), slices(2000, 20'000);
  multiply(a, b, whole);
  CountingProgress counting;
  multiply(a, b, slices, counting);  // little work, and much fresh memory
  EXPECT_GE(counting.checks, (whole.size() >> 22U) + 1);
  EXPECT_TRUE(slices == whole);
}

/// Work of 300 queries and 200 keys, 4 wide.
struct LongHead {
  Matrix q = random_matrix("q", 300, 4), k = random_matrix("k", 200, 4), v = random_matrix("v", 200, 4);
  HeadRule rule = [] {
    HeadRule made{.softcap = 5, .sink = 0.5F, .softmax_precision = SoftmaxPrecision::bfloat16};
    made.mask = std::make_shared<const Mask>(MaskText("causal + window:90").cells({300, 200, {}}));
    made.bias.by_distance = std::make_shared<const RowVector>(random_matrix("bias", 1, 499).row(0));
    return made;
  }();
};

TEST(Watch, EveryStepOfAHeadAsksRowByRow) {
  const LongHead head;
  const auto in_steps = [&](const Watch& watch) {
    Matrix weights, z(300, 4);
    attend_head(head.q, head.k, head.v, head.rule, weights, z, watch);
  };
  EXPECT_GE(checks_of(in_steps), 3 * 300 + 2 * 300 / 64) << "bias, mask and softmax by rows, both products by 64 rows";
  EXPECT_GE(checks_of([&](const Watch& watch) { compute_maps(head.q, head.k, head.rule, watch); }), 4 * 300);
  EXPECT_GE(checks_of([&](const Watch& watch) { MaskText("prefix:3").cells({300, 200, {}}, watch); }), 2 * 300);
  for (const ScoreKind score : {ScoreKind::additive, ScoreKind::relative}) {
    ScoreParameters parameters{.additive = random_matrix("w", 1, 4).row(0), .distance_keys = {}, .key_bias = {}, .distance_bias = {}};
    parameters.distance_bias = random_matrix("s", 1, 499).row(0);
    const HeadRule rule{.score = score, .parameters = std::make_shared<const ScoreParameters>(parameters)};
    Matrix scores;
    EXPECT_GE(checks_of([&](const Watch& watch) { compute_scores(head.q, head.k, rule, scores, watch); }), 300);
  }
}

TEST(Watch, AWatchedHeadHasTheBitsOfOneThatNobodyWatches) {
  const LongHead head;
  SilentProgress silent;
  Matrix alone, watched, z_alone(300, 4), z_watched(300, 4);
  attend_head(head.q, head.k, head.v, head.rule, alone, z_alone);
  attend_head(head.q, head.k, head.v, head.rule, watched, z_watched, Watch(silent, 1));
  EXPECT_EQ(watched, alone);
  EXPECT_EQ(z_watched, z_alone);
}

TEST(Watch, PartsOfABlockAskTokenByToken) {
  const Matrix x = random_matrix("x", 300, 16);
  const Norm norm{RowVector::Ones(16), RowVector::Zero(16)};
  ThreadPool pool(2);
  LayerParameters parameters;
  parameters.ff_gate = parameters.ff_in = {random_matrix("in", 16, 16), {}};
  parameters.ff_out = {random_matrix("out", 16, 16), {}};
  for (const NormKind kind : {NormKind::layer_norm, NormKind::rms_norm}) {
    EXPECT_GE(checks_of([&](const Watch& watch) { normalise(x, {norm.gain, norm.bias, kind}, watch); }), 300);
  }
  EXPECT_GE(checks_of([&](const Watch& watch) { feed_forward(parameters, Activation::silu, x, nullptr, pool, watch); }), 3 * 2)
      << "three products, each by 256 rows and 48 columns: a millisecond or two";
  Matrix turned = x;
  EXPECT_GE(checks_of([&](const Watch& watch) { rotate_positions(turned, 2, {}, 0, false, watch); }), 300);
}

TEST(Watch, ACancelLeavesAProductAtItsNextSlice) {
  const Matrix a = random_matrix("a", 640, 8), b = random_matrix("b", 8, 100);
  Matrix out = Matrix::Zero(640, 100);
  CountingProgress counting;
  counting.most = 3;
  EXPECT_THROW(multiply(a, b, out, Watch(counting, 1)), Cancelled);
  EXPECT_NE(out.row(191), RowVector::Zero(100));
  EXPECT_EQ(out.row(192), RowVector::Zero(100));
}

TEST(NumberRuns, CoverEveryNumberOnceAndAskBeforeEach) {
  CountingProgress counting;
  Index seen = 0, runs = 0;
  for_number_runs(2 * kNumbersAtOnce + 5, counting, [&](Index begin, Index count) {
    EXPECT_EQ(begin, seen);
    seen += count;
    ++runs;
  });
  EXPECT_EQ(seen, 2 * kNumbersAtOnce + 5);
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(counting.checks, 3);
  const Matrix numbers = random_matrix("n", 3, 7);
  EXPECT_EQ(copy_numbers(numbers, counting), numbers);
}

}  // namespace
}  // namespace headlight
