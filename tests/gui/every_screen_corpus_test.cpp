// What is measured over many texts, on every screen: no two texts lie over each other, none is cut off.
#include "tests/gui/every_screen.h"

namespace headlight::testing {
namespace {

class EveryCorpus : public EveryScreen {
 protected:
  void measure(const std::string& name, int lines) {
    std::string texts = "id,text\n";
    for (int line = 0; line < lines; ++line)
      texts += std::to_string(line) + (line % 5 == 4 ? "\n" : ",the old man saw the king in the town\n");
    dialogs.corpus.path = folder_.file(name, texts).string();
    dialogs.corpus.lengths = "4,8";
    view.dialogs.corpus = true;
    window.frame(2);
    expect_readable("a file of texts");
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    window.hover({display.x / 2, display.y / 2});
    window.wheel(-30);  // in a low window the button is below
    window.click("Measure all heads");
    settle();
    ASSERT_EQ(session.corpora().state(), CorpusState::finished);
  }
  TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Sizes, EveryCorpus, ::testing::ValuesIn(kScreens), name_of_screen);

TEST_P(EveryCorpus, FromTheFileToTheExamples) {
  show(View::measures);
  expect_readable("before any texts");
  measure("tales of the town and its people, told by those who live there.csv", 40);
  window.hover(ImVec2(1, 1));
  expect_readable("all heads over texts");
  window.click("Bad lines");
  expect_readable("lines that were left out");
  window.key("escape");
  view.dialogs.corpus_save = true;
  window.frame(2);
  expect_readable("where it is saved");
  view.dialogs.corpus_save = false;
  view.corpus.dropped = "/somewhere/another file of texts.csv";
  view.corpus.dropped_is = "over 1,000 lines";
  settle();
  expect_readable("a file that was dropped");
  view.corpus.dropped.clear();
  Document next = document();
  next.query.heads = 4;
  session.apply(next, false, false);
  settle();
  expect_readable("measured otherwise");
}

TEST_P(EveryCorpus, MeasuresAreChosen) {
  dialogs.corpus.measures = CorpusChoice::Measures::chosen;
  dialogs.corpus.chosen = {"previous-token"};
  view.dialogs.corpus = true;
  window.frame(2);
  expect_readable("a list of measures");
}

}  // namespace
}  // namespace headlight::testing
