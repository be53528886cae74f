// What the pipeline keeps from one run to the next, also after a cancel or an error.
#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "engine/pipeline/pipeline.h"
#include "tests/pipeline/cancel_at.h"
#include "tests/pipeline/random_edits.h"
#include "tests/pipeline/same_bits.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using testing::CancelAt;
using testing::edit;
using testing::error_of;
using testing::expect_same_bits;
using testing::has_same_bits;
using ::testing::HasSubstr;
using testing::query_of;
using testing::run;

TEST(Pipeline, UnchangedStagesAreReused) {
  Pipeline pipeline(2);
  Query query = query_of("The cat sat on the mat");
  const auto first = run(pipeline, query);
  EXPECT_EQ(first->cost.layers_reused, 0);
  EXPECT_EQ(run(pipeline, query)->cost.layers_reused, 4);

  query.mask.rules.push_back({{Scope::Kind::head, {2, 1}}, "none", {}});
  const auto edited = run(pipeline, query);
  EXPECT_EQ(edited->cost.layers_reused, 2);
  EXPECT_EQ(edited->cost.layers_computed, 2);
  EXPECT_EQ(edited->trace.layers[1], first->trace.layers[1]);
  EXPECT_NE(edited->trace.layers[2], first->trace.layers[2]);

  query.text += "  ";  // blanks are no tokens: the numbers stay
  EXPECT_EQ(run(pipeline, query)->cost.layers_reused, 4);
  query.text += "now";
  EXPECT_EQ(run(pipeline, query)->cost.layers_reused, 0);
}

TEST(Pipeline, ALayerAloneHasTheBitsOfTheWholeRunAndLeavesNothingBehind) {
  Pipeline alone(2), reusing(2);
  RandomStream random(5, "edits");
  Query query = query_of("The cat sat on the mat");
  SilentProgress progress;
  int forgotten = 0;
  for (int step = 0; step < 60; ++step) {
    edit(query, random);
    const auto whole = run(reusing, query);
    const int layer = static_cast<int>(random.next() % static_cast<std::uint64_t>(whole->layers()));
    const auto found = alone.run_layer_alone(query, layer, progress);
    ASSERT_EQ(found->layers(), whole->layers());
    forgotten += found->cost.bytes < whole->cost.bytes ? 1 : 0;
    for (const HeadId head : whole->all_heads()) {
      ASSERT_TRUE(found->contains(head));
      EXPECT_EQ(found->trace.layer(head.layer).mask(head.head), whole->trace.layer(head.layer).mask(head.head));
    }
    for (const HeadId head : whole->heads_of_layer(layer)) {
      EXPECT_TRUE(has_same_bits(found->maps(head).weights, whole->maps(head).weights));
      EXPECT_TRUE(has_same_bits(found->maps(head).scores, whole->maps(head).scores));
      expect_same_bits(found->summary(head), whole->summary(head));
    }
    expect_same_bits(*run(alone, query), *whole);  // the next whole run starts from nothing, or from what is right
    ASSERT_FALSE(HasFailure()) << "step " << step;
  }
  EXPECT_GT(forgotten, 20);  // or nothing was tested but whole runs
}

TEST(Pipeline, AReusedRunEqualsAFreshRunBitForBitAfterRandomEdits) {
  Pipeline reusing(2);
  RandomStream random(3, "edits");
  Query query = query_of("The cat sat on the mat");
  int reused = 0;
  for (int step = 0; step < 250; ++step) {
    edit(query, random);
    const auto kept = run(reusing, query);
    Pipeline fresh(1 + static_cast<int>(random.next() % 4));
    expect_same_bits(*kept, *run(fresh, query));
    reused += kept->cost.layers_reused;
    ASSERT_FALSE(HasFailure()) << "step " << step;
  }
  EXPECT_GT(reused, 50);  // or the test has tested nothing
}

TEST(Pipeline, StagesFinishedBeforeACancelAreKeptAndTheResultIsTheSame) {
  const Query query = query_of("The cat sat on the mat");
  Pipeline whole(1);
  const auto expected = run(whole, query);
  int kept = 0;
  for (int at = 0; at < 30; ++at) {
    Pipeline pipeline(2);
    CancelAt cancelling(at);
    try {
      pipeline.run(query, cancelling);
    } catch (const Cancelled&) {
    }
    const auto after = run(pipeline, query);
    kept += after->cost.layers_reused;
    expect_same_bits(*after, *expected);
  }
  EXPECT_GT(kept, 20);
}

/// Cancels when it is asked for the n-th time between two reports.
struct CancelAtCheck final : Progress {
  explicit CancelAtCheck(int at) : left(at) {}
  std::atomic<int> left;
  void step(double, std::string_view) override {}
  void check() override {
    if (--left < 0) throw Cancelled{};
  }
};

TEST(Pipeline, ACancelInsideAStageIsAnsweredThereAndTheNextRunIsTheSame) {
  Query query = query_of("The cat sat on the mat");
  query.model.sandbox.positions = PositionKind::rotary;
  Pipeline whole(1);
  CancelAtCheck counting(std::numeric_limits<int>::max());
  const auto expected = whole.run(query, counting);
  const int checks = std::numeric_limits<int>::max() - counting.left;
  const int weights_read = 4 * (24 * 12 + 100), of_text = 4 * 4 * 6 * 6;  // rows drawn; heads, steps and tokens of the layers
  EXPECT_GT(checks, weights_read / 4 + of_text);
  int answered = 0;
  for (int at = 0; at < checks; at += std::max(1, checks / 60)) {
    Pipeline pipeline(2);
    CancelAtCheck cancelling(at);
    EXPECT_THROW(pipeline.run(query, cancelling), Cancelled) << at;
    ++answered;
    if (answered % 5 == 0) expect_same_bits(*run(pipeline, query), *expected);
  }
  EXPECT_GE(answered, 60);
}

TEST(Pipeline, AnErrorLeavesThePipelineUsable) {
  Pipeline pipeline(1);
  Query query = query_of("The cat sat on the mat");
  const auto expected = run(pipeline, query);
  Query broken = query;
  broken.heads = 7;
  EXPECT_THAT(error_of([&] { run(pipeline, broken); }).message(), AllOf(HasSubstr("7 heads"), HasSubstr("24")));
  broken = query;
  broken.mask.rules.push_back({{}, "windw:3", {}});
  EXPECT_EQ(error_of([&] { run(pipeline, broken); }).kind(), ErrorKind::usage);
  broken = query;
  broken.model.name = "no-such-folder";
  EXPECT_EQ(error_of([&] { run(pipeline, broken); }).kind(), ErrorKind::input);
  expect_same_bits(*run(pipeline, query), *expected);
}

TEST(Pipeline, SnapshotsOutliveThePipelineAndLaterRuns) {
  std::shared_ptr<const Snapshot> snapshot;
  Matrix weights;
  {
    Pipeline pipeline(2);
    snapshot = run(pipeline, query_of("The cat sat"));
    weights = snapshot->maps({0, 0}).weights;
    run(pipeline, query_of("Another text altogether"));
  }
  EXPECT_TRUE(has_same_bits(snapshot->maps({0, 0}).weights, weights));
}

TEST(Pipeline, SnapshotsCanBeReadWhileTheNextRunIsUnderWay) {
  Pipeline pipeline(2);
  const auto snapshot = run(pipeline, query_of("The cat sat on the mat"));
  const Matrix expected = snapshot->maps({3, 3}).weights;
  std::thread reader([&] {
    for (int times = 0; times < 200; ++times) EXPECT_TRUE(has_same_bits(snapshot->maps({3, 3}).weights, expected));
  });
  for (int times = 0; times < 20; ++times) run(pipeline, query_of("Text number " + std::to_string(times)));
  reader.join();
}

}  // namespace
}  // namespace headlight
