#include "app/gui/panel/panel.h"
#include "tests/environment.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// A cache with one model in it, which cannot be loaded: what counts is that it is offered and asked for.
class HubPicker : public testing::FrameTest {
 protected:
  void SetUp() override {
    const fs::path snapshot = cache_ / "models--tiny--cat/snapshots/c1";
    fs::create_directories(snapshot);
    for (const char* name : {"config.json", "model.safetensors"}) std::ofstream(snapshot / name) << "x";
    FrameTest::SetUp();
    context.downloader = &downloader_;
    view.dialogs.model_picker = true;
    settle();
  }
  testing::TemporaryFolder cache_;
  testing::EnvironmentVariable hub_{"HF_HUB_CACHE", cache_.path().string()}, offline_{"HF_HUB_OFFLINE", "1"};
  Downloader downloader_;
};

TEST_F(HubPicker, OffersTheModelsOfTheCacheByTheirIds) {
  ASSERT_TRUE(window.has("Choose cached tiny/cat"));
  window.click("Choose cached tiny/cat");
  settle();
  EXPECT_NE(view.notes.banner.find("models--tiny--cat"), std::string::npos) << "it was asked for, cannot be loaded, and that is said";
  EXPECT_EQ(document().query.model.name, "sandbox");
}

TEST_F(HubPicker, ADownloadThatCannotBeSaysWhy) {
  window.click("Hub id");
  window.type("tiny/dog");
  EXPECT_EQ(dialogs.model_picker.hub_id, "tiny/dog");
  window.click("Download");
  for (int waits = 0; waits < 200 && downloader_.status().ended == 0; ++waits) settle();
  EXPECT_NE(downloader_.status().problem.find("HF_HUB_OFFLINE"), std::string::npos);
  settle();
  EXPECT_EQ(dialogs.model_picker.seen_downloads, 1U);
  EXPECT_EQ(document().query.model.name, "sandbox");
}

}  // namespace
}  // namespace headlight
