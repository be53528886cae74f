#include "engine/core/parallel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "tests/core/large_stacks.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using testing::error_of;
using ::testing::HasSubstr;
using testing::LargeStacks;

TEST(ThreadPool, RunsEveryTaskOnceForAnyNumberOfThreads) {
  for (const int threads : {1, 2, 3, 8}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    std::vector<int> runs(1000, 0);
    pool.for_each(1000, [&](Index number) { ++runs[static_cast<std::size_t>(number)]; });
    EXPECT_EQ(runs, std::vector<int>(1000, 1)) << threads << " threads";
  }
}

TEST(ThreadPool, ZeroThreadsMeansAtLeastOne) {
  EXPECT_GE(ThreadPool(0).threads(), 1);
}

TEST(ThreadPool, NoTasksIsNoWork) {
  ThreadPool pool(4);
  pool.for_each(0, [](Index) { FAIL() << "called"; });
}

TEST(ThreadPool, ThrowsTheTaskExceptionSkipsTheRestAndWorksAfterwards) {
  ThreadPool pool(4);
  std::atomic<int> runs = 0;
  const auto failing = [&](Index number) {
    ++runs;
    if (number == 3) throw std::runtime_error("task 3");
  };
  EXPECT_THROW(pool.for_each(1'000'000, failing), std::runtime_error);
  EXPECT_LT(runs, 1'000'000);

  std::atomic<int> later = 0;
  pool.for_each(100, [&](Index) { ++later; });
  EXPECT_EQ(later, 100);
}

TEST(ThreadPool, ManyShortCallsInARowLoseNothing) {
  ThreadPool pool(3);
  std::atomic<long> sum = 0;
  for (int call = 0; call < 2000; ++call) pool.for_each(5, [&](Index number) { sum += number; });
  EXPECT_EQ(sum, 2000L * (0 + 1 + 2 + 3 + 4));
}

TEST(ThreadPool, WorksWithFewerThreadsWhereTheSystemStartsNoMore) {
  const LargeStacks unusable;
  ThreadPool pool(4);
  EXPECT_EQ(pool.threads(), 1);
  std::atomic<int> done = 0;
  pool.for_each(10, [&](Index) { ++done; });
  EXPECT_EQ(done, 10);
}

TEST(StartThread, SaysWhatToDoWhereTheSystemStartsNoMore) {
  require_threads(3);
  const LargeStacks unusable;
  for (const auto& start : {std::function<void()>([] { start_thread([] {}).join(); }), std::function<void()>([] { require_threads(1); })}) {
    const Error error = error_of(start);
    EXPECT_EQ(error.kind(), ErrorKind::limit);
    EXPECT_THAT(error.message(), AllOf(HasSubstr("cannot start another thread"), HasSubstr("ulimit -u"), HasSubstr("ulimit -v")));
  }
}

}  // namespace
}  // namespace headlight
