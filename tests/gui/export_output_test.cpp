// The export dialog over the pages of Output, over Compare and over Labs: each page's own figure, or a sentence that says why there is none.
#include <gmock/gmock.h>

#include <algorithm>

#include "app/document/labs/lab_names.h"
#include "app/document/subjects.h"
#include "app/gui/dialogs/export/export_figure.h"
#include "app/recipe/recipe.h"
#include "engine/figure/painters/painters.h"
#include "engine/interventions/intervention.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class ExportOutput : public testing::FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    window.resize({1920, 1200});
  }
  void open_model() {
    open_gpt2();
    show(View::output);
    settle();
  }
  void open_dialog() {
    window.key("ctrl+e");
    settle();
  }
  void show_page(OutputPage::Page page) {
    view.output.page = page;
    window.frame(2);
    settle();
  }
  FigurePreview previewed() {
    settle();
    const auto shown = session.figure_previews().shown();
    EXPECT_TRUE(shown);
    return shown ? *shown : FigurePreview{};
  }
  /// Over the shown page: its figure, its command, and its file. Closes the dialog.
  void expect_figure_of_page(const FigureKind& kind, const testing::TemporaryFolder& folder) {
    open_dialog();
    const FigurePreview shown = previewed();
    ASSERT_EQ(shown.question.request.kind, &kind) << kind.name;
    EXPECT_EQ(shown.scene, make_figure(*snapshot(), shown.question.request, pango_measure())) << kind.name;
    ASSERT_TRUE(shown.command) << kind.name;
    EXPECT_THAT(*shown.command, HasSubstr("--figure " + std::string(kind.name)));
    expect_written_and_equal(folder / (std::string(kind.name) + ".svg"));
    window.key("escape");
    window.frame(2);
  }
  /// Writes what the dialog shows, reads it, and computes it again.
  void expect_written_and_equal(const fs::path& file) {
    dialogs.figure_export.path = file.string();
    window.click("Write file");
    settle();
    ASSERT_TRUE(fs::exists(file)) << session.exporter().status().message;
    const RecordedFigure read = read_recorded_figure(file);
    EXPECT_EQ(read.choice.request.kind, dialogs.figure_export.kind);
    const FigureRequest shown = session.figure_previews().shown()->question.request;
    FigureRequest again = request_of(read, [](int) { return nullptr; });
    ThreadPool pool(1);
    SilentProgress silent;
    find_effects(*snapshot(), again, pool, silent);
    EXPECT_EQ(again.effects, shown.effects);
    EXPECT_EQ(again.lab, shown.lab);
  }
};

TEST_F(ExportOutput, EveryPageHasItsOwnFigure) {
  open_model();
  const testing::TemporaryFolder folder;
  using Page = OutputPage::Page;
  for (const auto& [page, kind] : {std::pair{Page::predictions, &kOutputFigure},
                                   {Page::parts, &kAttributionFigure},
                                   {Page::heads, &kEffectsFigure},
                                   {Page::layers, &kLensFigure}}) {
    show_page(page);
    expect_figure_of_page(*kind, folder);
  }
}

TEST_F(ExportOutput, TheTargetTheHeadAndTheMethodOfThePageAreThoseOfTheFigure) {
  open_model();
  Document next = document();
  next.target = parse_target("logit:#4-#11@2");
  session.apply(next, false, false);
  settle();
  view.head = {1, 0};
  show_page(OutputPage::Page::parts);
  open_dialog();
  FigurePreview shown = previewed();
  EXPECT_EQ(shown.question.request.effects.target, next.target);
  EXPECT_EQ(shown.question.request.effects.head, (HeadId{1, 0}));
  EXPECT_THAT(*shown.command, HasSubstr("--target 'logit:#4-#11@2' --layer 1 --head 0"));
  window.key("escape");
  view.output.sweep = SweepKind::gate;
  show_page(OutputPage::Page::heads);
  open_dialog();
  shown = previewed();
  ASSERT_TRUE(shown.question.request.effects.found);
  EXPECT_EQ(shown.question.request.effects.found->method, EffectMethod::gate);
  EXPECT_EQ(shown.question.request.effects.found->target, next.target);
  EXPECT_THAT(*shown.command, HasSubstr("--method gate"));
}

TEST_F(ExportOutput, WhatIsBesideTheGridOfHeadsIsAFigureOfItsOwn) {
  open_model();
  const testing::TemporaryFolder folder;
  using Beside = OutputPage::Beside;
  for (const auto& [beside, kind] : {std::pair{Beside::methods, &kMethodsFigure}, {Beside::pruning, &kPruningFigure}}) {
    view.output.beside = beside;
    show_page(OutputPage::Page::heads);
    expect_figure_of_page(*kind, folder);
  }
}

TEST_F(ExportOutput, OfOneHeadPerLayerThereIsNoPruningCurveAndTheDialogSaysWhy) {
  open_model();
  Document next = document();
  next.query.heads = 1;
  session.apply(next, false, false);
  view.output.beside = OutputPage::Beside::pruning;
  show_page(OutputPage::Page::heads);
  open_dialog();
  EXPECT_THAT(drawn_words(), HasSubstr("so nothing can be pruned"));
}

TEST_F(ExportOutput, TheMapOfTheTextThatAnEditTakesFromIsExportedWithTheEditedMap) {
  open_model();
  Document next = document();
  next.query.interventions = {parse_intervention("1.1=pattern:\"the cross did not animal\"")};
  session.apply(next, false, false);
  settle();
  view.head = {1, 1};
  show(View::head);
  settle();
  ASSERT_TRUE(window.has("map of the other text"));
  const testing::TemporaryFolder folder;
  open_dialog();
  const FigureRequest request = previewed().question.request;
  ASSERT_EQ(request.kind, &kCompareFigure);
  const std::vector<ComparedHead>& heads = request.heads;
  ASSERT_EQ(heads.size(), 2U);
  EXPECT_EQ(heads[0].of, nullptr);
  EXPECT_EQ(heads[1].of->encoding->text, "the cross did not animal");
  expect_written_and_equal(folder / "both.svg");
  window.key("escape");
  window.frame(2);
  view.head_page.stage = Stage::scores;
  open_dialog();
  EXPECT_EQ(previewed().question.request.kind, &kHeatmapFigure);
}

TEST_F(ExportOutput, PatchesFromAnotherTextAreTheFigureOfTheirPage) {
  open_model();
  const testing::TemporaryFolder folder;
  view.output.other_text = "the cross did not animal";
  for (const SweepKind kind : {SweepKind::stream, SweepKind::layer_z, SweepKind::z, SweepKind::pattern}) {
    view.output.sweep = kind;
    show_page(OutputPage::Page::heads);
    open_dialog();
    const FigurePreview shown = previewed();
    ASSERT_EQ(shown.question.request.kind, &kPatchFigure);
    EXPECT_EQ(shown.question.request.effects.part, *row_of(kind).part);
    EXPECT_THAT(*shown.command, HasSubstr("--figure patch --from 'the cross did not animal'"));
    expect_written_and_equal(folder / (std::string(row_of(kind).name) + ".svg"));
    window.key("escape");
    window.frame(2);
  }
  view.output.other_text = "a text of another length, which does not fit";
  window.frame(2);
  settle();
  open_dialog();
  EXPECT_TRUE(dialogs.figure_export.awaits_view);
}

TEST_F(ExportOutput, WhatIsPatchedIsBesideTheMethods) {
  open_model();
  const testing::TemporaryFolder folder;
  view.output.other_text = "the cross did not animal";
  view.output.sweep = SweepKind::z;
  show_page(OutputPage::Page::heads);
  view.output.sweep = SweepKind::off;
  view.output.beside = OutputPage::Beside::methods;
  show_page(OutputPage::Page::heads);
  open_dialog();
  const FigurePreview shown = previewed();
  ASSERT_EQ(shown.question.request.kind, &kMethodsFigure);
  EXPECT_EQ(shown.question.request.effects.patched, std::vector{PatchedPart::z});
  EXPECT_THAT(*shown.command, HasSubstr("--methods zero,gate,patch-z --from 'the cross did not animal'"));
  expect_written_and_equal(folder / "methods.svg");
}

TEST_F(ExportOutput, MeansOverAFileAreAFigureThatKeepsItsTexts) {
  open_model();
  const testing::TemporaryFolder folder;
  view.output.texts.file = folder.file("texts.txt", "the people did not cross\nan animal slept here today\n");
  for (const auto beside : {OutputPage::Beside::ranking, OutputPage::Beside::methods}) {
    view.output.sweep = SweepKind::mean;
    view.output.beside = beside;
    show_page(OutputPage::Page::heads);
    open_dialog();
    const FigurePreview shown = previewed();
    const EffectsRequest& effects = shown.question.request.effects;
    ASSERT_TRUE(effects.texts);
    EXPECT_EQ(effects.texts->name, "texts.txt");
    EXPECT_EQ(effects.texts->texts.size(), 2U);
    EXPECT_FALSE(shown.command) << "the file may have changed; the figure has its texts";
    expect_written_and_equal(folder / (std::string(shown.question.request.kind->name) + ".svg"));
    window.key("escape");
    window.frame(2);
  }
}

TEST_F(ExportOutput, PredictionsOfATextWithEditsAreBesideThoseWithout) {
  open_model();
  Document next = document();
  next.query.interventions = {parse_intervention("0.0=off")};
  session.apply(next, false, false);
  settle();
  show_page(OutputPage::Page::predictions);
  open_dialog();
  FigurePreview shown = previewed();
  ASSERT_TRUE(shown.question.request.baseline);
  EXPECT_TRUE(shown.question.request.baseline->query.interventions.empty());
  EXPECT_THAT(*shown.command, HasSubstr("--edit 0.0=off --figure output"));
  window.key("escape");
  const Document edited = document();
  next = edited;
  set_baseline(next);
  session.apply(next, false, false);
  settle();
  open_dialog();
  shown = previewed();
  ASSERT_TRUE(shown.question.request.baseline);
  EXPECT_EQ(shown.question.request.baseline->query.interventions, edited.query.interventions) << "the one that was kept comes first";
}

TEST_F(ExportOutput, EveryLabIsItsOwnFigure) {
  const testing::TemporaryFolder folder;
  show(View::lab);
  settle();
  for (const LabKind& kind : lab_kinds()) {
    view.labs.lab = kind.lab;
    settle();
    open_dialog();
    const FigurePreview shown = previewed();
    ASSERT_EQ(shown.question.request.kind, &kLabFigure) << kind.name;
    EXPECT_FALSE(dialogs.figure_export.awaits_view);
    EXPECT_EQ(shown.scene, make_figure(*snapshot(), shown.question.request, pango_measure())) << kind.name;
    ASSERT_TRUE(shown.command) << kind.name;
    EXPECT_THAT(*shown.command, HasSubstr("--figure lab --lab " + std::string(kind.name)));
    expect_written_and_equal(folder / (std::string(kind.name) + ".svg"));
    window.key("escape");
    window.frame(2);
  }
}

TEST_F(ExportOutput, AFigureOfALabIsSetAsItsPage) {
  view.labs.lab = Lab::dropout;
  view.labs.dropout = 0.25F;
  view.labs.dropout_seed = 7;
  view.head = {1, 2};
  show(View::lab);
  settle();
  open_dialog();
  EXPECT_THAT(*previewed().command, HasSubstr("--lab dropout:p=0.25,sample=7 --layer 1 --head 2"));
}

TEST_F(ExportOutput, AViewWithoutAFigureSaysWhichOneIsWritten) {
  show(View::output);
  settle();
  open_dialog();
  EXPECT_TRUE(dialogs.figure_export.awaits_view) << "the sandbox predicts nothing";
  window.key("escape");
  show(View::head);
  open_dialog();
  EXPECT_FALSE(dialogs.figure_export.awaits_view);
}

TEST_F(ExportOutput, AFigureThatWasChosenStays) {
  show(View::output);
  settle();
  open_dialog();
  window.click("Figure");
  window.click("grid");
  settle();
  EXPECT_EQ(dialogs.figure_export.kind, &kGridFigure);
  EXPECT_FALSE(dialogs.figure_export.awaits_view);
}

TEST_F(ExportOutput, TheMeasuresOfPinnedHeadsAreAFigureOfCompare) {
  Document next = document();
  next.pins = {{{0, 1}, next.focused}, {{1, 2}, next.focused}};
  session.apply(next, false, false);
  settle();
  show(View::compare);
  open_dialog();
  EXPECT_EQ(dialogs.figure_export.kind, &kCompareFigure);
  window.click("Figure");
  window.click("compare-measures");
  const FigurePreview shown = previewed();
  EXPECT_EQ(shown.question.request.kind, &kCompareMeasuresFigure);
  EXPECT_THAT(*shown.command, HasSubstr("--figure compare-measures --pin 0.1 --pin 1.2"));
}

TEST_F(ExportOutput, AKeyThatIsTypedIsMarked) {
  show(View::head);
  open_dialog();
  EXPECT_TRUE(window.has("Marked key"));
  dialogs.figure_export.key = "1";
  FigurePreview shown = previewed();
  EXPECT_EQ(shown.question.request.marked.key, 1);
  EXPECT_THAT(*shown.command, HasSubstr("--key 1"));
  EXPECT_EQ(shown.scene, make_figure(*snapshot(), shown.question.request, pango_measure()));
  for (const char* typed : {"", "400", "-1", "1x"}) {
    dialogs.figure_export.key = typed;
    EXPECT_FALSE(previewed().question.request.marked.key) << typed;
  }
  dialogs.figure_export.key = "400";
  window.frame(2);
  window.click("Write file");
  EXPECT_TRUE(dialogs.figure_export.started.empty()) << "no file of a figure without the mark that was asked for";
  dialogs.figure_export.key = "1";
  for (const FigureKind* kind : {&kTextFigure, &kLinksFigure, &kInsideFigure, &kGridFigure, &kFlowFigure}) {
    dialogs.figure_export.kind = kind;
    shown = previewed();
    EXPECT_THAT(*shown.command, HasSubstr("--key 1")) << kind->name;
  }
  dialogs.figure_export.kind = &kMeasuresFigure;
  window.frame(2);
  EXPECT_FALSE(window.has("Marked key"));
}

}  // namespace
}  // namespace headlight
