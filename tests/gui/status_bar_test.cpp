// What the status bar says of work that takes long.
#include <atomic>
#include <thread>

#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

using StatusBar = testing::FrameTest;

TEST_F(StatusBar, AStudyThatTakesLongShowsHowFarItIsAndCanBeCancelled) {
  Study<int, int> study(session.worker().desk(), [](const int&, StepContext& running) -> int {
    while (true) {
      running.progress.step(0.25, "counting");
      std::this_thread::yield();
    }
  });
  window.frame();
  EXPECT_FALSE(window.has("Cancel"));
  study.ask(1);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (!window.has("Cancel") && std::chrono::steady_clock::now() < deadline) window.frame();
  ASSERT_TRUE(window.has("Cancel"));
  EXPECT_GT(study.status().seconds, 0.5);
  window.click("Cancel");
  settle();
  EXPECT_EQ(study.status().state, StudyState::resting);
  EXPECT_EQ(study.result(), nullptr);
  EXPECT_FALSE(window.has("Cancel"));
}

}  // namespace
}  // namespace headlight
