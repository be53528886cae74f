#include "app/document/drawn_map.h"

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
TEST(TargetMap, ThousandsOfCellsAreFramedAsAreas) {
  Matrix wanted = Matrix::Zero(200, 200);
  wanted.block(10, 20, 100, 60).setOnes();
  wanted.block(110, 30, 50, 10).setOnes();  // below it, and narrower
  wanted(0, 199) = 0.5F;
  const std::vector<MapFrame> expected = {
      {FrameKind::drawn_map, 0, 1, 199, 200}, {FrameKind::drawn_map, 10, 110, 20, 80}, {FrameKind::drawn_map, 110, 160, 30, 40}};
  EXPECT_EQ(frames_of(wanted), expected);
  Matrix framed = Matrix::Zero(200, 200);
  for (const MapFrame& frame : frames_of(wanted)) {
    framed.block(frame.query_begin, frame.key_begin, frame.query_end - frame.query_begin, frame.key_end - frame.key_begin).array() += 1;
  }
  EXPECT_EQ(framed, Matrix(wanted.array().ceil())) << "each wanted cell once";
}

TEST(TargetMap, TheSandboxsEditsMakeThePromisedMap) {
  const DrawnMap painted{{1, 1}, {{2, 3, 0, 2, true}, {2, 3, 0, 1, false}}};  // query 2 on key 1
  SilentProgress progress;
  const auto trained = train_head(run_small(kSmall()), {painted.head, wanted_map(painted, 3, 3)}, 5, progress);
  ASSERT_EQ(trained->refusal, "");
  EXPECT_LT(trained->fit.losses.back(), trained->fit.losses.front());
  SandboxSpec spec = kSmall();
  apply_fit(spec, trained->fit);
  apply_fit(spec, trained->fit);
  EXPECT_EQ(spec.edits.size(), 2U) << "the same cells are edited once";
  EXPECT_LE((run_small(spec)->maps({1, 1}).weights - trained->fit.weights).cwiseAbs().maxCoeff(), 1e-6F);
}

TEST(TargetMap, AFigureOfItsHeadFramesWhatTheMaskAllowsOfIt) {
  const DrawnMap drawn_map{{1, 1}, {{0, 3, 1, 2, true}, {2, 3, 0, 1, true}}};  // key 1 for all queries, of which query 0 may not see it
  const auto snapshot = run_small(kSmall());
  const std::vector<MapFrame> expected{
      {FrameKind::drawn_map, 1, 2, 1, 2}, {FrameKind::drawn_map, 2, 3, 0, 1}, {FrameKind::drawn_map, 2, 3, 1, 2}};
  EXPECT_EQ(frames_of(drawn_map, *snapshot, {1, 1}), expected);
  EXPECT_TRUE(frames_of(drawn_map, *snapshot, {1, 0}).empty()) << "it is for another head";
  EXPECT_TRUE(frames_of(DrawnMap{{1, 1}, {}}, *snapshot, {1, 1}).empty());
  Snapshot of_a_model = *snapshot;
  of_a_model.query.model.name = "story-gpt";
  EXPECT_TRUE(frames_of(drawn_map, of_a_model, {1, 1}).empty()) << "only the sandbox is trained";
}

TEST(TargetMap, AHeadThatCannotBeFittedSaysWhy) {
  SilentProgress progress;
  EXPECT_THAT(train_head(run_small(kSmall()), {{0, 0}, Matrix::Zero(3, 3)}, 5, progress)->refusal, HasSubstr("no row"));
}

TEST(TargetMap, LaterStrokesEraseAndStrokesPastTheMapAreCut) {
  const DrawnMap drawn_map{{0, 0}, {{0, 9, 1, 9, true}, {1, 2, 1, 2, false}}};
  Matrix expected(2, 3);
  expected << 0, 1, 1, 0, 0, 1;
  EXPECT_EQ(wanted_map(drawn_map, 2, 3), expected);
}

TEST(TargetMap, MaskedCellsAreDropped) {
  Matrix wanted = Matrix::Ones(2, 2);
  EXPECT_EQ(drop_masked(wanted, MaskText("causal").cells({2, 2, {}})), 1);
  Matrix expected(2, 2);
  expected << 1, 0, 1, 1;
  EXPECT_EQ(wanted, expected);
}

}  // namespace
}  // namespace headlight
