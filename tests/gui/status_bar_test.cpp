// What the status bar says of work that takes long.
#include <atomic>
#include <thread>
#include <vector>

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

TEST_F(StatusBar, InANarrowWindowNothingOfItLiesOverAnother) {
  Document next = document();
  next.query.mask.rules = {{{}, "causal+window:8+no-self+prefix:5+padding:6+blocks:4", {}}};
  session.apply(next, false, false);
  settle();
  Study<int, int> study(session.worker().desk(), [](const int&, StepContext& running) -> int {
    while (true) {
      running.progress.step(0.05, "counting what nobody has ever counted before, one by one");
      std::this_thread::yield();
    }
  });
  study.ask(1);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (!window.has("Progress") && std::chrono::steady_clock::now() < deadline) window.frame();
  for (const float width : {800.0F, 1024.0F, 1600.0F, 2560.0F}) {
    window.resize({width, 768});
    std::vector<Box> boxes{window.box_of("In force"), window.box_of("Progress"), window.box_of("Show help")};
    if (window.has("Undo last")) boxes.insert(boxes.begin() + 1, window.box_of("Undo last"));
    for (std::size_t i = 1; i < boxes.size(); ++i) EXPECT_LE(boxes[i - 1].right(), boxes[i].x) << i << " at " << width;
    EXPECT_LE(boxes.back().right(), width);
  }
  study.cancel();
  settle();
}

}  // namespace
}  // namespace headlight
