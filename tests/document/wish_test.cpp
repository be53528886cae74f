#include "app/document/wish.h"

#include <gmock/gmock.h>

#include "engine/pipeline/pipeline.h"

namespace headlight {
namespace {

using ::testing::HasSubstr;

std::shared_ptr<const Snapshot> run_small(const SandboxSpec& spec) {
  Query query;
  query.model.sandbox = spec;
  query.text = "a b c";
  Pipeline pipeline(1);
  SilentProgress progress;
  return pipeline.run(query, progress);
}

constexpr auto kSmall = [] { return SandboxSpec{.layers = 2, .d_model = 16, .heads = 2}; };

// Seeds S4-12: what a fit puts into the sandbox makes the map that was promised.
TEST(Wish, ThousandsOfCellsAreFramedAsAreas) {
  Matrix wanted = Matrix::Zero(200, 200);
  wanted.block(10, 20, 100, 60).setOnes();
  wanted.block(110, 30, 50, 10).setOnes();  // below it, and narrower
  wanted(0, 199) = 0.5F;
  const std::vector<MapFrame> expected = {
      {FrameKind::wish, 0, 1, 199, 200}, {FrameKind::wish, 10, 110, 20, 80}, {FrameKind::wish, 110, 160, 30, 40}};
  EXPECT_EQ(frames_of(wanted), expected);
  Matrix framed = Matrix::Zero(200, 200);
  for (const MapFrame& frame : frames_of(wanted)) {
    framed.block(frame.query_begin, frame.key_begin, frame.query_end - frame.query_begin, frame.key_end - frame.key_begin).array() += 1;
  }
  EXPECT_EQ(framed, Matrix(wanted.array().ceil())) << "each wanted cell once";
}

TEST(Wish, TheSandboxsEditsMakeThePromisedMap) {
  const PaintedWish painted{{1, 1}, {{2, 3, 0, 2, true}, {2, 3, 0, 1, false}}};  // query 2 on key 1
  SilentProgress progress;
  const auto taught = teach(run_small(kSmall()), {painted.head, wanted_map(painted, 3, 3)}, 5, progress);
  ASSERT_EQ(taught->refusal, "");
  EXPECT_LT(taught->fit.losses.back(), taught->fit.losses.front());
  SandboxSpec spec = kSmall();
  apply_fit(spec, taught->fit);
  apply_fit(spec, taught->fit);
  EXPECT_EQ(spec.edits.size(), 2U) << "the same cells are edited once";
  EXPECT_LE((run_small(spec)->maps({1, 1}).weights - taught->fit.weights).cwiseAbs().maxCoeff(), 1e-6F);
}

TEST(Wish, AFigureOfItsHeadFramesWhatTheMaskAllowsOfIt) {
  const PaintedWish wish{{1, 1}, {{0, 3, 1, 2, true}, {2, 3, 0, 1, true}}};  // key 1 for all queries, of which query 0 may not see it
  const auto snapshot = run_small(kSmall());
  const std::vector<MapFrame> expected{{FrameKind::wish, 1, 2, 1, 2}, {FrameKind::wish, 2, 3, 0, 1}, {FrameKind::wish, 2, 3, 1, 2}};
  EXPECT_EQ(frames_of(wish, *snapshot, {1, 1}), expected);
  EXPECT_TRUE(frames_of(wish, *snapshot, {1, 0}).empty()) << "it is for another head";
  EXPECT_TRUE(frames_of(PaintedWish{{1, 1}, {}}, *snapshot, {1, 1}).empty());
  Snapshot of_a_model = *snapshot;
  of_a_model.query.model.name = "story-gpt";
  EXPECT_TRUE(frames_of(wish, of_a_model, {1, 1}).empty()) << "only the sandbox is taught";
}

TEST(Wish, AHeadThatCannotBeFittedSaysWhy) {
  SilentProgress progress;
  EXPECT_THAT(teach(run_small(kSmall()), {{0, 0}, Matrix::Zero(3, 3)}, 5, progress)->refusal, HasSubstr("no row"));
}

TEST(Wish, LaterStrokesEraseAndStrokesPastTheMapAreCut) {
  const PaintedWish wish{{0, 0}, {{0, 9, 1, 9, true}, {1, 2, 1, 2, false}}};
  Matrix expected(2, 3);
  expected << 0, 1, 1, 0, 0, 1;
  EXPECT_EQ(wanted_map(wish, 2, 3), expected);
}

TEST(Wish, MaskedCellsAreDropped) {
  Matrix wanted = Matrix::Ones(2, 2);
  EXPECT_EQ(drop_masked(wanted, MaskText("causal").cells({2, 2, {}})), 1);
  Matrix expected(2, 2);
  expected << 1, 0, 1, 1;
  EXPECT_EQ(wanted, expected);
}

}  // namespace
}  // namespace headlight
