// The window reloads a file that another program has written, and asks once.
#include "app/document/document.h"
#include "app/gui/panel/choices.h"
#include "app/session/file_watch.h"
#include "tests/gui/frame_fixture.h"

namespace headlight::testing {
namespace {

namespace fs = std::filesystem;

class Reload : public FrameTest {
 protected:
  void SetUp() override {
    context.file_watch = &watch_;
    FrameTest::SetUp();
  }
  /// Two looks: the first sees the change, the second that it is over.
  void look() {
    watch_.look_now();
    watch_.look_now();
    settle();
  }
  void touch(const fs::path& file) { fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(5)); }
  bool is_asked() { return window.has("Keep"); }

  TemporaryFolder folder_;
  FileWatch watch_{{}, std::chrono::milliseconds(0)};
};

TEST_F(Reload, ADocumentThatAnotherProgramWroteIsReadAgainWhenWanted) {
  const fs::path file = folder_ / "mine.headlight.json";
  session.save(file);
  settle();
  look();
  ASSERT_FALSE(is_asked()) << "the program wrote it itself";
  Document theirs = document();
  theirs.query.text = "written elsewhere";
  save_document(theirs, file);
  look();
  ASSERT_TRUE(is_asked());
  window.click("Reload");
  settle();
  EXPECT_EQ(document().query.text, "written elsewhere");
  EXPECT_FALSE(is_asked());
  look();
  EXPECT_FALSE(is_asked());
}

TEST_F(Reload, KeepLeavesWhatIsShownAndIsNotAskedAgain) {
  const fs::path file = folder_ / "mine.headlight.json";
  session.save(file);
  settle();
  look();
  const std::string before = document().query.text;
  Document theirs = document();
  theirs.query.text = "written elsewhere";
  save_document(theirs, file);
  look();
  window.click("Keep");
  look();
  EXPECT_FALSE(is_asked());
  EXPECT_EQ(document().query.text, before);
}

TEST_F(Reload, AModelsWeightsAreReadAgain) {
  const fs::path model = folder_ / "model";
  fs::copy(fs::path(HEADLIGHT_TESTS_DIR) / "reference/models/gpt2", model, fs::copy_options::recursive);
  Document next = document_of_model(model.string());
  session.apply(next, false, false);
  settle();
  look();
  const std::shared_ptr<const Model> before = snapshot()->model;
  touch(model / "model.safetensors");
  touch(model / "config.json");
  look();
  ASSERT_TRUE(is_asked());
  window.click("Reload");
  settle();
  EXPECT_NE(snapshot()->model, before);
  EXPECT_EQ(session.history().labels().size(), 2U) << "reading again is not an edit";
  EXPECT_FALSE(is_asked());
}

TEST_F(Reload, ADocumentThatIsSavedAfterwardsNamesTheWeightsThatWereRead) {
  const fs::path model = folder_ / "model";
  fs::copy(fs::path(HEADLIGHT_TESTS_DIR) / "reference/models/gpt2", model, fs::copy_options::recursive);
  session.apply(document_of_model(model.string()), false, false);
  settle();
  look();
  const auto saved = [&] {
    session.save(folder_ / "mine.headlight.json");
    settle();
    return Json::parse(bytes_of(folder_ / "mine.headlight.json"))[kWeightsField]["sha256"].get<std::string>();
  };
  const std::string before = saved();
  std::string weights = bytes_of(model / "model.safetensors");
  weights.back() = static_cast<char>(weights.back() ^ 1);
  folder_.file("model/model.safetensors", weights);
  touch(model / "model.safetensors");
  look();
  ASSERT_TRUE(is_asked());
  window.click("Reload");
  settle();
  EXPECT_NE(saved(), before);
}

TEST_F(Reload, FilesOfAnotherModelAreNoLongerAskedAbout) {
  const fs::path model = folder_ / "model";
  fs::copy(fs::path(HEADLIGHT_TESTS_DIR) / "reference/models/gpt2", model, fs::copy_options::recursive);
  session.apply(document_of_model(model.string()), false, false);
  settle();
  look();
  touch(model / "config.json");
  look();
  ASSERT_TRUE(is_asked());
  session.apply(sandbox_document(), false, false);
  settle();
  EXPECT_FALSE(is_asked());
}

TEST_F(Reload, AMaskFileIsReadAgainInOneStep) {
  show(View::head);
  const Index size = snapshot()->tokens();
  const auto rows = [&](char cell) {
    std::string text;
    for (Index row = 0; row < size; ++row) {
      for (Index key = 0; key < size; ++key) text += key == row ? "1 " : std::string(1, cell) + " ";
      text += '\n';
    }
    return text;
  };
  dialogs.mask_file.path = folder_.file("mine.txt", rows('0')).string();
  view.dialogs.mask_file = true;
  settle();
  window.click("Read mask");
  settle();
  window.key("escape");
  look();
  const auto allowed = [&] { return snapshot()->trace.layer(0).mask(0).allowed_in_row(size - 1); };
  ASSERT_EQ(allowed(), 1);
  const std::size_t steps = session.history().labels().size();
  folder_.file("mine.txt", rows('1') + "\n");
  look();
  ASSERT_TRUE(is_asked());
  window.click("Reload");
  settle();
  EXPECT_EQ(allowed(), size);
  EXPECT_EQ(session.history().labels().size(), steps + 1);
}

}  // namespace
}  // namespace headlight::testing
