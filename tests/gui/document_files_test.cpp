// Documents as files: new, open, save, and what is asked where an edit would be lost.
#include "app/document/document.h"
#include "app/gui/panel/saved_view.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

class DocumentFilesTest : public testing::FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    dialogs.documents.recent = {(folder_ / "elsewhere.headlight.json").string()};  // the dialogs begin in its folder
  }
  std::string text_in(const std::string& name) const { return load_document(folder_ / name).query.text; }
  void save_as(const std::string& name) {
    window.key("ctrl+shift+s");
    window.click("Document path");
    window.key("ctrl+a");
    window.type(name);
    window.key("enter");
    settle();
  }
  testing::TemporaryFolder folder_;
};

TEST_F(DocumentFilesTest, TheFirstSaveAsksForANameAndTheNextDoNot) {
  window.key("ctrl+s");
  EXPECT_TRUE(view.dialogs.document_save);
  EXPECT_EQ(dialogs.documents.path, "The-animal-didn-t-cross-the-stre") << "a name is offered";
  window.click("Save");
  settle();
  EXPECT_FALSE(view.dialogs.document_save);
  EXPECT_EQ(session.file(), folder_ / "The-animal-didn-t-cross-the-stre.headlight.json");
  EXPECT_FALSE(session.is_modified());
  say("another sentence");
  EXPECT_TRUE(session.is_modified());
  window.key("ctrl+s");
  settle();
  EXPECT_FALSE(session.is_modified());
  EXPECT_EQ(text_in("The-animal-didn-t-cross-the-stre.headlight.json"), "another sentence");
}

TEST_F(DocumentFilesTest, UndoToWhatWasSavedIsNoChange) {
  save_as("notes");
  say("another sentence");
  window.key("ctrl+z");
  settle();
  EXPECT_FALSE(session.is_modified());
}

TEST_F(DocumentFilesTest, AnotherFileIsReplacedOnlyWhenAskedTwice) {
  folder_.file("notes.headlight.json", "something else");
  save_as("notes");
  EXPECT_TRUE(view.dialogs.document_save) << "it asks";
  EXPECT_EQ(testing::bytes_of(folder_ / "notes.headlight.json"), "something else");
  window.click("Save");
  settle();
  EXPECT_EQ(text_in("notes.headlight.json"), document().query.text);
}

TEST_F(DocumentFilesTest, ASavedDocumentIsOpenedFromTheListAndFromTheRecentOnes) {
  const std::string first = document().query.text;
  save_as("notes");
  window.key("ctrl+n");
  settle();
  say("a second document");
  save_as("second");
  EXPECT_EQ(dialogs.documents.recent.front(), (folder_ / "second.headlight.json").string());
  window.key("ctrl+o");
  window.click("document notes.headlight.json");
  settle();
  EXPECT_FALSE(view.dialogs.document_open);
  EXPECT_EQ(document().query.text, first);
  EXPECT_EQ(session.file(), folder_ / "notes.headlight.json");
  window.key("ctrl+o");
  window.click("Open recent 1");
  settle();
  EXPECT_EQ(document().query.text, "a second document");
}

TEST_F(DocumentFilesTest, ANewDocumentKeepsTheModelAndHasNoFile) {
  save_as("notes");
  window.click("Document menu");
  window.click("New");
  settle();
  EXPECT_TRUE(session.file().empty());
  EXPECT_EQ(document().query.model.name, "sandbox");
  EXPECT_FALSE(session.history().can_undo());
}

TEST_F(DocumentFilesTest, WhereNothingIsKeptChangesAreNotGivenUpUnasked) {
  say("typed and saved nowhere");
  window.key("ctrl+n");
  settle();
  EXPECT_EQ(document().query.text, "typed and saved nowhere");
  window.key("escape");
  settle();
  EXPECT_FALSE(window.has("Discard changes"));
  EXPECT_EQ(document().query.text, "typed and saved nowhere") << "Esc stays";
  window.key("ctrl+n");
  window.click("Discard changes");
  settle();
  EXPECT_EQ(document().query.text, sandbox_document().query.text);
}

TEST_F(DocumentFilesTest, SavingFromTheQuestionGoesOnToWhatWasWanted) {
  say("typed and saved nowhere");
  window.key("ctrl+n");
  window.click("Save");
  settle();
  EXPECT_TRUE(view.dialogs.document_save);
  window.click("Save");
  settle();
  EXPECT_EQ(text_in("typed-and-saved-nowhere.headlight.json"), "typed and saved nowhere");
  EXPECT_EQ(document().query.text, sandbox_document().query.text) << "the new document that was asked for";
}

TEST_F(DocumentFilesTest, WhatTheProgramKeepsIsReplacedWithoutAQuestion) {
  context.keeping.state_folder = folder_.path();
  say("kept by the program");
  window.key("ctrl+n");
  settle();
  EXPECT_EQ(document().query.text, sandbox_document().query.text);
}

TEST_F(DocumentFilesTest, AFileThatCannotBeWrittenIsSaidAndTheDocumentStaysChanged) {
  session.save("/no/such/folder/notes.headlight.json");
  settle();
  EXPECT_NE(view.notes.banner.find("not saved"), std::string::npos) << view.notes.banner;
  EXPECT_TRUE(session.file().empty());
}

TEST_F(DocumentFilesTest, ADocumentOpensWhereOneLookedWhenItWasSaved) {
  show(View::head);
  view.head = {2, 3};
  view.pinned_query = TokenPlace{Side::text, 4};
  view.head_page.zoom = {1, 6, 2, 7};
  save_as("looking");
  view.head = {0, 0};
  window.key("ctrl+n");
  settle();
  show(View::overview);
  EXPECT_FALSE(view.pinned_query);
  window.key("ctrl+o");
  window.click("document looking.headlight.json");
  settle();
  EXPECT_EQ(view.view, View::head);
  EXPECT_EQ(view.head, (HeadId{2, 3}));
  EXPECT_EQ(view.pinned_query, (TokenPlace{Side::text, 4}));
  EXPECT_EQ(view.head_page.zoom, (CellWindow{1, 6, 2, 7}));
  EXPECT_FALSE(session.is_modified()) << "looking elsewhere changes no document";
}

TEST_F(DocumentFilesTest, SaysWhenAModelHasOtherWeightsThanTheDocumentWasSavedWith) {
  const std::string model = (fs::path(HEADLIGHT_TESTS_DIR) / "reference" / "models" / "gpt2").string();
  Document next = document();
  next.query.model.name = model;
  session.apply(next, false, false);
  settle();
  save_as("weights");
  Json json = Json::parse(testing::bytes_of(folder_ / "weights.headlight.json"));
  ASSERT_EQ(json[kWeightsField]["sha256"].get<std::string>().size(), 64U);
  EXPECT_FALSE(window.has("Close Other weights"));
  json[kWeightsField]["sha256"] = std::string(64, '0');
  session.open(folder_.file("other.headlight.json", json.dump()));
  settle();
  EXPECT_TRUE(session.has_other_weights());
  window.click("Close Other weights");
  EXPECT_FALSE(window.has("Close Other weights"));
  window.key("ctrl+s");
  settle();
  EXPECT_FALSE(session.has_other_weights()) << "saved with the present ones";
  next.query.model.name = "sandbox";
  session.apply(next, false, false);
  settle();
  session.save(folder_ / "sandbox.headlight.json");
  settle();
  EXPECT_FALSE(Json::parse(testing::bytes_of(folder_ / "sandbox.headlight.json")).contains(kWeightsField)) << "of no model any more";
}

TEST_F(DocumentFilesTest, ALookThatMakesNoSenseIsLeftAlone) {
  show(View::head);
  for (const Json& look : {Json(7), Json{{"view", 3}, {"head", "x"}}, Json{{"zoom", {1, 0, 5, 2}}}, Json{{"zoom", {0, 1e300, 0, 2}}},
                           Json{{"zoom", {1, "a", 5, 2}}}, Json{{"pinned_query", -5}}}) {
    show_look(look, view, all_views());
    EXPECT_EQ(view.view, View::head);
    EXPECT_EQ(view.head_page.zoom, CellWindow{}) << look;
    EXPECT_FALSE(view.pinned_query) << look;
  }
}

TEST_F(DocumentFilesTest, APressedEditGoesBackToItAndCanBeRedone) {
  window.resize({1600, 1700});  // the whole left rail
  window.click("Heads 4");
  settle();
  window.click("Heads 2");
  settle();
  window.click("Heads 1");
  settle();
  window.click("Go to edit 1");
  settle();
  EXPECT_EQ(document().query.model.sandbox.heads, 4);
  window.key("ctrl+y");
  EXPECT_EQ(document().query.model.sandbox.heads, 2);
}

}  // namespace
}  // namespace headlight
