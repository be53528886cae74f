// Frames during which no study begins a step.
#include <gmock/gmock.h>

#include <atomic>
#include <optional>
#include <thread>

#include "tests/work/queries.h"

namespace headlight {
namespace {

using testing::small_query;
using testing::wait_until;
using testing::wait_until_idle;

TEST(QuietDesk, BeginsNoStepUntilTheLastQuietEnds) {
  Worker worker(1);
  Study<int, int> study(worker.desk(), [](const int& asked, StepContext&) { return asked; });
  std::optional<Desk::Quiet> frame(std::in_place, worker.desk()), other(std::in_place, worker.desk());
  study.ask(1);
  EXPECT_FALSE(worker.is_idle());
  worker.request(small_query(), false);  // the worker lets studies go on after the picture, and these must not
  wait_until([&] { return worker.snapshot() != nullptr && !worker.status().is_busy; });
  other.reset();
  EXPECT_EQ(study.status().state, StudyState::waiting);
  EXPECT_EQ(study.result(), nullptr);
  frame.reset();
  wait_until_idle(worker);
  ASSERT_NE(study.result(), nullptr);
  EXPECT_EQ(*study.result(), 1);
}

TEST(QuietDesk, LetsARunningStepFinish) {
  Worker worker(1);
  std::atomic<bool> has_begun = false, may_end = false;
  Study<int, int> study(worker.desk(), [&](const int& asked, StepContext&) {
    has_begun = true;
    while (!may_end) std::this_thread::yield();
    return asked;
  });
  study.ask(1);
  wait_until([&] { return has_begun.load(); });
  const Desk::Quiet quiet(worker.desk());
  may_end = true;
  wait_until_idle(worker);
  ASSERT_NE(study.result(), nullptr);
  EXPECT_EQ(*study.result(), 1);
}

}  // namespace
}  // namespace headlight
