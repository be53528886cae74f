// A window with a file of four texts, one of its five lines without any, to be measured.
#pragma once

#include <filesystem>
#include <string>

#include "tests/gui/frame_fixture.h"

namespace headlight::testing {

class CorpusTest : public FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    texts_ = folder_.file(
        "tales.csv", "id,text\n1,the cat sat on the mat\n2,a dog and a dog\n3\n4,the old man saw the king\n5,it rained and it rained\n");
  }
  const CorpusStudies& corpora() { return session.corpora(); }
  const StoredStudy& study() { return *session.corpora().shown()->stored; }
  void choose(const std::string& command) {
    window.key("ctrl+p");
    window.type(command);
    window.key("enter");
    window.frame(2);
  }
  /// The dialog as it opens, with a file.
  void open_dialog() {
    choose("measure many texts");
    ASSERT_TRUE(view.dialogs.corpus);
    dialogs.corpus.path = texts_.string();
    window.frame(2);
  }
  void measure() {
    open_dialog();
    window.click("Measure all heads");
    settle();
    ASSERT_EQ(corpora().state(), CorpusState::finished) << corpora().shown()->problem;
  }
  void drop(const std::filesystem::path& path) {
    context.dropped_paths = {path.string()};
    settle();
  }

  TemporaryFolder folder_;
  std::filesystem::path texts_;
};

}  // namespace headlight::testing
