#include "app/work/worker.h"

#include <gmock/gmock.h>

#include <atomic>

#include "tests/work/waiting.h"

namespace headlight {
namespace {

using ::testing::HasSubstr;
using testing::wait_until;

Query small_query(const std::string& text = "a b c") {
  Query query;
  query.model.sandbox.layers = 2;
  query.model.sandbox.d_model = 16;
  query.model.sandbox.heads = 2;
  query.text = text;
  return query;
}

/// `layers` layers that take their time: most of it goes into the maps of 800 tokens.
Query long_query(int layers = 40) {
  Query query;
  query.model.sandbox.layers = layers;
  for (int word = 0; word < 800; ++word) query.text += "w" + std::to_string(word) + " ";
  return query;
}

void wait_until_idle(const Worker& worker) {
  wait_until([&] { return worker.is_idle(); });
}

/// The running job computes layers.
void wait_until_under_way(const Worker& worker) {
  wait_until([&] { return worker.status().step.starts_with("layer"); });
}

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

SideJob answer(int number) {
  return [number](Progress&) { return std::make_shared<const int>(number); };
}

int answer_of(const Worker& worker, const std::string& key) {
  const std::shared_ptr<const void> result = worker.side(key);
  return result ? *std::static_pointer_cast<const int>(result) : -1;
}

TEST(SideJobs, HaveNoResultUntilTheyRan) {
  Worker worker(1);
  EXPECT_EQ(worker.side("a"), nullptr);
  worker.request_side("a", answer(1));
  worker.request_side("b", answer(2));
  wait_until_idle(worker);
  EXPECT_EQ(answer_of(worker, "a"), 1);
  EXPECT_EQ(answer_of(worker, "b"), 2);
}

TEST(SideJobs, OfOneKeyOnlyTheNewestThatWaitsRuns) {
  Worker worker(1);
  worker.request(long_query(), false);
  wait_until_under_way(worker);
  std::atomic<int> runs = 0;
  for (int number = 0; number < 5; ++number) {
    worker.request_side("a", [&runs, number](Progress&) {
      ++runs;
      return std::make_shared<const int>(number);
    });
  }
  EXPECT_FALSE(worker.is_idle());
  worker.request(small_query(), false);
  wait_until_idle(worker);
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(answer_of(worker, "a"), 4);
  EXPECT_EQ(worker.snapshot()->query, small_query()) << "queries go first";
}

TEST(SideJobs, AFailureIsToldAndTheResultBeforeItKept) {
  Worker worker(1);
  worker.request(small_query(), false);
  worker.request_side("a", answer(1));
  wait_until_idle(worker);
  worker.request_side("a", [](Progress&) -> std::shared_ptr<const void> { throw Error({.problem = "no such thing"}); });
  wait_until_idle(worker);
  EXPECT_EQ(answer_of(worker, "a"), 1);
  EXPECT_THAT(worker.status().error_message, HasSubstr("no such thing"));
  worker.request_side("b", answer(2));
  wait_until_idle(worker);
  EXPECT_TRUE(worker.status().error.has_value()) << "another key says nothing about it";
  worker.request_side("a", answer(3));
  wait_until_idle(worker);
  EXPECT_FALSE(worker.status().error.has_value());
  EXPECT_EQ(answer_of(worker, "a"), 3);
}

TEST(SideJobs, StopWhenEverythingIsCancelledOrTheProgramEnds) {
  std::atomic<int> started = 0;
  const SideJob endless = [&started](Progress& progress) -> std::shared_ptr<const void> {
    ++started;
    while (true) progress.step(0, "");
  };
  Worker worker(1);
  worker.request_side("a", endless);
  wait_until([&] { return started == 1; });
  worker.cancel();
  wait_until_idle(worker);
  EXPECT_EQ(worker.side("a"), nullptr);
  EXPECT_FALSE(worker.status().error.has_value());
  worker.request_side("a", endless);
  wait_until([&] { return started == 2; });
}  // the destructor returns

TEST(SideJobs, ADroppedKeyForgetsWhatItsRunningJobFinds) {
  std::atomic<bool> may_end = false;
  std::atomic<bool> has_started = false;
  Worker worker(1);
  worker.request_side("a", [&](Progress&) {
    has_started = true;
    while (!may_end) std::this_thread::yield();
    return std::make_shared<const int>(1);
  });
  wait_until([&] { return has_started.load(); });
  worker.drop_side("a");
  worker.request_side("a", answer(2));
  may_end = true;
  wait_until([&] { return worker.side("a") != nullptr; });
  EXPECT_EQ(answer_of(worker, "a"), 2);
}

}  // namespace
}  // namespace headlight
