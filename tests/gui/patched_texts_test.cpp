// Output, Heads: texts of a table patched from their partners, as a study of the window.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "app/recipe/recipe.h"
#include "app/recipe/verify.h"
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

/// Over the shown page: the figure that the dialog shows, written and made again.
class ExportedTexts : public PatchedTexts {
 protected:
  FigureRequest exported(const FigureKind& kind) {
    window.key("ctrl+e");
    settle();
    const auto shown = session.figure_previews().shown();
    EXPECT_TRUE(shown);
    if (!shown) return {};
    const FigureRequest request = shown->question.request;
    EXPECT_EQ(request.kind, &kind) << request.kind->name;
    const std::filesystem::path file = folder / (std::string(kind.name) + ".svg");
    dialogs.figure_export.path = file.string();
    window.click("Write file");
    settle();
    EXPECT_TRUE(std::filesystem::exists(file)) << session.exporter().status().message;
    SilentProgress silent;
    const Verification proved = verify_figure(file, {.model = document().query.model.name}, silent);
    EXPECT_TRUE(proved.is_equal) << proved.lines.front();
    EXPECT_EQ(read_recorded_figure(file).document.query.text, "") << "the figure is not of the sentence";
    window.key("escape");
    window.frame(2);
    return request;
  }
};

TEST_F(ExportedTexts, AStudyOfPatchesIsAFigureWithItsNumbers) {
  choose("stream, layer × position", kPairs);
  press("Patch each place");
  ASSERT_EQ(session.corpora().state(), CorpusState::finished) << session.corpora().shown()->problem;
  const FigureRequest request = exported(kPatchFigure);
  ASSERT_TRUE(request.effects.study);
  EXPECT_EQ(request.effects.study->texts, 2);
  EXPECT_EQ(request.effects.study->left_out, 1);
  const PatchStudy found = *patch_study_of(stored());
  ASSERT_EQ(request.effects.study->shares.size(), found.places.size());
  for (std::size_t at = 0; at < found.places.size(); ++at) {
    EXPECT_EQ(request.effects.study->ways.front().means[at], found.places[at].change.mean());
    EXPECT_EQ(request.effects.study->ways.front().counts[at], found.places[at].change.count);
  }
  view.output.beside = OutputPage::Beside::methods;
  EXPECT_EQ(exported(kPatchFigure).effects.study->file, "pairs.csv");
}

TEST_F(ExportedTexts, AStudyOfHeadsIsAFigureOfOneMethodOrOfAll) {
  press("Over a file of texts");
  press("Choose a file of texts …");
  dialogs.corpus.path = folder.file("lines.csv", kPairs).string();
  window.frame(2);
  dialogs.corpus.methods = {EffectMethod::zero, EffectMethod::gate};
  press("Change each head");
  ASSERT_EQ(session.corpora().state(), CorpusState::finished) << session.corpora().shown()->problem;
  EXPECT_EQ(exported(kEffectsFigure).effects.method, EffectMethod::zero);
  view.output.beside = OutputPage::Beside::methods;
  view.output.sweep = SweepKind::gate;
  settle();
  EXPECT_EQ(exported(kMethodsFigure).effects.methods, (std::vector<EffectMethod>{EffectMethod::gate, EffectMethod::zero}));
}

TEST_F(ExportedTexts, WithoutAStudyTheDialogSaysWhatIsMissing) {
  press("Over a file of texts");
  window.key("ctrl+e");
  settle();
  EXPECT_TRUE(says("No file of texts has been studied for effects yet."));
}

TEST_F(PatchedTexts, TheTextsThatChangeMostOpenWithOneClick) {
  choose("stream, layer × position", kPairs);
  ASSERT_GT(dialogs.corpus.top, 0);
  press("Patch each place");
  ASSERT_EQ(session.corpora().state(), CorpusState::finished) << session.corpora().shown()->problem;
  EXPECT_TRUE(says("Click a place to list the texts"));
  press("Patch 0 at 1");
  EXPECT_EQ(view.output.chosen_place, (HeadId{0, 1}));
  EXPECT_TRUE(says("Texts in which 0 @ 1 changes the target most"));
  const std::size_t place = 1;
  const StudyCell cell = stored().study.cell_of_all_lengths(place, kPatchChange);
  ASSERT_EQ(stored().study.heads()[place], (HeadId{0, 1}));
  ASSERT_EQ(cell.top.size(), 2U);
  EXPECT_GE(cell.top[0].value, cell.top[1].value);
  EXPECT_GE(cell.top[1].value, 0) << "by the size of the change, up or down";
  EXPECT_EQ(cell.top[0].query, 1) << "the row of its position is pinned";
  const std::string text = *cell.top[0].text;
  press("Text 0");
  EXPECT_EQ(document().query.text, text);
  EXPECT_EQ(view.view, View::head);
  ASSERT_TRUE(view.pinned_query);
  EXPECT_EQ(view.pinned_query->token, 1);
  session.undo();
  settle();
  EXPECT_NE(document().query.text, text);
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
