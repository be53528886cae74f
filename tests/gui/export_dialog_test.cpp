// The export dialog: what is previewed is what is written, and its command makes the same.
#include <gmock/gmock.h>

#include "app/gui/dialogs/export/export_figure.h"
#include "app/gui/dialogs/export/export_memory.h"
#include "app/recipe/recipe.h"
#include "engine/figure/painters/painters.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

class ExportPreview : public testing::FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    show(View::head);
    open();
  }
  void open() {
    window.key("ctrl+e");
    settle();
  }
  void choose(const char* name, const char* entry) {
    window.click(name);
    window.click(entry);
    settle();
  }
  FigurePreview preview() {
    settle();
    const auto shown = session.figure_previews().shown();
    EXPECT_TRUE(shown);
    return shown ? *shown : FigurePreview{};
  }
  std::string copied() {
    window.key("ctrl+c");
    const char* text = ImGui::GetClipboardText();
    return text != nullptr ? text : "";
  }
};

TEST_F(ExportPreview, OfTheOutputViewIsTheListOfPredictionsOfThePinnedPosition) {
  window.key("escape");
  Document next = document();
  next.query.model.name = (fs::path(HEADLIGHT_TESTS_DIR) / "reference" / "models" / "gpt2").string();
  next.query.text = "the animal did not cross";
  session.apply(next, false, false);
  show(View::output);
  view.pinned_query = TokenPlace{Side::text, 2};
  settle();
  open();
  const FigurePreview shown = preview();
  EXPECT_EQ(shown.question.request.kind, &kOutputFigure);
  EXPECT_EQ(shown.question.request.output.position, 2);
  EXPECT_EQ(shown.scene, make_figure(*snapshot(), shown.question.request, pango_measure()));
}

TEST_F(ExportPreview, OfAModelThatPredictsNothingIsNoListOfPredictions) {
  window.click("Figure");
  EXPECT_TRUE(window.has("text"));
  EXPECT_FALSE(window.has("output"));
}

TEST_F(ExportPreview, OfTheRunningTextIsTheTintedTextAndOfTheLinesAboveItTheLinks) {
  window.key("escape");
  show(View::links);
  ASSERT_TRUE(window.has("Export the text"));
  window.click("Export the text");
  EXPECT_EQ(dialogs.figure_export.kind, &kTextFigure);
  EXPECT_EQ(preview().question.request.kind, &kTextFigure);
  window.key("escape");
  window.hover("word 1");
  window.frame();
  open();
  EXPECT_EQ(dialogs.figure_export.kind, &kTextFigure) << "the pointer is over the text";
  window.key("escape");
  window.hover("Links");
  window.frame();
  open();
  EXPECT_EQ(dialogs.figure_export.kind, &kLinksFigure);
}

TEST_F(ExportPreview, IsTheSceneThatTheFileGets) {
  for (const char* figure : {"heatmap", "grid", "flow"}) {
    choose("Figure", figure);
    const FigurePreview shown = preview();
    EXPECT_EQ(shown.question.request.kind->name, figure);
    EXPECT_EQ(shown.scene, make_figure(*snapshot(), shown.question.request, pango_measure()));
    const auto pixels = session.figure_previews().shown_pixels();
    ASSERT_TRUE(pixels);
    EXPECT_EQ(pixels->image->pixels, to_image(shown.scene, pixels->pixels_per_point).pixels);
  }
}

TEST_F(ExportPreview, LiesOnThePixelsOfItsImageWhateverFits) {
  for (const char* figure : {"heatmap", "grid", "measures"}) {
    choose("Figure", figure);
    dialogs.figure_export.zoom = PreviewZoom::fit;
    for (const float height : {1000.0F, 987.0F, 953.0F, 901.0F}) {
      window.resize({1600, height});
      preview();
      const Box box = window.box_of("Preview");
      const auto pixels = session.figure_previews().shown_pixels();
      ASSERT_TRUE(pixels);
      EXPECT_EQ(box.width, static_cast<float>(pixels->image->width)) << figure << " " << height;
      EXPECT_EQ(box.height, static_cast<float>(pixels->image->height)) << figure << " " << height;
    }
  }
}

TEST_F(ExportPreview, OfAPresetIsAsWideAsItIsPrintedAndSoIsItsFile) {
  choose("Preset", "paper, one column");
  const FigurePreview shown = preview();
  EXPECT_TRUE(shown.scene.has_print_size);
  EXPECT_NEAR(shown.scene.width / kPointsPerMm, 85, 0.01);
  EXPECT_TRUE(fit_of(shown.question.request.page, shown.scene).keeps_type());
  const testing::TemporaryFolder folder;
  dialogs.figure_export.path = (folder / "column.png").string();
  window.click("Write file");
  settle();
  ASSERT_TRUE(fs::exists(folder / "column.png")) << session.exporter().status().message;
  const RecordedFigure written = read_recorded_figure(folder / "column.png");
  EXPECT_EQ(written.choice.request.page, shown.question.request.page);
}

TEST_F(ExportPreview, TheCommandIsThatOfTheWrittenFile) {
  const testing::TemporaryFolder folder;
  for (const char* ending : {"png", "svg", "pdf"}) {
    choose("Preset", "paper, whole width");
    window.click("Background light");
    window.click(std::string("Format ") + ending);
    const FigurePreview shown = preview();
    ASSERT_TRUE(shown.command);
    dialogs.figure_export.path = (folder / "figure").string() + "." + ending;
    window.click("Write file");
    settle();
    const std::string recorded = read_recorded_figure(dialogs.figure_export.path).provenance.command;
    EXPECT_EQ(recorded, *shown.command + " -o head." + ending);
    dialogs.figure_export.path.clear();
    choose("Preset", "as large as its content");
  }
}

TEST_F(ExportPreview, CtrlCCopiesTheWholeCommand) {
  window.click("Format svg");
  const FigurePreview shown = preview();
  EXPECT_EQ(copied(), *shown.command + " -o " + "head-0-0.svg");
}

TEST_F(ExportPreview, EnterWritesAndEscapeClosesAndLetsGoOfThePreview) {
  const testing::TemporaryFolder folder;
  dialogs.figure_export.path = (folder / "picture.svg").string();
  window.click("Format svg");
  window.key("enter");
  settle();
  EXPECT_TRUE(fs::exists(folder / "picture.svg"));
  window.key("escape");
  EXPECT_FALSE(view.dialogs.figure_export);
  window.frame();
  EXPECT_FALSE(session.figure_previews().shown());
}

TEST_F(ExportPreview, PartsAreLeftOutAndComeBack) {
  const Scene whole = preview().scene;
  window.click("Show title");
  EXPECT_LT(preview().scene.items.size(), whole.items.size());
  window.click("Show title");
  EXPECT_EQ(preview().scene, whole);
}

TEST_F(ExportPreview, HasNoGroundWhereItIsTransparent) {
  window.click("Background transparent");
  EXPECT_EQ(preview().scene.background.alpha, 0);
  window.click("Background dark");
  EXPECT_EQ(preview().scene.background.alpha, 255);
}

TEST_F(ExportPreview, IsLargerAtTwiceThePrintSize) {
  window.click("Preview print size");
  settle();
  const float once = session.figure_previews().shown_pixels()->pixels_per_point;
  window.click("Preview 200 %");
  settle();
  EXPECT_NEAR(session.figure_previews().shown_pixels()->pixels_per_point, 2 * once, 0.02 * once);
}

TEST_F(ExportPreview, ALookOfOnesOwnIsKeptUnderItsNameUntilItIsRemoved) {
  dialogs.figure_export.page = {.width_mm = 120, .type = 9};
  dialogs.figure_export.preset_name = "thesis";
  window.click("Save preset");
  ASSERT_EQ(dialogs.figure_export.presets.size(), 1U);
  choose("Preset", "as large as its content");
  EXPECT_EQ(dialogs.figure_export.page, PageLook{});
  EXPECT_FALSE(window.has("Remove preset"));
  choose("Preset", "thesis");
  EXPECT_EQ(dialogs.figure_export.page.width_mm, 120);
  window.click("Remove preset");
  EXPECT_TRUE(dialogs.figure_export.presets.empty());
  EXPECT_EQ(dialogs.figure_export.page.width_mm, 120) << "what is set stays";
}

TEST(ExportMemory, BringsBackHowAFigureWasSet) {
  ExportChoice choice;
  choice.ending = "pdf";
  choice.theme = Theme::light;
  choice.page = {
      .width_mm = 85, .height_mm = 70, .type = 7, .letter = "a", .without = {PagePart::caption, PagePart::bar}, .is_transparent = true};
  choice.presets = {{"thesis", choice.page}};
  ExportChoice back;
  restore_export(export_to_keep(choice), back);
  EXPECT_EQ(back.page, choice.page);
  EXPECT_EQ(back.presets, choice.presets);
  EXPECT_EQ(back.ending, "pdf");
  EXPECT_EQ(back.theme, Theme::light);
}

TEST(ExportMemory, ABrokenOneChangesNothing) {
  for (const char* text : {"3", "{}", R"({"width": "wide", "type": -4, "without": [7, "nonsense"], "letter": "\u0001", "ground": "pink"})",
                           R"({"width": 1e30, "family": "\"; rm", "without": "title"})"}) {
    ExportChoice choice;
    restore_export(Json::parse(text), choice);
    EXPECT_EQ(choice.page, PageLook{}) << text;
    EXPECT_FALSE(choice.theme) << text;
  }
}

}  // namespace
}  // namespace headlight
