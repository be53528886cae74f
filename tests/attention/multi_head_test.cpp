#include "engine/attention/multi_head.h"

#include <gtest/gtest.h>

#include <atomic>

#include "tests/attention/collect_maps.h"
#include "tests/kernels/random_matrix.h"
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
  const int heads = static_cast<int>(settings.rules.size());
  const HeadObserver observer = testing::collect_maps(attended.weights, heads, query.rows(), key.rows());
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
    const auto own = [&](const Matrix& all) { return Matrix(all.middleCols(head * 4, 4)); };
    Matrix weights, z(6, 4);
    attend_head(own(joined.result.projected.q), own(joined.result.projected.k), own(joined.result.projected.v),
                {.factor = 0.5F, .mask = std::make_shared<const Mask>(6, 6, true)}, weights, z);
    EXPECT_EQ(joined.weights[static_cast<std::size_t>(head)], weights) << "head " << head << " compared other columns of q and k";
    EXPECT_EQ(own(joined.result.z), z);
  }
  EXPECT_EQ(joined.result.output, apply_linear(joined.result.z, projections.o, pool));
}

// Seeds S0-5: what the window and the command line call "none". That an absent mask is the same: TensorAttention.NoMaskEqualsTheMaskOfOnes.
TEST(MultiHead, TheMaskTextNoneIsTheMaskOfOnes) {
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

// Seeds S0-6: one mask [1, keys] of an item for all heads and queries: its keys are exactly 0 in every row of every head.
TEST(MultiHead, MaskedKeysAreZeroInEveryRowOfEveryHead) {
  const Matrix x = random_matrix("x", 12, 64);
  const Attended attended = run(x, x, x, random_projections(64), settings_of(8, MaskText("padding:7").cells({12, 12, {}})));
  ASSERT_EQ(attended.weights.size(), 8U);
  for (const Matrix& weights : attended.weights) {
    EXPECT_EQ(weights.rightCols(5), Matrix::Zero(12, 5));
    EXPECT_TRUE((weights.leftCols(7).array() > 0).all());
    EXPECT_LE((weights.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-6F);
  }
}

// Seeds S0-2: editing one of the four matrices changes the output and leaves what the other ones compute as it was.
TEST(MultiHead, EachOfTheFourMatricesCountsOnItsOwn) {
  const Matrix x = random_matrix("x", 5, 8);
  const Projections projections = random_projections(8);
  const MultiHeadSettings settings = settings_of(2, Mask(5, 5, true));
  const Attended before = run(x, x, x, projections, settings);
  for (Linear Projections::*edited : {&Projections::q, &Projections::k, &Projections::v, &Projections::o}) {
    Projections other = projections;
    Matrix weight = (other.*edited).weight.to_matrix();
    weight(1, 2) += 0.5F;
    (other.*edited).weight = weight;
    const Attended after = run(x, x, x, other, settings);
    EXPECT_NE(after.result.output, before.result.output);
    EXPECT_EQ(after.result.projected.q == before.result.projected.q, edited != &Projections::q);
    EXPECT_EQ(after.result.projected.k == before.result.projected.k, edited != &Projections::k);
    EXPECT_EQ(after.result.projected.v == before.result.projected.v, edited != &Projections::v);
    EXPECT_EQ(after.result.z == before.result.z, edited == &Projections::o);
  }
}

// Seeds S1-1 and S2-3: heads as a list of independent ones, each with matrices of its own, equal the fused form.
TEST(MultiHead, AListOfSeparateHeadsEqualsTheFusedMatrices) {
  const Matrix x = random_matrix("x", 9, 24);
  const Projections projections = random_projections(24);
  const MultiHeadSettings settings = settings_of(4, MaskText("causal").cells({9, 9, {}}));
  const Attended fused = run(x, x, x, projections, settings);
  ThreadPool pool(1);
  Matrix joined(9, 24);
  for (Index head = 0; head < 4; ++head) {
    const auto own = [&](const Linear& all) {
      return apply_linear(x, {Matrix(all.weight.to_matrix().middleCols(head * 6, 6)), all.bias.segment(head * 6, 6)}, pool);
    };
    Matrix weights;
    attend_head(own(projections.q), own(projections.k), own(projections.v), settings.rules[0], weights, joined.middleCols(head * 6, 6));
    EXPECT_LE((weights - fused.weights[static_cast<std::size_t>(head)]).cwiseAbs().maxCoeff(), 1e-6F);
  }
  EXPECT_LE((apply_linear(joined, projections.o, pool) - fused.result.output).cwiseAbs().maxCoeff(), 1e-5F);
}

// Seeds S2-4: (n, H) to h blocks of (n, H/h) and back is the identity.
TEST(MultiHead, SplittingIntoHeadsAndJoiningIsTheIdentity) {
  for (const int heads : {1, 2, 5, 10, 30}) {
    const Matrix x = random_matrix("x", 7, 30);
    Matrix joined(7, 30);
    for (int head = 0; head < heads; ++head) joined.middleCols(head * (30 / heads), 30 / heads) = head_columns(x, heads, head);
    EXPECT_EQ(joined, x) << heads << " heads";
  }
}

// Seeds S2-1: widths of queries, keys and values may differ, those of heads and values too; the output has the width of W_O.
TEST(MultiHead, ProjectionsNeedNotBeSquare) {
  const Matrix query = random_matrix("query", 4, 5), key = random_matrix("key", 6, 9), value = random_matrix("value", 6, 7);
  const auto linear = [](const std::string& name, Index in, Index out) {
    return Linear{random_matrix(name, in, out, 0.3F), random_matrix(name + ".bias", 1, out).row(0)};
  };
  const Projections projections{linear("q", 5, 2 * 3), linear("k", 9, 2 * 3), linear("v", 7, 2 * 4), linear("o", 2 * 4, 11)};
  const Attended attended = run(query, key, value, projections, settings_of(2, Mask(4, 6, true)));
  EXPECT_EQ(attended.result.output.cols(), 11);
  Matrix z(4, 8);
  for (int head = 0; head < 2; ++head) {
    const testing::SlowHead slow = testing::slow_head(
        testing::slow_columns(testing::slow_linear(testing::to_table(query), projections.q), static_cast<std::size_t>(head) * 3, 3),
        testing::slow_columns(testing::slow_linear(testing::to_table(key), projections.k), static_cast<std::size_t>(head) * 3, 3),
        testing::slow_columns(testing::slow_linear(testing::to_table(value), projections.v), static_cast<std::size_t>(head) * 4, 4),
        {.mask = std::make_shared<const Mask>(4, 6, true)}, 0.5);
    EXPECT_LE(testing::largest_difference(slow.z, head_columns(attended.result.z, 2, head)), 1e-5) << "head " << head;
  }
}

// Seeds S3-12: the output bias is added to every row, exactly; the value bias reaches z whole, as rows of weights sum to 1.
TEST(MultiHead, BiasesChangeTheResultByTheirTerms) {
  const Matrix x = random_matrix("x", 6, 12);
  const Projections with = random_projections(12);
  const MultiHeadSettings settings = settings_of(3, Mask(6, 6, true));
  const Attended full = run(x, x, x, with, settings);
  Projections without = with;
  without.o.bias.resize(0);
  EXPECT_EQ(full.result.output, Matrix(run(x, x, x, without, settings).result.output.rowwise() + with.o.bias));
  without.v.bias.resize(0);
  const Matrix difference = full.result.z - run(x, x, x, without, settings).result.z;
  EXPECT_LE((difference.rowwise() - with.v.bias).cwiseAbs().maxCoeff(), 1e-5F);
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

TEST(MultiHead, AHeadThatIsSwitchedOffMixesNothingButItsWeightsStay) {
  const Matrix x = random_matrix("x", 5, 8);
  const Projections projections = random_projections(8);
  MultiHeadSettings settings = settings_of(2, Mask(5, 5, true));
  const Attended full = run(x, x, x, projections, settings);
  settings.is_switched_off = {false, true};
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
  const HeadObserver cancelling = [](int, const HeadRows&) { throw Cancelled{}; };
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
