// Rails, dialogs, menus and notes on every screen that the program is made for: no two texts lie over each other, none is cut off.
#include <fmt/core.h>

#include "app/session/file_watch.h"
#include "tests/gui/every_screen.h"

namespace headlight::testing {
namespace {

class AroundTheViews : public EveryScreen {};
INSTANTIATE_TEST_SUITE_P(Sizes, AroundTheViews, ::testing::ValuesIn(kScreens), name_of_screen);

TEST_P(AroundTheViews, TheQuestionBeforeALongPaste) {
  ImGui::SetClipboardText(std::string(1'000'000, 'a').c_str());
  window.click("Sentence");
  window.key("ctrl+v");
  EXPECT_TRUE(window.has("Paste nothing"));
  expect_readable("a long paste");
}

TEST_P(AroundTheViews, TheContextMenu) {
  show(View::head);
  window.feed.click(window.cell_of("map", {5, 2}), ImGuiMouseButton_Right);
  window.play();
  ASSERT_TRUE(window.has("Explain this"));
  expect_readable("the menu of a cell");
  window.click("Explain this");
  ASSERT_TRUE(window.has("Explained"));
  expect_readable("a cell explained");
  window.key("escape");
  window.right_click("token 4");
  expect_readable("the menu of a token");
  window.click("Explain this");
  expect_readable("a token explained");
  window.key("escape");
  show(View::overview);
  window.right_click("head 0.1");
  expect_readable("the menu of a head");
}

TEST_P(AroundTheViews, RailsInEveryForm) {
  for (const Fold left : {Fold::open, Fold::folded}) {
    for (const Fold right : {Fold::open, Fold::folded}) {
      view.shell.left = left, view.shell.right = right;
      for (const View which : {View::overview, View::head}) {
        show(which);
        expect_readable(fmt::format("left {}, right {}", static_cast<int>(left), static_cast<int>(right)));
      }
    }
  }
  view.shell.is_presenting = true;
  expect_every_view_readable("presenting");
}

TEST_P(AroundTheViews, SectionsOfTheFoldedRail) {
  view.shell.left = Fold::folded;
  show(View::head);
  for (const char* name : {"Heads", "Mask", "Score", "Block", "Display", "Sandbox", "Train a head", "Edits"}) {
    const bool is_in_stub = window.has(name);
    window.click(is_in_stub ? name : "More sections");
    if (!is_in_stub) window.click(name);
    expect_readable(name);
    EXPECT_TRUE(window.has("Keep open")) << name;
    window.key("escape");
  }
}

TEST_P(AroundTheViews, Dialogs) {
  const auto open = [&](const char* name, bool OpenDialogs::*dialog) {
    view.dialogs.*dialog = true;
    settle();
    expect_readable(name);
    view.dialogs.*dialog = false;
    window.frame(2);
  };
  open("models", &OpenDialogs::model_picker);
  open("a document to open", &OpenDialogs::document_open);
  open("a document to save", &OpenDialogs::document_save);
  open("export", &OpenDialogs::figure_export);
  open("help", &OpenDialogs::help);
  open("card", &OpenDialogs::model_card);
  open("mask file", &OpenDialogs::mask_file);
  open("parameters", &OpenDialogs::parameters);
  open("settings", &OpenDialogs::settings);
}

TEST_P(AroundTheViews, TheCommandPalette) {
  window.key("ctrl+p");
  expect_readable("commands");
  window.type("head");
  expect_readable("heads");
  for (int letter = 0; letter < 4; ++letter) window.key("backspace");
  window.type("zzzz");
  expect_readable("nothing that fits");
}

TEST_P(AroundTheViews, NotesThatOfferSomething) {
  const testing::TemporaryFolder folder;
  FileWatch watch({}, std::chrono::milliseconds(0));
  context.file_watch = &watch;
  const std::filesystem::path file = folder / "a document with a rather long name.headlight.json";
  session.save(file);
  settle();
  watch.look_now();
  Document theirs = document();
  theirs.query.text = "another";
  save_document(theirs, file);
  watch.look_now(), watch.look_now();
  expect_every_view_readable("a file that changed on disk");
  context.file_watch = nullptr;
  view.notes.changed_files.clear();
  Document next = document_of_model("story-gpt");
  next.query.text = "Der Hund läuft über die Straße und bellt.";
  session.apply(next, false, false);
  settle();
  EXPECT_TRUE(window.has("Close Unfamiliar words"));
  show(View::head);
  expect_readable("words that the model does not know");
  next = document_of_model("story-bert");
  next.query.text = "I am going to deposit my money at the bank";
  session.apply(next, false, false);
  settle();
  EXPECT_TRUE(window.has("Close Relation heads"));
  expect_readable("heads that follow relations");
}

TEST_P(AroundTheViews, FrameTimeAndMemory) {
  view.shell.shows_cost = true;
  expect_readable("frame time and memory");
}

TEST_P(AroundTheViews, NotesLieOverAViewAndMoveNothingInIt) {
  for (const View which : {View::overview, View::head, View::compare}) {
    show(which);
    view.notes.is_random_closed = true;
    window.frame(2);
    const auto maps = [&] {
      std::vector<Box> boxes;
      for (const DrawnItem& item : window.items.items()) {
        if (item.label == "map" || item.label.starts_with("head ")) boxes.push_back(item.box);
      }
      return boxes;
    };
    const std::vector<Box> before = maps();
    view.notes.is_random_closed = false;
    view.notes.banner =
        "The file notes.headlight.json cannot be read: line 3 has no number where one is expected, found \"many\". Save it "
        "anew from the program that wrote it, or open another one. The document you had open stays open.";
    view.notes.offered_document = "/nowhere/last.headlight.json";
    expect_readable("notes over " + std::string(which.name));
    EXPECT_EQ(maps(), before) << which.name;
    EXPECT_TRUE(window.has("Close Refusal")) << "in sight";
    view.notes = {};
  }
}

TEST_P(AroundTheViews, TrainingAHead) {
  show(View::head);
  view.drawn_map.is_painted = true;
  view.shell.left = Fold::open;
  expect_readable("a map that is drawn");
}

TEST_P(AroundTheViews, Menus) {
  for (const char* menu : {"Document menu", "Examples"}) {
    if (!window.has(menu)) continue;
    window.click(menu);
    settle();
    expect_readable(menu);
    window.key("escape");
  }
  say("an edit that would be lost");
  window.key("ctrl+n");
  settle();
  expect_readable("the question before a new document");
}

}  // namespace
}  // namespace headlight::testing
