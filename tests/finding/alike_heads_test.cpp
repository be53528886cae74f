// More like this: heads by Jensen–Shannon divergence and by the cosine of their outputs.
#include "engine/finding/alike_heads.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/measures/pair_measure.h"
#include "tests/finding/question_testing.h"

namespace headlight {
namespace {

using testing::full_mask, testing::layer_of, testing::sandbox_run, testing::snapshot_of;

std::vector<AlikeHead> alike(const std::vector<std::shared_ptr<const Snapshot>>& runs, HeadId head, int threads = 2) {
  ThreadPool pool(threads);
  SilentProgress progress;
  return heads_alike(runs, head, pool, progress);
}

Matrix causal_even() {
  Matrix map = Matrix::Zero(4, 4);
  for (Index query = 0; query < 4; ++query) map.row(query).head(query + 1).setConstant(1.0F / static_cast<float>(query + 1));
  return map;
}

std::shared_ptr<const Snapshot> shared(Snapshot run) {
  return std::make_shared<const Snapshot>(std::move(run));
}

TEST(AlikeHeads, HaveTheDivergenceOfTheWorkedExample) {
  const auto mask = std::make_shared<const Mask>(worked_mask());
  const auto run = shared(snapshot_of({"a", "b", "a", "b"}, {layer_of({worked_map(), causal_even(), worked_map()}, mask)}));
  const std::vector<AlikeHead> found = alike({run}, {0, 0});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].head, (HeadId{0, 2})) << "the same map first";
  EXPECT_EQ(found[0].divergence, 0);
  EXPECT_EQ(found[1].head, (HeadId{0, 1}));
  EXPECT_NEAR(found[1].divergence, 0.020470, 1e-6);
  EXPECT_EQ(found[1].rows, 3);
  EXPECT_TRUE(std::isnan(found[1].agreement)) << "maps alone have no outputs";
}

TEST(AlikeHeads, WithoutAKeyInCommonAreApartByLn2) {
  Matrix a = Matrix::Zero(4, 4), b = Matrix::Zero(4, 4);
  a.col(0).setOnes();
  b.col(3).setOnes();
  const auto run = shared(snapshot_of({"a", "b", "c", "d"}, {layer_of({a, b}, full_mask(4))}));
  EXPECT_NEAR(alike({run}, {0, 0}).front().divergence, std::numbers::ln2, 1e-6);
}

TEST(AlikeHeads, AreThoseOfTheWholeMapsAndOutputs) {
  const auto run = sandbox_run("the cat sat on the mat and the dog sat on the cat");
  const HeadId own{1, 1};
  for (const AlikeHead& each : alike({run}, own)) {
    const LayerTrace& a = run->trace.layer(own.layer);
    const LayerTrace& b = run->trace.layer(each.head.layer);
    Matrix z_a, z_b;
    const MatrixView output_a = head_columns(a.z, a.heads, own.head, z_a), output_b = head_columns(b.z, b.heads, each.head.head, z_b);
    const Matrix weights_a = run->maps(own).weights, weights_b = run->maps(each.head).weights;
    const Mask& mask = a.mask(own.head);
    EXPECT_NEAR(each.divergence, compare_maps(pair_measure_of("jensen-shannon"), mask, weights_a, weights_b), 1e-9);
    EXPECT_NEAR(each.agreement, compare_maps(pair_measure_of("output-agreement"), mask, weights_a, weights_b, output_a, output_b), 1e-9);
  }
}

TEST(AlikeHeads, OfOtherRunsAreComparedWhereTheirMapsHaveTheSameSize) {
  const auto run = sandbox_run("the cat sat on the mat"), same = sandbox_run("the cat sat on the mat");
  const auto longer = sandbox_run("the cat sat on the mat today");
  const std::vector<AlikeHead> found = alike({run, same, longer}, {0, 1});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().run, 1U) << "the same head of an equal run is the most alike";
  EXPECT_EQ(found.front().head, (HeadId{0, 1}));
  EXPECT_EQ(found.front().divergence, 0);
  EXPECT_NEAR(found.front().agreement, 1, 1e-6);
  const auto heads = static_cast<std::size_t>(run->layers() * run->heads());
  EXPECT_EQ(found.size(), 2 * heads - 1) << "itself and the longer text are left out";
}

TEST(AlikeHeads, CanBeSortedByEitherNumber) {
  std::vector<AlikeHead> heads{{0, {0, 1}, 0.1, 3, 0.2, 0}, {0, {0, 2}, 0.3, 3, 0.9, 0}, {0, {0, 3}, 0.2, 3, std::nan(""), 0}};
  sort_alike(heads, AlikeBy::agreement);
  EXPECT_EQ(heads[0].head.head, 2);
  EXPECT_EQ(heads[1].head.head, 1);
  EXPECT_EQ(heads[2].head.head, 3) << "without that number last";
  sort_alike(heads, AlikeBy::divergence);
  EXPECT_EQ(heads[0].head.head, 1);
  EXPECT_EQ(heads[1].head.head, 3);
}

}  // namespace
}  // namespace headlight
