// Output, Heads: texts of a table patched from their partners, as a study of the window.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "app/work/corpora/corpus_columns.h"
#include "engine/studies/importance/patch_report.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

class PatchedTexts : public testing::FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    open_gpt2();
    window.resize({1920, 1200});
    view.output.page = OutputPage::Page::heads;
    show(View::output);
    settle();
  }
  void press(const std::string& label) {
    window.click(label);
    settle();
  }
  bool says(const std::string& words) { return drawn_words().find(words) != std::string::npos; }
  /// Opens the dialog for patches of a part, with a table of pairs.
  void choose(const std::string& part, const std::string& table) {
    press("Sweep");
    press(part);
    press("Over a file of texts");
    press("Choose a file of texts …");
    dialogs.corpus.path = folder.file("pairs.csv", table).string();
    window.frame(2);
  }
  const StoredStudy& stored() { return *session.corpora().shown()->stored; }

  const std::string kPairs = "text,from\nthe old animal,the old cross\na cat,a animal\nthe cat,the old cat sat\n";
  testing::TemporaryFolder folder;
};

TEST_F(PatchedTexts, ByLayerAndPositionAreAGridThatOpensAgainFromItsFile) {
  choose("stream, layer × position", kPairs);
  ASSERT_TRUE(view.dialogs.corpus);
  EXPECT_EQ(dialogs.corpus.finds, CorpusChoice::Finds::patches);
  EXPECT_EQ(dialogs.corpus.part, PatchedPart::stream);
  press("Patch each place");
  ASSERT_EQ(session.corpora().state(), CorpusState::finished) << session.corpora().shown()->problem;
  EXPECT_EQ(view.view, View::output);
  EXPECT_EQ(stored().manifest.measures, (std::vector<std::string>{"patch-stream", "unpatched", "partner"}));
  EXPECT_EQ(stored().manifest.partner_column, "from");
  EXPECT_EQ(stored().study.texts(), 2);
  EXPECT_EQ(stored().study.counts.bad, 1) << "of other lengths";
  for (const char* label : {"Patch 0 at 0", "Patch 1 at 2", "Place 0 at 1"}) EXPECT_TRUE(window.has(label)) << label;
  EXPECT_FALSE(window.has("Effect 0.0"));
  EXPECT_TRUE(says("in the partner texts"));
  EXPECT_TRUE(says("Mean over 2 texts"));
  const std::string csv = patch_csv(*patch_study_of(stored()));

  show(View::measures);
  settle();
  EXPECT_FALSE(window.has("Corpus state")) << "it has no numbers of heads";
  EXPECT_TRUE(view.measures.source.empty());
  session.corpora().close();
  view.output.is_over_texts = false;
  view.output.sweep = SweepKind::off;
  view.corpus.wanted = folder / "pairs-gpt2-patch-stream.study";
  settle();
  show(View::output);
  settle();
  EXPECT_TRUE(view.output.is_over_texts);
  EXPECT_EQ(view.output.sweep, SweepKind::stream);
  EXPECT_TRUE(window.has("Patch 1 at 2"));
  EXPECT_EQ(patch_csv(*patch_study_of(stored())), csv);
}

TEST_F(PatchedTexts, OfHeadsAreMeansLikeThoseOfOtherMethods) {
  choose("z of another text", kPairs);
  press("Patch each place");
  ASSERT_EQ(session.corpora().state(), CorpusState::finished) << session.corpora().shown()->problem;
  EXPECT_TRUE(window.has("Effect 1.1"));
  EXPECT_TRUE(says("in the partner texts"));
  EXPECT_TRUE(says(" ± "));
  EXPECT_EQ(corpus_source(*session.corpora().shown()).columns.size(), 1U) << "the targets themselves are the same of all heads";
  press("Order the Overview");
  EXPECT_EQ(view.overview.arrangement.tint, "patch-z");
  show(View::output);
  settle();
  press("Save as …");
  ASSERT_TRUE(view.dialogs.corpus_save);
  EXPECT_EQ(dialogs.corpus_saving.path, "pairs-patches.csv");
  EXPECT_FALSE(window.has("Details"));
}

TEST_F(PatchedTexts, WithoutPartnersSayWhatIsMissing) {
  choose("map of another text", kPairs);
  dialogs.corpus.path = folder.file("lines.txt", "the old animal\n").string();
  EXPECT_TRUE(says("second column"));
  press("Patch each place");
  EXPECT_EQ(session.corpora().state(), CorpusState::none);
}

TEST_F(PatchedTexts, GoOnWhereTheyWereStopped) {
  std::string many = "text,from\n";
  for (int pair = 0; pair < 400; ++pair) many += "the old animal did,the old cross did\na cat,a animal\n";
  choose("z, layer × position", many);
  window.click("Patch each place");
  window.frame(2);
  session.corpora().stop();
  settle();
  ASSERT_EQ(session.corpora().state(), CorpusState::stopped);
  session.corpora().go_on();
  settle();
  ASSERT_EQ(session.corpora().state(), CorpusState::finished) << session.corpora().shown()->problem;
  EXPECT_EQ(stored().study.texts(), 800);
  EXPECT_EQ(patch_study_of(stored())->places.front().change.count, 800);
}

}  // namespace
}  // namespace headlight
