// Studies beside the pictures.
#include <gmock/gmock.h>

#include <array>
#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

#include "tests/work/queries.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::long_query;
using testing::small_query;
using testing::wait_until;
using testing::wait_until_idle;

using Numbers = std::vector<int>;

/// Gives back what it is asked.
Study<int, int> echo(Worker& worker) {
  return Study<int, int>(worker.desk(), [](const int& asked, StepContext&) { return asked; });
}

int value_of(const std::shared_ptr<const int>& result) {
  return result ? *result : -1;
}

/// Steps that a test lets end one by one. Counts beginnings; a step that is interrupted throws from `check`.
struct Gate {
  std::atomic<int> begun = 0, may_end = 0, ended = 0;
  void pass(Progress& progress) {
    ++begun;
    while (ended >= may_end) {
      progress.check();
      std::this_thread::yield();
    }
    ++ended;
  }
  void open() { may_end = 1 << 20; }
};

/// Counts from 0 up to what it is asked, a number a step.
Study<int, Numbers> counting(Worker& worker, Gate& gate) {
  return Study<int, Numbers>(worker.desk(), [&gate](const int& steps, const std::shared_ptr<const Numbers>& so_far, StepContext& context) {
    Numbers numbers = so_far ? *so_far : Numbers{};
    const double before = static_cast<double>(numbers.size()) / steps;
    context.progress.step(before, "counting");
    gate.pass(context.progress);
    numbers.push_back(static_cast<int>(numbers.size()));
    return StudyStep<Numbers>{std::make_shared<const Numbers>(numbers), static_cast<double>(numbers.size()) / steps};
  });
}

Numbers up_to(int steps) {
  Numbers numbers(static_cast<std::size_t>(steps));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

TEST(Studies, HaveNoResultUntilTheyRan) {
  Worker worker(1);
  Study<int, int> a = echo(worker), b = echo(worker);
  EXPECT_EQ(a.result(), nullptr);
  a.ask(1);
  b.ask(2);
  wait_until_idle(worker);
  EXPECT_EQ(value_of(a.result()), 1);
  EXPECT_EQ(value_of(b.result()), 2);
}

TEST(Studies, OfOneStudyOnlyTheNewestRequestThatWaitsIsAnswered) {
  Worker worker(1);
  std::atomic<int> runs = 0;
  Study<int, int> study(worker.desk(), [&runs](const int& asked, StepContext&) {
    ++runs;
    return asked;
  });
  worker.request(long_query(), false);
  testing::wait_until_under_way(worker);
  for (int number = 0; number < 5; ++number) study.ask(number);
  EXPECT_EQ(study.status().state, StudyState::waiting);
  EXPECT_FALSE(worker.is_idle());
  worker.request(small_query(), false);
  wait_until_idle(worker);
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(value_of(study.result()), 4);
  EXPECT_EQ(worker.snapshot()->query, small_query()) << "pictures go first";
}

TEST(Studies, TheSameRequestIsAnsweredOnceAndTheResultStaysUntilTheNext) {
  Worker worker(1);
  Gate gate;
  Study<int, Numbers> study = counting(worker, gate);
  gate.may_end = 1;
  study.ask(1);
  wait_until_idle(worker);
  study.ask(1);
  EXPECT_TRUE(worker.is_idle());
  const auto before = study.result();
  study.ask(2);
  wait_until([&] { return gate.begun == 2; });
  EXPECT_EQ(study.ask(2), before);
  gate.open();
  wait_until_idle(worker);
  EXPECT_EQ(*study.result(), up_to(2));
  EXPECT_EQ(gate.begun, 3);
}

TEST(Studies, AnErrorBelongsToItsStudyAndTheResultBeforeItStays) {
  Worker worker(1);
  worker.request(small_query(), false);
  Study<int, int> other = echo(worker);
  Study<int, int> study(worker.desk(), [](const int& asked, StepContext&) {
    if (asked == 2) throw Error({.problem = "no such thing"});
    return asked;
  });
  study.ask(1);
  wait_until_idle(worker);
  study.ask(2);
  wait_until_idle(worker);
  EXPECT_EQ(value_of(study.result()), 1);
  EXPECT_THAT(study.status().error_message, HasSubstr("no such thing"));
  EXPECT_EQ(study.status().state, StudyState::resting);
  EXPECT_THAT(worker.status().error_message, HasSubstr("no such thing"));
  other.ask(2);
  wait_until_idle(worker);
  EXPECT_FALSE(other.status().error);
  EXPECT_TRUE(worker.status().error) << "another study says nothing about it";
  study.ask(3);
  wait_until_idle(worker);
  EXPECT_FALSE(study.status().error);
  EXPECT_FALSE(worker.status().error);
  EXPECT_EQ(value_of(study.result()), 3);
}

TEST(Studies, ThePartialResultGrowsStepByStepAndGoesWithTheResult) {
  Worker worker(1);
  Gate gate;
  Study<int, Numbers> study = counting(worker, gate);
  study.ask(3);
  wait_until([&] { return gate.begun == 1; });
  EXPECT_EQ(study.partial(), nullptr);
  for (int steps = 1; steps < 3; ++steps) {
    gate.may_end = steps;
    wait_until([&] { return gate.begun == steps + 1; });
    EXPECT_EQ(*study.partial(), up_to(steps));
    EXPECT_EQ(study.result(), nullptr);
    EXPECT_DOUBLE_EQ(study.status().done, steps / 3.0);
    EXPECT_EQ(study.status().state, StudyState::running);
    EXPECT_EQ(study.status().step, "counting");
  }
  gate.open();
  wait_until_idle(worker);
  EXPECT_EQ(study.partial(), nullptr);
  EXPECT_EQ(*study.result(), up_to(3));
}

TEST(Studies, TellTheTimeThatIsLeft) {
  Worker worker(1);
  Gate gate;
  Study<int, Numbers> study = counting(worker, gate);
  study.ask(4);
  EXPECT_FALSE(study.status().seconds_left) << "nothing is done yet";
  gate.may_end = 1;
  wait_until([&] { return study.status().seconds_left.has_value(); });
  const StudyStatus status = study.status();
  EXPECT_DOUBLE_EQ(status.done, 0.25);
  EXPECT_DOUBLE_EQ(*status.seconds_left, 3 * status.seconds);
  EXPECT_TRUE(worker.status().study.has_value());
  gate.open();
  wait_until_idle(worker);
  EXPECT_FALSE(worker.status().study);
}

TEST(Studies, CountTheTimeThatIsLeftFromWhereTheyGoOn) {
  Worker worker(1);
  Gate gate;
  Study<int, int> study(worker.desk(), [&gate, steps = 0](const int&, const std::shared_ptr<const int>&, StepContext& context) mutable {
    gate.pass(context.progress);
    ++steps;
    return StudyStep<int>{std::make_shared<const int>(steps), steps == 1 ? 0.75 : 1, 0.5};
  });
  study.ask(1);
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  gate.may_end = 1;
  wait_until([&] { return study.status().done > 0; });
  const StudyStatus status = study.status();
  ASSERT_TRUE(status.seconds_left.has_value());
  EXPECT_DOUBLE_EQ(*status.seconds_left, status.seconds) << "half of what was left is done";
  gate.open();
  wait_until_idle(worker);
}

TEST(Studies, LeaveOutOfTheTimeThatIsLeftWhatBroughtThemNoFurther) {
  Worker worker(1);
  Gate gate;
  Study<int, int> study(worker.desk(), [&gate, steps = 0](const int&, const std::shared_ptr<const int>&, StepContext& context) mutable {
    gate.pass(context.progress);
    ++steps;
    return StudyStep<int>{std::make_shared<const int>(steps), steps == 1 ? 0.5 : 1, 0, 1000};
  });
  study.ask(1);
  gate.may_end = 1;
  wait_until([&] { return study.status().seconds_left.has_value(); });
  const StudyStatus status = study.status();
  EXPECT_GE(*status.seconds_left, 999.9) << "of the seconds that the step counts";
  EXPECT_LE(*status.seconds_left, 1000.1 + status.seconds);
  gate.open();
  wait_until_idle(worker);
}

class Interruption : public ::testing::TestWithParam<bool> {};

TEST_P(Interruption, APictureComesAtOnceAndTheStepIsDoneAgain) {
  Worker worker(1);
  Gate gate;
  Study<int, Numbers> study = counting(worker, gate);
  study.ask(2);
  gate.may_end = 1;
  wait_until([&] { return gate.begun == 2; });
  worker.request(small_query(), GetParam());
  wait_until([&] { return worker.snapshot() != nullptr; });  // though no step may end
  wait_until([&] { return gate.begun == 3; });
  EXPECT_EQ(*study.partial(), up_to(1)) << "the finished step is kept";
  gate.open();
  wait_until_idle(worker);
  EXPECT_EQ(*study.result(), up_to(2));
  EXPECT_EQ(gate.ended, 2);
}
INSTANTIATE_TEST_SUITE_P(Studies, Interruption, ::testing::Bool());

TEST(Studies, APictureDoesNotWaitForAStepThatHasNotStoppedYet) {
  std::atomic<bool> has_started = false, may_stop = false;
  Worker worker(1);
  Study<int, int> study(worker.desk(), [&](const int& asked, StepContext& context) {
    has_started = true;
    while (!may_stop) std::this_thread::yield();
    context.progress.check();
    return asked;
  });
  study.ask(1);
  wait_until([&] { return has_started.load(); });
  worker.request(small_query(), false);
  wait_until([&] { return worker.snapshot() != nullptr; });
  EXPECT_EQ(study.result(), nullptr);
  may_stop = true;
  wait_until_idle(worker);
  EXPECT_EQ(value_of(study.result()), 1);
}

TEST(Studies, AreInterruptedByWantedMapsAndByPicturesBeside) {
  Worker worker(1);
  Gate gate;
  Study<int, Numbers> study = counting(worker, gate);
  worker.request(small_query(), false);
  wait_until_idle(worker);
  study.ask(1);
  wait_until([&] { return gate.begun == 1; });
  wait_until([&] { return worker.maps(worker.snapshot(), {0, 1}) != nullptr; });
  wait_until([&] { return gate.begun == 2; });
  worker.keep_beside({small_query("d e")});
  wait_until([&] { return worker.beside(small_query("d e")).snapshot != nullptr; });
  gate.open();
  wait_until_idle(worker);
  EXPECT_EQ(*study.result(), up_to(1));
}

TEST(Studies, FindTheSameHoweverOftenTheyAreInterrupted) {
  constexpr int kSteps = 40;
  Worker worker(1);
  Gate gate;
  Study<int, Numbers> study = counting(worker, gate);
  study.ask(kSteps);
  for (int keystroke = 0; keystroke < kSteps; ++keystroke) {
    worker.request(small_query(std::to_string(keystroke)), keystroke % 2 == 0);
    study.ask(kSteps);
    gate.may_end = keystroke;
    wait_until([&] { return gate.ended == keystroke; });
  }
  gate.open();
  wait_until_idle(worker);
  EXPECT_EQ(*study.result(), up_to(kSteps));
  EXPECT_EQ(gate.ended, kSteps) << "no finished step was lost";
}

TEST(Studies, APauseHoldsThemAndTheyGoOnFromTheLastFinishedStep) {
  Worker worker(1);
  Gate gate;
  Study<int, Numbers> study = counting(worker, gate);
  study.ask(2);
  gate.may_end = 1;
  wait_until([&] { return gate.begun == 2; });
  study.pause();
  wait_until_idle(worker);  // a paused study does not count as work
  EXPECT_EQ(study.status().state, StudyState::paused);
  EXPECT_DOUBLE_EQ(study.status().done, 0.5);
  worker.request(small_query(), false);
  wait_until_idle(worker);
  EXPECT_EQ(gate.begun, 2);
  gate.open();
  study.resume();
  wait_until([&] { return study.result() != nullptr; });
  EXPECT_EQ(*study.result(), up_to(2));
  EXPECT_EQ(gate.begun, 3);
  wait_until_idle(worker);
  EXPECT_EQ(study.status().state, StudyState::resting);
}

TEST(Studies, ACancelStopsOneAndLeavesTheOthersAlone) {
  Worker worker(1);
  Gate gate, closed;
  Study<int, Numbers> study = counting(worker, gate), endless = counting(worker, closed);
  endless.ask(3);
  wait_until([&] { return closed.begun == 1; });
  study.ask(2);
  endless.cancel();
  gate.open();
  wait_until_idle(worker);
  EXPECT_EQ(*study.result(), up_to(2));
  EXPECT_EQ(endless.result(), nullptr);
  EXPECT_EQ(endless.partial(), nullptr);
  EXPECT_EQ(endless.status().state, StudyState::resting);
  EXPECT_FALSE(worker.status().error);
  endless.ask(3);
  EXPECT_TRUE(worker.is_idle()) << "what was cancelled does not start by itself";
  closed.open();
  endless.start(3);
  wait_until_idle(worker);
  EXPECT_EQ(*endless.result(), up_to(3));
}

TEST(Studies, StopWhenEverythingIsCancelledOrTheProgramEnds) {
  Gate closed;
  Worker worker(1);
  Study<int, Numbers> study = counting(worker, closed), paused = counting(worker, closed);
  study.ask(1);
  wait_until([&] { return closed.begun == 1; });
  paused.ask(1);
  paused.pause();
  worker.cancel();
  wait_until_idle(worker);
  EXPECT_EQ(study.result(), nullptr);
  EXPECT_FALSE(worker.status().error);
  EXPECT_EQ(paused.status().state, StudyState::resting);
  study.start(2);
  wait_until([&] { return closed.begun == 2; });
}  // the destructors return

TEST(Studies, WhatIsLetGoForgetsWhatItsRunningStepFinds) {
  std::atomic<bool> may_end = false, has_started = false;
  Worker worker(1);
  Study<int, int> study(worker.desk(), [&](const int& asked, StepContext&) {
    has_started = true;
    while (!may_end) std::this_thread::yield();  // does not ask whether to stop
    return asked;
  });
  study.ask(1);
  wait_until([&] { return has_started.load(); });
  study.let_go();
  study.ask(2);
  may_end = true;
  wait_until([&] { return study.result() != nullptr; });
  EXPECT_EQ(value_of(study.result()), 2);
  const std::weak_ptr<const int> kept = study.result();
  wait_until_idle(worker);
  study.let_go();
  wait_until([&] { return kept.expired(); });
}

TEST(Studies, TheLastStepOfAReplacedRequestStillCounts) {
  Worker worker(1);
  Gate gate;
  Study<int, Numbers> study = counting(worker, gate);
  study.ask(1);
  wait_until([&] { return gate.begun == 1; });
  study.ask(2);
  gate.may_end = 1;
  wait_until([&] { return study.result() != nullptr; });
  EXPECT_EQ(*study.result(), up_to(1)) << "so that pictures keep coming";
  gate.open();
  wait_until_idle(worker);
  EXPECT_EQ(*study.result(), up_to(2));
}

TEST(Studies, TakeTurns) {
  Worker worker(1);
  Gate slow, quick;
  Study<int, Numbers> first = counting(worker, slow), second = counting(worker, quick);
  first.ask(3);
  wait_until([&] { return slow.begun == 1; });
  second.ask(1);
  quick.open();
  slow.may_end = 1;
  wait_until([&] { return second.result() != nullptr; });
  EXPECT_EQ(first.result(), nullptr) << "the second waits for one step of the first, not for all";
  slow.open();
  wait_until_idle(worker);
}

TEST(Studies, HaveAPoolOfAsManyThreadsAsPictures) {
  Worker worker(3);
  Study<int, int> study(worker.desk(), [](const int&, StepContext& context) { return context.pool.threads(); });
  study.ask(0);
  wait_until_idle(worker);
  EXPECT_EQ(value_of(study.result()), 3);
}

}  // namespace
}  // namespace headlight
