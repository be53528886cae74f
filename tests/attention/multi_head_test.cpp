#include "engine/attention/multi_head.h"

#include <gtest/gtest.h>

#include <atomic>

#include "tests/attention/random_matrix.h"
#include "tests/reference/slow_attention.h"

namespace headlight {
namespace {

using testing::random_matrix;

struct Projections {
  Linear q, k, v, o;
  MultiHeadParameters view() const { return {q, k, v, o}; }
};

Projections random_projections(Index width, bool has_bias = true) {
  const auto linear = [&](const std::string& name) {
    Linear part{random_matrix(name, width, width, 0.2F), {}};
    if (has_bias) part.bias = random_matrix(name + ".bias", 1, width).row(0);
    return part;
  };
  return {linear("q"), linear("k"), linear("v"), linear("o")};
}

MultiHeadSettings settings_of(int heads, const Mask& mask, float factor = 0.5F) {
  const HeadRule rule{.factor = factor, .mask = std::make_shared<const Mask>(mask)};
  return {.rules = std::vector<HeadRule>(static_cast<std::size_t>(heads), rule)};
}

struct Attended {
  MultiHeadResult result;
  std::vector<Matrix> weights;
};

Attended run(const Matrix& query, const Matrix& key, const Matrix& value, const Projections& projections, const MultiHeadSettings& settings,
             int threads = 2) {
  ThreadPool pool(threads);
  Attended attended;
  attended.weights.resize(settings.rules.size());
  const HeadObserver observer = [&](int head, const Matrix& weights, const Mask&) {
    attended.weights[static_cast<std::size_t>(head)] = weights;
  };
  attended.result = attend(query, key, value, projections.view(), settings, pool, observer);
  return attended;
}

// Seeds S0-3 and S0-8: head h owns columns [h·d_head, (h+1)·d_head) of q, k, v and of the concatenation, exactly.
TEST(MultiHead, HeadsOwnTheirColumnsOfEveryProjection) {
  const Matrix x = random_matrix("x", 6, 12);
  const Projections projections = random_projections(12);
  const Attended joined = run(x, x, x, projections, settings_of(3, Mask(6, 6, true)));
  ThreadPool pool(1);
  EXPECT_EQ(joined.result.projected.q, apply_linear(x, projections.q, pool));
  for (int head = 0; head < 3; ++head) {
    EXPECT_EQ(Matrix(head_columns(joined.result.projected.q, 3, head)), joined.result.projected.q.middleCols(head * 4, 4));
    Matrix z(6, 4);
    mix_values(joined.weights[static_cast<std::size_t>(head)], head_columns(joined.result.projected.v, 3, head), z);
    EXPECT_EQ(Matrix(joined.result.z.middleCols(head * 4, 4)), z);
  }
  EXPECT_EQ(joined.result.output, apply_linear(joined.result.z, projections.o, pool));
}

// Seeds S0-5.
TEST(MultiHead, NoMaskEqualsTheMaskOfOnes) {
  const Matrix x = random_matrix("x", 5, 8);
  const Projections projections = random_projections(8);
  const Attended ones = run(x, x, x, projections, settings_of(2, Mask(5, 5, true)));
  const Attended none = run(x, x, x, projections, settings_of(2, MaskText("none").cells({5, 5, {}})));
  EXPECT_EQ(ones.result.output, none.result.output);
}

// Seeds S0-9 and S2-8: separate inputs, other lengths; the values play no part in the weights.
TEST(MultiHead, TakesSeparateQueriesKeysAndValues) {
  const Matrix query = random_matrix("query", 4, 8), key = random_matrix("key", 6, 8), value = random_matrix("value", 6, 8);
  const Projections projections = random_projections(8);
  const MultiHeadSettings settings = settings_of(2, Mask(4, 6, true));
  const Attended first = run(query, key, value, projections, settings);
  const Attended second = run(query, key, random_matrix("other", 6, 8), projections, settings);
  EXPECT_EQ(first.weights[0].rows(), 4);
  EXPECT_EQ(first.weights[0].cols(), 6);
  EXPECT_EQ(first.weights, second.weights);
  EXPECT_NE(first.result.output, second.result.output);
}

TEST(MultiHead, AgreesWithTheSlowSecondOpinion) {
  const Matrix query = random_matrix("query", 9, 24), key = random_matrix("key", 13, 24), value = random_matrix("value", 13, 24);
  for (const bool has_bias : {false, true}) {
    const Projections projections = random_projections(24, has_bias);
    for (const int heads : {1, 2, 3, 4, 6, 8, 12, 24}) {
      const Mask mask = MaskText("window:4").cells({9, 13, {}});
      const Attended fast = run(query, key, value, projections, settings_of(heads, mask));
      const auto slow =
          testing::slow_multi_head(testing::to_table(query), testing::to_table(key), testing::to_table(value), projections.q, projections.k,
                                   projections.v, projections.o, heads, 0.5, [&](int, int from, int to) { return mask.allows(from, to); });
      EXPECT_LE(testing::largest_difference(slow.output, fast.result.output), 1e-5) << heads << " heads";
      for (std::size_t head = 0; head < fast.weights.size(); ++head) {
        EXPECT_LE(testing::largest_difference(slow.weights[head], fast.weights[head]), 1e-5) << heads << " heads";
      }
    }
  }
}

// Seeds D1: a row without keys gives the zero vector before the output projection; biases still apply.
TEST(MultiHead, FullyMaskedRowsMixNothingAndStayFinite) {
  const Matrix x = random_matrix("x", 4, 8);
  const Projections projections = random_projections(8);
  for (const int heads : {1, 8}) {
    Mask mask(4, 4, true);
    for (Index key = 0; key < 4; ++key) mask.set(2, key, false);
    const Attended masked = run(x, x, x, projections, settings_of(heads, mask));
    EXPECT_EQ(masked.result.z.row(2), Matrix::Zero(1, 8));
    EXPECT_TRUE(masked.result.output.row(2).isApprox(projections.o.bias));
    EXPECT_TRUE(masked.result.output.allFinite());
  }
}

TEST(MultiHead, ASilencedHeadMixesNothingButItsWeightsStay) {
  const Matrix x = random_matrix("x", 5, 8);
  const Projections projections = random_projections(8);
  MultiHeadSettings settings = settings_of(2, Mask(5, 5, true));
  const Attended full = run(x, x, x, projections, settings);
  settings.is_silenced = {false, true};
  const Attended cut = run(x, x, x, projections, settings);
  EXPECT_EQ(cut.result.z.rightCols(4), Matrix::Zero(5, 4));
  EXPECT_EQ(cut.result.z.leftCols(4), full.result.z.leftCols(4));
  EXPECT_EQ(cut.weights, full.weights);
}

// Seeds S0-10.
TEST(MultiHead, HasTheSameBitsForAnyNumberOfThreads) {
  const Matrix x = random_matrix("x", 37, 400);
  const Projections projections = random_projections(400);
  const MultiHeadSettings settings = settings_of(8, MaskText("causal").cells({37, 37, {}}));
  const Attended one = run(x, x, x, projections, settings, 1);
  for (const int threads : {2, 3, 7}) {
    const Attended several = run(x, x, x, projections, settings, threads);
    EXPECT_EQ(several.result.output, one.result.output);
    EXPECT_EQ(several.weights, one.weights);
  }
}

TEST(MultiHead, AnObserverThatThrowsStopsTheRun) {
  const Matrix x = random_matrix("x", 5, 8);
  const Projections projections = random_projections(8);
  ThreadPool pool(2);
  const HeadObserver cancelling = [](int, const Matrix&, const Mask&) { throw Cancelled{}; };
  EXPECT_THROW(attend(x, x, x, projections.view(), settings_of(2, Mask(5, 5, true)), pool, cancelling), Cancelled);
}

TEST(ApplyLinear, WiderThanOneBlockEqualsThePlainProduct) {
  const Matrix x = random_matrix("x", 7, 30);
  Linear linear{random_matrix("w", 30, 500), random_matrix("b", 1, 500).row(0)};
  ThreadPool pool(2);
  EXPECT_LE(testing::largest_difference(testing::slow_linear(testing::to_table(x), linear), apply_linear(x, linear, pool)), 1e-4);
}

}  // namespace
}  // namespace headlight
