#include "app/cli/console.h"

#include <gmock/gmock.h>

#include <stdexcept>
#include <thread>

namespace headlight {
namespace {

constexpr auto kLongerThanSilence = std::chrono::milliseconds(600);

/// What work that takes a moment leaves in a log.
std::string log_of(bool fails) {
  ::testing::internal::CaptureStderr();
  try {
    ConsoleProgress progress;
    progress.step(0, "reading weights");
    std::this_thread::sleep_for(kLongerThanSilence);
    progress.step(0.25, "reading weights");
    progress.step(0.75, "reading weights");  // too soon for a line of its own
    if (fails) throw std::runtime_error("broken");
  } catch (const std::runtime_error&) {
  }
  return ::testing::internal::GetCapturedStderr();
}

TEST(ConsoleProgress, InALogTheLastLineSaysThatTheWorkIsDone) {
  EXPECT_EQ(log_of(false), " 25 %  reading weights\n100 %  done\n");
}

TEST(ConsoleProgress, WorkThatFailedIsNotDone) {
  EXPECT_EQ(log_of(true), " 25 %  reading weights\n");
}

TEST(ConsoleProgress, OfWorkThatGoesOnTheTimeThatIsLeftIsCountedFromWhereItBegan) {
  ::testing::internal::CaptureStderr();
  {
    ConsoleProgress progress;
    progress.step(0.98, "reading weights");
    progress.step(0.5, "10 texts");
    std::this_thread::sleep_for(kLongerThanSilence);
    progress.step(0.52, "11 texts");
  }
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), ::testing::StartsWith(" 52 %  11 texts, about "));
}

TEST(ConsoleProgress, ShortWorkSaysNothing) {
  ::testing::internal::CaptureStderr();
  { ConsoleProgress().step(0.5, "reading weights"); }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace headlight
