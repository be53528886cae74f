// Many figures from the export dialog: every text of a file, and sweeps.
#include "app/gui/dialogs/export/export_series.h"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include "app/recipe/recipe.h"
#include "app/recipe/verify.h"
#include "engine/figure/axes.h"
#include "engine/formats/file_reader.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class ExportSeries : public testing::FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    show(View::head);
    window.key("ctrl+e");
    settle();
    write_file(folder / "some.csv", "text,more\n\"The cat sat\",\"A dog ran\"\n\"Birds sing\",\"Fish swim\"\n");
  }
  void choose(const char* name, const char* entry) {
    window.click(name);
    window.click(entry);
    settle();
  }
  FigureSeries& series() { return session.figure_series(); }
  std::string copied() {
    window.key("ctrl+c");
    const char* text = ImGui::GetClipboardText();
    return text != nullptr ? text : "";
  }
  testing::TemporaryFolder folder;
};

TEST_F(ExportSeries, EveryTextOfAFileIsMadeAndTheCommandSaysIt) {
  window.click("Make file of texts");
  settle();
  EXPECT_FALSE(window.has("Column"));
  dialogs.figure_export.batch.path = (folder / "some.csv").string();
  settle();
  choose("Column", "more");
  window.click("Figure grid");
  window.click("Format svg");
  window.click("Format csv");
  window.click("Format png");
  settle();
  EXPECT_THAT(copied(), AllOf(HasSubstr("--figures heatmap,grid"), HasSubstr("--format svg,csv"), HasSubstr("--column more"),
                              HasSubstr("some-figures")));
  EXPECT_FALSE(fs::exists(folder / "some-figures")) << "not before it is asked for";
  window.click("Make all");
  settle();
  ASSERT_EQ(series().state(), SeriesState::finished) << series().report()->problem;
  const fs::path made = folder / "some-figures";
  for (const char* file : {"0000-heatmap.svg", "0000-grid.csv", "0001-heatmap.csv", "0001-grid.svg", "index.html"}) {
    EXPECT_TRUE(fs::exists(made / file)) << file;
  }
  EXPECT_FALSE(fs::exists(made / "0000-heatmap.png"));
  EXPECT_THAT(testing::bytes_of(made / "0001-heatmap.svg"), HasSubstr("Fish swim"));
  SilentProgress silent;
  EXPECT_TRUE(verify_figure(made / "0001-grid.svg", {.threads = 1}, silent).is_equal);
  EXPECT_TRUE(window.has("Series words"));
  window.click("Copy place");
  EXPECT_EQ(std::string(ImGui::GetClipboardText()), (made / "index.html").string());
  window.click("Make all");
  settle();
  EXPECT_EQ(series().report()->kept, 8U) << "the same once more: everything is there";
  window.click("Close series");
  EXPECT_FALSE(window.has("Series words"));
}

TEST_F(ExportSeries, GoesOnWithoutTheDialogAndSaysHowItEnded) {
  window.click("Make file of texts");
  dialogs.figure_export.batch.path = (folder / "some.csv").string();
  window.frame(2);
  {
    const Desk::Quiet quiet(session.worker().desk());  // it cannot be done before the dialog is closed
    window.click("Make all");
    window.key("escape");
    window.frame(2);
  }
  EXPECT_FALSE(view.dialogs.figure_export);
  settle();
  ASSERT_EQ(series().state(), SeriesState::finished);
  EXPECT_THAT(view.notes.copied, AllOf(HasSubstr("2 written"), HasSubstr("index.html")));
}

TEST_F(ExportSeries, AFileThatCannotBeUsedStartsNothing) {
  window.click("Make file of texts");
  window.click("Make all");
  settle();
  EXPECT_EQ(series().state(), SeriesState::none);
  dialogs.figure_export.batch.path = (folder / "some.pdf").string();
  settle();
  EXPECT_NE(dialogs.figure_export.batch.problem, "");
  window.click("Make all");
  settle();
  EXPECT_EQ(series().state(), SeriesState::none);
}

// A pinned row is one of the present text.
TEST_F(ExportSeries, OfOtherTextsMarksNoRowOfThisOne) {
  view.pinned_query = TokenPlace{.token = 3};
  settle();
  EXPECT_TRUE(session.figure_previews().shown()->question.request.marked.query);
  window.click("Make file of texts");
  settle();
  EXPECT_FALSE(session.figure_previews().shown()->question.request.marked.query);
}

// The last position of a long text is none of a shorter one.
TEST_F(ExportSeries, PredictionsOfOtherTextsAreOfTheirOwnPositions) {
  window.key("escape");
  Document next = document();
  next.query.model.name = (fs::path(HEADLIGHT_TESTS_DIR) / "reference" / "models" / "gpt2").string();
  next.query.text = "the animal did not cross the street because it was too tired";
  session.apply(next, false, false);
  show(View::output);
  settle();
  window.key("ctrl+e");
  settle();
  EXPECT_THAT(copied(), HasSubstr("--query")) << "one figure is of the position that is shown";
  window.click("Make file of texts");
  dialogs.figure_export.batch.path = (folder / "some.csv").string();
  settle();
  EXPECT_THAT(copied(), AllOf(HasSubstr("--figure output"), Not(HasSubstr("--query"))));
  window.click("Make all");
  settle();
  ASSERT_EQ(series().state(), SeriesState::finished) << series().report()->problem;
  EXPECT_EQ(series().report()->failures.size(), 0U);
  EXPECT_TRUE(fs::exists(folder / "some-figures" / "0000-output.png"));
}

TEST_F(ExportSeries, ASweepIsOnePageOrNumberedFiles) {
  window.click("Make sweep");
  choose("Sweep over", "head");
  dialogs.figure_export.sweep.typed = "0-1";
  dialogs.figure_export.path = (folder / "heads.svg").string();
  window.click("Format svg");
  settle();
  EXPECT_THAT(copied(), HasSubstr("--sweep head=0,1"));
  window.click("Write files");
  settle();
  ASSERT_EQ(series().state(), SeriesState::finished) << series().report()->problem;
  EXPECT_TRUE(fs::exists(folder / "heads-0.svg") && fs::exists(folder / "heads-1.svg"));
  window.click("Write files");
  EXPECT_TRUE(window.has("Replace file")) << "what is there is not replaced without a question";
  dialogs.figure_export.path = (folder / "heads").string();
  window.click("Format html");
  settle();
  window.click("Write page");
  settle();
  EXPECT_THAT(testing::bytes_of(folder / "heads.html"), HasSubstr("<input id=\"sweep\""));
}

TEST_F(ExportSeries, ALabIsSweptOverWhatItUses) {
  window.items.watch_texts();
  window.key("escape");
  view.labs.lab = Lab::mask_fills;
  view.labs.is_all_masked = false;
  show(View::lab);
  settle();
  window.key("ctrl+e");
  settle();
  window.click("Make sweep");
  choose("Sweep over", "token");
  dialogs.figure_export.sweep.typed = "1,3";
  settle();
  EXPECT_THAT(copied(), AllOf(HasSubstr("--figure lab --lab mask-conventions:row=own"), HasSubstr("--query 1 --sweep token=1,3")));
  const auto previewed = session.figure_previews().shown();
  ASSERT_TRUE(previewed);
  EXPECT_EQ(previewed->question.request.lab.query, 1);
  const Encoding& queries = snapshot()->query_tokens(previewed->question.request.lab.layer);
  const std::string query = fmt::format("query “{}”", axis_label(snapshot()->label(queries, queries.tokens[1])));
  const auto names_row = [&](const SceneItem& item) {
    const auto* text = std::get_if<SceneText>(&item);
    return text != nullptr && text->text.find(query) != std::string::npos;
  };
  EXPECT_TRUE(std::any_of(previewed->scene.items.begin(), previewed->scene.items.end(), names_row)) << query;
  dialogs.figure_export.path = (folder / "rows").string();
  window.click("Format html");
  settle();
  window.click("Write page");
  settle();
  ASSERT_EQ(series().state(), SeriesState::finished) << series().report()->problem;
  SilentProgress silent;
  EXPECT_TRUE(verify_figure(folder / "rows.html", {.threads = 1}, silent).is_equal);
  window.click("Format png");
  settle();
  window.key("escape");
  view.labs.lab = Lab::attempts;
  settle();
  window.key("ctrl+e");
  settle();
  const auto says_why = [](const DrawnText& text) { return text.text.find("does not change") != std::string::npos; };
  const auto& texts = window.items.texts();
  EXPECT_TRUE(std::any_of(texts.begin(), texts.end(), says_why)) << "of no layer, head or token";
  window.click("Write files");
  settle();
  EXPECT_FALSE(fs::exists(folder / "rows-0.png"));
}

TEST_F(ExportSeries, AHeadIsFollowedWhileItLearns) {
  window.click("Make sweep");
  EXPECT_NE(dialogs.figure_export.sweep.of, SweepOf::training);
  window.key("escape");
  Document next = document();
  next.drawn_map = {{0, 0}, {{5, 6, 2, 3, true}}, 0};
  session.apply(next, false, false);
  settle();
  window.key("ctrl+e");
  choose("Sweep over", "training steps");
  EXPECT_THAT(copied(), AllOf(HasSubstr("--draw 0.0@5:2"), HasSubstr("--sweep training=0,1,5,20")));
  dialogs.figure_export.path = (folder / "learns").string();
  window.click("Format html");
  settle();
  window.click("Write page");
  settle();
  ASSERT_EQ(series().state(), SeriesState::finished) << series().report()->problem;
  EXPECT_THAT(testing::bytes_of(folder / "learns.html"), HasSubstr("after 20 training steps"));
  SilentProgress silent;
  EXPECT_TRUE(verify_figure(folder / "learns.html", {.threads = 1}, silent).is_equal);
}

TEST_F(ExportSeries, AValueThatIsNotThereIsSaidAndNotMade) {
  window.click("Make sweep");
  dialogs.figure_export.sweep.typed = "99";
  settle();
  window.click("Write files");
  settle();
  EXPECT_EQ(series().state(), SeriesState::none);
}

}  // namespace
}  // namespace headlight
