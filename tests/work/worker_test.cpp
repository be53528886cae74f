#include "app/work/compute/worker.h"

#include <gmock/gmock.h>

#include <atomic>

#include "tests/work/queries.h"

namespace headlight {
namespace {

using testing::costly_query;
using ::testing::HasSubstr;
using testing::long_query;
using testing::small_query;
using testing::wait_until;
using testing::wait_until_idle;
using testing::wait_until_under_way;

TEST(Worker, HasNothingBeforeTheFirstRequest) {
  const Worker worker(1);
  EXPECT_EQ(worker.snapshot(), nullptr);
  EXPECT_TRUE(worker.is_idle());
}

TEST(Worker, PublishesWhatWasAskedFor) {
  std::atomic<int> changes = 0;
  Worker worker(2, [&] { ++changes; });
  EXPECT_EQ(worker.request(small_query(), false), 1U);
  wait_until_idle(worker);
  ASSERT_NE(worker.snapshot(), nullptr);
  EXPECT_EQ(worker.snapshot()->query, small_query());
  const WorkerStatus status = worker.status();
  EXPECT_EQ(status.requested, 1U);
  EXPECT_EQ(status.finished, 1U);
  EXPECT_EQ(status.published, 1U);
  EXPECT_FALSE(status.is_busy);
  wait_until([&] { return changes > 0; });
}

// Each frame asks while the job of the frame before is under way. A worker that cancels would publish next to nothing.
TEST(Worker, KeepsPublishingWhileAGestureIsHeld) {
  constexpr std::uint64_t kFrames = 240;
  Worker worker(1);
  for (std::uint64_t frame = 1; frame <= kFrames; ++frame) {
    Query query = small_query();
    query.mask.rules = {{{}, "", {{0, 1, 0, static_cast<int>(frame), false}}}};
    worker.request(query, true);
    wait_until([&] { return worker.status().finished + 1 >= frame; });
  }
  wait_until_idle(worker);
  EXPECT_GE(worker.status().published, kFrames / 2);
  EXPECT_EQ(worker.snapshot()->query.mask.rules[0].strokes[0].key_end, static_cast<int>(kFrames));
}

TEST(Worker, HasThePartThatIsThereOfARunThatTakesItsTime) {
  Worker worker(2);
  EXPECT_EQ(worker.part(), nullptr);
  worker.request(long_query(200), false);
  wait_until([&] { return worker.part() != nullptr || worker.is_idle(); });
  const std::shared_ptr<const Snapshot> part = worker.part();
  ASSERT_NE(part, nullptr);
  EXPECT_EQ(part->layers(), 200);
  EXPECT_GT(part->summary({0, 0}).pooled.size(), 0);
  EXPECT_EQ(part->summary({199, 0}).pooled.size(), 0);
  worker.request(small_query(), false);
  wait_until_idle(worker);
  EXPECT_EQ(worker.part(), nullptr);
  EXPECT_EQ(worker.status().published, 1U);
}

TEST(Worker, OutsideAGestureTheNewestRequestCancelsTheRunningOne) {
  Worker worker(2);
  worker.request(long_query(), false);
  wait_until_under_way(worker);
  worker.request(small_query(), false);
  wait_until_idle(worker);
  EXPECT_EQ(worker.status().published, 1U);
  EXPECT_EQ(worker.snapshot()->query, small_query());
}

TEST(Worker, OfManyWaitingRequestsOnlyTheNewestRuns) {
  Worker worker(1);
  worker.request(long_query(), false);
  wait_until_under_way(worker);
  for (int request = 0; request < 100; ++request) worker.request(small_query(std::to_string(request)), false);
  wait_until_idle(worker);
  EXPECT_EQ(worker.status().published, 1U);
  EXPECT_EQ(worker.snapshot()->query, small_query("99"));
  EXPECT_EQ(worker.status().finished, 101U);
}

TEST(Worker, ACancelKeepsThePreviousSnapshot) {
  Worker worker(2);
  worker.request(small_query(), false);
  wait_until_idle(worker);
  const auto before = worker.snapshot();
  worker.request(long_query(), false);
  wait_until_under_way(worker);
  worker.cancel();
  wait_until_idle(worker);
  EXPECT_EQ(worker.snapshot(), before);
  EXPECT_EQ(worker.status().finished, 2U);
  EXPECT_EQ(worker.status().error, std::nullopt);
}

TEST(Worker, StagesThatFinishedBeforeACancelAreReused) {
  Worker worker(2);
  const Query query = long_query(4);
  worker.request(query, false);
  wait_until([&] { return worker.status().step.starts_with("layer 2"); });
  worker.cancel();
  wait_until_idle(worker);
  ASSERT_EQ(worker.snapshot(), nullptr);
  worker.request(query, false);
  wait_until_idle(worker);
  EXPECT_GT(worker.snapshot()->cost.layers_reused, 0);
}

TEST(Worker, ACancelBeforeTheStartDropsTheRequest) {
  Worker worker(1);
  worker.request(long_query(), false);
  wait_until_under_way(worker);
  worker.request(small_query(), true);
  worker.cancel();
  wait_until_idle(worker);
  EXPECT_EQ(worker.snapshot(), nullptr);
  EXPECT_EQ(worker.status().finished, 2U);
}

TEST(Worker, ARefusalKeepsThePreviousSnapshotAndGoesWithTheNextSuccess) {
  Worker worker(1);
  worker.request(small_query(), false);
  wait_until_idle(worker);
  const auto before = worker.snapshot();

  Query illegal = small_query();
  illegal.heads = 7;
  worker.request(illegal, false);
  wait_until_idle(worker);
  EXPECT_EQ(worker.snapshot(), before);
  ASSERT_TRUE(worker.status().error.has_value());
  EXPECT_EQ(worker.status().error->kind, ErrorKind::usage);
  EXPECT_THAT(worker.status().error_message, HasSubstr("7"));
  EXPECT_THAT(worker.status().error_message, HasSubstr("16"));

  worker.request(small_query("d e"), false);
  wait_until_idle(worker);
  EXPECT_NE(worker.snapshot(), before);
  EXPECT_EQ(worker.status().error, std::nullopt);
  EXPECT_EQ(worker.status().error_message, "");
}

TEST(Worker, AMissingModelIsARefusalNotACrash) {
  Worker worker(1);
  Query query = small_query();
  query.model.name = "/no/such/folder";
  worker.request(query, false);
  wait_until_idle(worker);
  ASSERT_TRUE(worker.status().error.has_value());
  EXPECT_EQ(worker.status().error->kind, ErrorKind::input);
}

TEST(Worker, MapsAreMadeOnceAndEqualTheSnapshots) {
  Worker worker(1);
  worker.request(small_query(), false);
  wait_until_idle(worker);
  const auto snapshot = worker.snapshot();
  const HeadId head{1, 1};
  EXPECT_EQ(worker.maps(snapshot, head), nullptr);
  wait_until_idle(worker);
  const auto maps = worker.maps(snapshot, head);
  ASSERT_NE(maps, nullptr);
  EXPECT_EQ(maps->weights, snapshot->maps(head).weights);
  EXPECT_EQ(worker.maps(snapshot, head), maps);
}

TEST(Worker, AWatchedHeadComesWithTheNextSnapshot) {
  Worker worker(1);
  worker.request(small_query(), false);
  wait_until_idle(worker);
  const HeadId head{1, 0};
  worker.maps(worker.snapshot(), head);
  wait_until_idle(worker);
  for (int edit = 0; edit < 20; ++edit) {  // two of three without a frame in between
    worker.request(small_query("other words " + std::to_string(edit)), true);
    wait_until_idle(worker);
    const auto snapshot = worker.snapshot();
    if (edit % 3 == 0) {
      ASSERT_NE(worker.maps(snapshot, head), nullptr) << "edit " << edit;
    }
  }
}

TEST(Worker, NoMapsForNoSnapshotAndNoSuchHead) {
  Worker worker(1);
  EXPECT_EQ(worker.maps(nullptr, {0, 0}), nullptr);
  worker.request(small_query(), false);
  wait_until_idle(worker);
  EXPECT_EQ(worker.maps(worker.snapshot(), {0, 9}), nullptr);
  EXPECT_TRUE(worker.is_idle());
}

TEST(Worker, EndsAtOnceInTheMiddleOfAJob) {
  Worker worker(2);
  worker.request(long_query(), true);
  wait_until_under_way(worker);
}

TEST(Worker, AsksBeforeALongRunAndGoesOnWhenItIsAllowed) {
  Worker worker(2);
  worker.ask_above(0);
  worker.request(small_query(), false);
  wait_until_idle(worker);
  const auto before = worker.snapshot();
  EXPECT_FALSE(worker.status().asked) << "over in a moment";
  worker.request(costly_query(), false);
  wait_until_idle(worker);
  ASSERT_TRUE(worker.status().asked);
  EXPECT_EQ(worker.status().asked->tokens, 4000);
  EXPECT_EQ(worker.status().asked->layers, 4);
  EXPECT_EQ(worker.snapshot(), before);
  worker.request(small_query(), false);
  wait_until_idle(worker);
  EXPECT_FALSE(worker.status().asked) << "the question goes with its request";

  worker.request(costly_query(), false);
  wait_until_idle(worker);
  worker.allow_cost();
  wait_until_under_way(worker);
  EXPECT_FALSE(worker.status().asked);
  worker.cancel();
  wait_until_idle(worker);
  Query longer = costly_query();
  longer.text += "more";
  worker.request(longer, false);
  wait_until_under_way(worker);
  EXPECT_FALSE(worker.status().asked) << "what was allowed once";
}

}  // namespace
}  // namespace headlight
