#include <gmock/gmock.h>

#include <filesystem>

#include "app/gui/browsing/folder_listing.h"
#include "tests/extra_figure.h"
#include "tests/gui/frame_fixture.h"
#include "tests/work/queries.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using testing::costly_query;
using ::testing::HasSubstr;
using ModelPicker = testing::FrameTest;
using ExportDialog = testing::FrameTest;
using Notes = testing::FrameTest;

fs::path tiny_gpt2() {
  return fs::path(HEADLIGHT_TESTS_DIR) / "reference" / "models" / "gpt2";
}

TEST(FolderListing, TellsModelsFromOtherFolders) {
  const testing::TemporaryFolder folder;
  fs::create_directories(folder / "b-model");
  fs::create_directories(folder / "a-folder");
  fs::create_directories(folder / ".hidden");
  folder.file("b-model/config.json", "{}");
  folder.file("b-model/model.safetensors", "");
  folder.file("a file", "");
  const FolderListing listing = list_folders(folder.path());
  ASSERT_EQ(listing.entries.size(), 2U);
  EXPECT_EQ(listing.entries[0].name, "b-model");
  EXPECT_TRUE(listing.entries[0].is_model);
  EXPECT_EQ(listing.entries[1].name, "a-folder");
  EXPECT_FALSE(listing.entries[1].is_model);
  EXPECT_FALSE(listing.is_model);
}

TEST(FolderListing, OfAFolderThatIsNotThereSaysSo) {
  const FolderListing listing = list_folders("/nowhere/at/all");
  EXPECT_NE(listing.problem.find("/nowhere/at/all"), std::string::npos);
}

TEST_F(ModelPicker, OpensATypedFolder) {
  window.click("Model");
  settle();  // the lists are read on the compute thread, and what stands below them moves when they are there
  window.click("Folder");
  window.key("ctrl+a");
  window.type(tiny_gpt2().string());
  window.click("Open");
  settle();
  EXPECT_FALSE(view.dialogs.model_picker);
  EXPECT_EQ(snapshot()->model->config.family, "GPT-2");
  EXPECT_EQ(dialogs.model_picker.recent_models, (std::vector<std::string>{document().query.model.name}));
  window.click("Model");
  settle();
  window.click("Choose sandbox");
  settle();
  EXPECT_EQ(snapshot()->model->name, "sandbox");
}

TEST_F(ModelPicker, AModelThatCannotBeOpenedKeepsDocumentAndPicture) {
  const testing::TemporaryFolder folder;
  folder.file("config.json", "{\"model_type\": \"gpt2\"");
  folder.file("model.safetensors", "not a tensor");
  const Document before = document();
  const auto picture = snapshot();
  context.dropped_paths = {folder.path().string()};
  settle();
  EXPECT_EQ(document(), before);
  EXPECT_EQ(snapshot()->query, picture->query);
  EXPECT_NE(view.notes.banner.find("config.json"), std::string::npos) << view.notes.banner;
  EXPECT_TRUE(dialogs.model_picker.recent_models.empty());
  window.click("Close Refusal");
  EXPECT_TRUE(view.notes.banner.empty());
}

TEST_F(ModelPicker, AModelThatCannotBeOpenedLeavesWhatRedoHad) {
  const testing::TemporaryFolder folder;
  folder.file("config.json", "{}");
  window.click("Mask none");
  settle();
  window.key("ctrl+z");
  settle();
  const std::string undo = session.history().undo_label(), redo = session.history().redo_label();
  context.dropped_paths = {folder.path().string()};
  settle();
  EXPECT_FALSE(view.notes.banner.empty());
  EXPECT_EQ(session.history().undo_label(), undo);
  EXPECT_EQ(session.history().redo_label(), redo);
  window.key("ctrl+y");
  settle();
  EXPECT_EQ(document().query.model.name, "sandbox");
  EXPECT_EQ(document().query.mask.rules.size(), 1U);
}

TEST_F(ModelPicker, ADroppedDocumentOpensWhateverItIsCalled) {
  const testing::TemporaryFolder kept;
  context.keeping.state_folder = kept.path();  // what is typed is kept, so that nothing is asked
  for (const char* name : {"d.headlight.json", "d.json"}) {
    SCOPED_TRACE(name);
    const testing::TemporaryFolder folder;
    Document dropped = sandbox_document();
    dropped.query.text = "attention";  // a word that files of maps are told by
    save_document(dropped, folder / name, {{"author", "somebody"}});
    context.dropped_paths = {(folder / name).string()};
    settle();
    EXPECT_EQ(document(), dropped);
    EXPECT_EQ(session.unknown(), Json({{"author", "somebody"}}));
    EXPECT_EQ(session.origin(), folder / name);
    EXPECT_TRUE(view.notes.banner.empty()) << view.notes.banner;
    say("something else");
  }
}

TEST_F(ModelPicker, ADroppedDocumentThatIsBrokenIsExplainedAndNothingChanges) {
  const testing::TemporaryFolder folder;
  const Document before = document();
  context.dropped_paths = {folder.file("d.headlight.json", "{").string()};
  settle();
  EXPECT_EQ(document(), before);
  EXPECT_NE(view.notes.banner.find("d.headlight.json"), std::string::npos) << view.notes.banner;
}

TEST_F(ModelPicker, AFileThatIsNoModelIsExplained) {
  context.dropped_paths = {"/somewhere/holiday.jpg"};
  window.frame();
  EXPECT_NE(view.notes.banner.find("holiday.jpg"), std::string::npos);
}

TEST_F(ExportDialog, WritesTheChosenFigureWhereItSays) {
  const testing::TemporaryFolder folder;
  show(View::head);
  window.click("Export");
  window.click("Format svg");
  dialogs.figure_export.path = (folder / "picture").string();
  window.click("Write file");
  settle();
  EXPECT_TRUE(fs::exists(folder / "picture.svg"));
  EXPECT_FALSE(session.exporter().status().is_failure) << session.exporter().status().message;
  EXPECT_NE(session.exporter().status().message.find("picture.svg"), std::string::npos);
}

TEST_F(ExportDialog, ACsvIsSafeForSpreadsheetsWhereThatIsAskedFor) {
  const testing::TemporaryFolder folder;
  say("=1+1");
  show(View::head);
  window.click("Export");
  EXPECT_FALSE(window.has("Safe for spreadsheets")) << "a picture holds no cells";
  EXPECT_TRUE(window.has("Background dark"));
  window.click("Format csv");
  EXPECT_FALSE(window.has("Background dark")) << "a table has no colours";
  const auto written = [&](const std::string& name) {
    dialogs.figure_export.path = (folder / name).string();
    window.click("Write file");
    settle();
    return testing::bytes_of(folder / (name + ".csv"));
  };
  const std::string plain = written("plain");
  EXPECT_EQ(plain.find("(spreadsheet-safe)"), std::string::npos) << plain;
  EXPECT_EQ(plain.find("\"'="), std::string::npos) << plain;
  window.click("Safe for spreadsheets");
  const std::string safe = written("safe");
  EXPECT_NE(safe.find("(spreadsheet-safe)"), std::string::npos) << safe;
  EXPECT_NE(safe.find("\"'="), std::string::npos) << safe;
  window.click("Format npy");
  EXPECT_FALSE(window.has("Safe for spreadsheets"));
}

TEST_F(ExportDialog, TheEndingOfATypedNameIsTheFormat) {
  const testing::TemporaryFolder folder;
  show(View::head);
  window.click("Export");
  window.click("Format svg");
  dialogs.figure_export.path = (folder / "mine.json").string();
  window.frame(2);
  EXPECT_EQ(dialogs.figure_export.ending, "json");
  window.click("Write file");
  settle();
  EXPECT_TRUE(fs::exists(folder / "mine.json")) << session.exporter().status().message;
  window.click("Format png");
  EXPECT_EQ(dialogs.figure_export.path, (folder / "mine.png").string()) << "the name follows the format";
  window.click("Format json");
  EXPECT_EQ(dialogs.figure_export.path, (folder / "mine.json").string());
  dialogs.figure_export.path = (folder / "mine.v2").string();
  window.click("Write file");
  settle();
  EXPECT_TRUE(fs::exists(folder / "mine.v2.json")) << "no ending of a figure";
}

TEST_F(ExportDialog, AsksBeforeItReplacesAFile) {
  const testing::TemporaryFolder folder;
  const fs::path there = folder.file("picture.svg", "not ours");
  show(View::head);
  window.click("Export");
  window.click("Format svg");
  dialogs.figure_export.path = there.string();
  window.click("Write file");
  settle();
  EXPECT_EQ(testing::bytes_of(there), "not ours");
  EXPECT_FALSE(window.has("Write file"));

  dialogs.figure_export.path = (folder / "another").string();
  EXPECT_TRUE(window.has("Write file")) << "the question was about the first name";
  window.click("Write file");
  settle();
  EXPECT_TRUE(fs::exists(folder / "another.svg"));
  EXPECT_EQ(testing::bytes_of(there), "not ours");

  dialogs.figure_export.path = there.string();
  window.click("Write file");
  window.click("Replace file");
  settle();
  EXPECT_EQ(testing::bytes_of(there).substr(0, 5), "<?xml");
}

TEST_F(ExportDialog, AQuestionThatWasLeftIsAskedAnew) {
  const testing::TemporaryFolder folder;
  show(View::head);
  dialogs.figure_export.path = folder.file("picture.png", "not ours").string();
  for (int time = 0; time < 2; ++time) {
    window.key("ctrl+e");
    window.click("Write file");
    EXPECT_TRUE(window.has("Replace file"));
    window.key("escape");
  }
  EXPECT_EQ(testing::bytes_of(folder / "picture.png"), "not ours");
}

TEST_F(ExportDialog, ChoosesTheFigureOfTheView) {
  window.key("ctrl+e");
  EXPECT_EQ(dialogs.figure_export.kind, &kGridFigure);
  window.key("escape");
  show(View::head);
  window.key("ctrl+e");
  EXPECT_EQ(dialogs.figure_export.kind, &kHeatmapFigure);
}

TEST_F(ExportDialog, OffersAComparisonOnlyOfPinnedHeads) {
  for (const View which : {View::overview, View::head, View::compare, View::output, View::lab}) {
    show(which);
    window.key("ctrl+e");
    EXPECT_NE(dialogs.figure_export.kind, &kCompareFigure);
    window.click("Figure");
    EXPECT_TRUE(window.has("grid"));
    EXPECT_FALSE(window.has("compare")) << "nothing is pinned";
    window.key("escape");
    window.key("escape");
  }
  Document next = document();
  next.pins = {{{99, 0}}};
  session.apply(next, false, false);
  show(View::compare);
  window.key("ctrl+e");
  window.click("Figure");
  EXPECT_FALSE(window.has("compare")) << "the model has no such head";
  window.key("escape");
  window.key("escape");
  next.pins = {{{0, 1}}, {{99, 0}}, {{1, 2}}};
  session.apply(next, false, false);
  settle();
  window.key("ctrl+e");
  EXPECT_EQ(dialogs.figure_export.kind, &kCompareFigure);
  const testing::TemporaryFolder folder;
  dialogs.figure_export.path = (folder / "both").string();
  dialogs.figure_export.ending = "svg";
  window.click("Write file");
  settle();
  EXPECT_TRUE(fs::exists(folder / "both.svg")) << session.exporter().status().message;
}

TEST_F(ExportDialog, OffersOneMoreFigureOfALongerTable) {
  const std::vector<const FigureKind*> longer = testing::figures_and(testing::kTallyFigure);
  context.figures = longer;
  window.key("ctrl+e");
  EXPECT_TRUE(window.has("Format csv"));
  window.click("Figure");
  window.click("tally");
  EXPECT_EQ(dialogs.figure_export.kind, &testing::kTallyFigure);
  EXPECT_TRUE(window.has("Format pdf"));
  EXPECT_FALSE(window.has("Format csv")) << "it has no numbers";
  const testing::TemporaryFolder folder;
  dialogs.figure_export.path = (folder / "count").string();
  window.click("Format svg");
  window.click("Write file");
  settle();
  EXPECT_THAT(testing::bytes_of(folder / "count.svg"), ::testing::HasSubstr("tokens counted"));
}

TEST_F(ExportDialog, AFolderThatCannotBeWrittenIsAMessage) {
  window.key("ctrl+e");
  dialogs.figure_export.path = "/nowhere/at/all/picture";
  window.click("Write file");
  settle();
  EXPECT_TRUE(session.exporter().status().is_failure);
  EXPECT_TRUE(view.dialogs.figure_export);
}

TEST_F(Notes, SayThatWeightsAreRandomUntilPutAway) {
  EXPECT_TRUE(window.has("Close Random note"));
  window.click("Close Random note");
  EXPECT_FALSE(window.has("Close Random note"));
  EXPECT_TRUE(view.notes.is_random_closed);
}

TEST_F(Notes, ALongRunSaysWhatItTakesAndWaitsForAYes) {
  session.worker().ask_above(0);
  Document next = document();
  next.query = costly_query();
  session.apply(next, false, false);
  settle();
  EXPECT_THAT(drawn_words(), AllOf(HasSubstr("4,000 tokens in 4 layers of 8 heads take about"), HasSubstr("of memory"),
                                   HasSubstr("You still see the picture of before")));
  window.click("Undo this");
  settle();
  EXPECT_FALSE(window.has("Compute"));
  EXPECT_NE(document().query.text, costly_query().text);
  window.key("ctrl+y");
  settle();
  window.click("Compute");
  window.frame();
  EXPECT_FALSE(window.has("Compute"));
  session.worker().cancel();
  settle();
}

TEST_F(Notes, ARefusalKeepsThePictureAndOffersToGoBack) {
  Document broken = document();
  broken.query.model.sandbox.heads = 7;
  const auto picture = snapshot();
  session.apply(broken, false, false);
  settle();
  EXPECT_EQ(snapshot(), picture);
  window.click("Undo this");
  settle();
  EXPECT_EQ(document().query.model.sandbox.heads, 8);
  EXPECT_FALSE(window.has("Close Refusal"));
}

}  // namespace
}  // namespace headlight
