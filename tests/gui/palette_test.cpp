// The command palette and the settings.
#include "app/gui/commands/matching.h"
#include "app/gui/panel/saved_view.h"
#include "tests/gui/frame_fixture.h"

namespace headlight::testing {
namespace {

TEST(Matching, PrefersWholeWordsToBeginningsAndThoseToParts) {
  const auto score = [](const char* typed, const char* name) { return match(typed, name).value_or(Match{-1, {}}).score; };
  EXPECT_GT(score("save", "Save"), score("sav", "Save"));
  EXPECT_GT(score("sav", "Save"), score("ave", "Save"));
  EXPECT_GT(score("ave", "Save"), score("sve", "Save"));
  EXPECT_EQ(score("xyz", "Save"), -1);
}

TEST(Matching, FindsInitialsAndWordsInAnyOrder) {
  EXPECT_TRUE(match("sa", "Save as …"));
  EXPECT_EQ(match("sohtlr", "Show or hide the left rail")->letters, (std::vector<std::size_t>{0, 5, 8, 13, 17, 22}));
  EXPECT_TRUE(match("rail left", "Show or hide the left rail"));
  EXPECT_FALSE(match("rail right", "Show or hide the left rail"));
}

TEST(Matching, TakesOtherWordsByTheirBeginning) {
  EXPECT_TRUE(match("proj", "Present", "projector large type"));
  EXPECT_FALSE(match("jector", "Present", "projector large type"));
  EXPECT_TRUE(match("", "anything"));
}

TEST(Matching, DoesNotFindScatteredLettersFarApart) {
  EXPECT_TRUE(match("exfig", "Export a figure …"));
  EXPECT_FALSE(match("sdl", "Some words that are rather far apart until letters"));
}

TEST(Matching, TellsHeadsApart) {
  const auto score = [](const char* name) { return match("1.3", name).value_or(Match{-1, {}}).score; };
  EXPECT_GT(score("Head 1.3"), score("Head 1.30"));
  EXPECT_GT(score("Head 1.3"), score("Head 11.3"));
}

class PaletteTest : public FrameTest {
 protected:
  void choose(const std::string& typed) {
    window.key("ctrl+p");
    ASSERT_TRUE(view.dialogs.palette);
    window.type(typed);
    window.key("enter");
    settle();
  }
};

TEST_F(PaletteTest, GoesToAHead) {
  choose("2.5");
  EXPECT_FALSE(view.dialogs.palette);
  EXPECT_EQ(view.head, (HeadId{2, 5}));
  EXPECT_EQ(view.view, View::head);
}

TEST_F(PaletteTest, PinsATokenOfTheText) {
  choose("animal");
  EXPECT_EQ(view.pinned_query, (TokenPlace{Side::text, 1}));
}

TEST_F(PaletteTest, DoesACommandAndPutsItFirstTheNextTime) {
  choose("present");
  EXPECT_TRUE(view.shell.is_presenting);
  EXPECT_EQ(view.recent_commands, std::vector<std::string>{"Present"});
  window.key("ctrl+p");
  window.key("enter");  // nothing typed: what was chosen last
  settle();
  EXPECT_FALSE(view.shell.is_presenting);
  const ViewState restored = view_from_json(to_json(view, all_views()), all_views());
  EXPECT_EQ(restored.recent_commands, view.recent_commands) << "the next start knows it too";
}

TEST_F(PaletteTest, OpensAModelInOneStep) {
  choose("open story-bert");
  EXPECT_EQ(document().query.model.name, "story-bert");
  EXPECT_EQ(session.history().labels().size(), 2U);
}

TEST_F(PaletteTest, SetsThemesColoursAndMasksEachInOneStep) {
  choose("theme light");
  EXPECT_EQ(document().style.theme, Theme::light);
  choose("colours viridis");
  EXPECT_EQ(document().style.map, ColourMap::viridis);
  choose("mask none");
  EXPECT_EQ(document().query.mask.rules.size(), 1U);
  EXPECT_EQ(session.history().labels().size(), 4U);
  window.key("ctrl+z");
  EXPECT_EQ(document().query.mask.rules.size(), 0U);
  EXPECT_EQ(document().style.map, ColourMap::viridis);
}

TEST_F(PaletteTest, ShowsAnExampleAndALab) {
  choose("london");
  EXPECT_TRUE(document().query.text.starts_with("London, inhabited"));
  choose("toy run");
  EXPECT_EQ(view.view, View::lab);
  EXPECT_EQ(view.labs.lab, Lab::toy_run);
}

TEST_F(PaletteTest, ImportLeadsToTheScoresOfOnesOwn) {
  choose("import");
  EXPECT_FALSE(view.dialogs.palette);
  EXPECT_EQ(view.view, View::measures);
  EXPECT_TRUE(window.has("Path of scores"));
}

TEST_F(PaletteTest, AskingWhichHeadLeadsToExamplesOfHeadsAndToAllHeads) {
  Document next = document();
  next.query.model.name = "story-gpt";
  session.apply(next, false, false);
  settle();
  window.key("ctrl+p");
  window.items.watch_texts();
  window.type("which head");
  window.frame(2);
  bool has_example = false, has_overview = false;
  for (const DrawnText& each : window.items.texts()) {
    has_example = has_example || each.text.find("example ·") != std::string::npos;
    has_overview = has_overview || each.text == "Overview";
  }
  EXPECT_TRUE(has_example);
  EXPECT_TRUE(has_overview);
}

TEST_F(PaletteTest, EnterOpensTheHeadThatIsSelectedInOverview) {
  show(View::overview);
  view.head = {1, 2};
  window.key("enter");
  EXPECT_EQ(view.view, View::head);
  EXPECT_EQ(view.head, (HeadId{1, 2}));
}

TEST_F(PaletteTest, GivesTheKeyboardToTheSentence) {
  choose("type a sentence");
  window.key("end");
  window.type(" and");
  settle();
  EXPECT_TRUE(document().query.text.ends_with(" and")) << document().query.text;
}

TEST_F(PaletteTest, WhatDoesNotApplyStaysAndSaysWhy) {
  window.items.watch_texts();
  window.key("ctrl+p");
  window.type("redo");
  const auto& texts = window.items.texts();
  EXPECT_TRUE(std::any_of(texts.begin(), texts.end(), [](const DrawnText& text) { return text.text == "Nothing was undone."; }));
  window.key("enter");
  EXPECT_TRUE(view.dialogs.palette);
}

TEST_F(PaletteTest, ArrowsMoveTheLineAndNothingElse) {
  window.key("ctrl+p");
  const HeadId looked_at = view.head;
  window.key("down");
  window.key("down");
  EXPECT_EQ(dialogs.palette.chosen, 2);
  window.key("up");
  EXPECT_EQ(dialogs.palette.chosen, 1);
  window.key("left");
  EXPECT_EQ(view.head, looked_at);
  window.type("x");
  EXPECT_EQ(dialogs.palette.typed, "x") << "the box keeps the keyboard";
  window.key("enter");
}

TEST_F(PaletteTest, EscapeAndAPressBesideItCloseItAtOnce) {
  view.pinned_query = TokenPlace{Side::text, 2};
  window.key("ctrl+p");
  window.type("theme");
  window.key("escape");
  EXPECT_FALSE(view.dialogs.palette);
  EXPECT_TRUE(view.pinned_query.has_value());
  window.key("ctrl+p");
  EXPECT_EQ(dialogs.palette.typed, "") << "it begins empty";
  window.click(ImVec2(5, 900));
  EXPECT_FALSE(view.dialogs.palette);
}

TEST_F(PaletteTest, ALineCanBePressed) {
  window.key("ctrl+p");
  window.type("settings");
  window.click("Command palette/Settings …");
  settle();
  EXPECT_FALSE(view.dialogs.palette);
  EXPECT_TRUE(view.dialogs.settings);
}

class SettingsTest : public FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    window.key("ctrl+,");
    ASSERT_TRUE(view.dialogs.settings);
  }
};

TEST_F(SettingsTest, ComeBackAtTheNextStartAndAreInNoDocument) {
  window.click("Less motion");
  window.click("Frame time and memory");
  window.click("Settings/Size");
  window.click("150 %");
  settle();
  EXPECT_TRUE(view.shell.has_reduced_motion);
  EXPECT_TRUE(view.shell.shows_cost);
  EXPECT_FLOAT_EQ(view.shell.zoom, 1.5F);
  EXPECT_EQ(document(), sandbox_document());
  const Shell restored = view_from_json(to_json(view, all_views()), all_views()).shell;
  EXPECT_EQ(restored, view.shell);
  EXPECT_FALSE(look_of(view, all_views()).contains("shell"));
}

TEST_F(SettingsTest, TheThemeIsThatOfTheDocumentAndOfNewOnes) {
  window.click("Settings theme light");
  settle();
  EXPECT_EQ(document().style.theme, Theme::light);
  window.key("escape");
  window.key("ctrl+n");
  settle();
  EXPECT_EQ(document().style.theme, Theme::light);
  EXPECT_EQ(view_from_json(to_json(view, all_views()), all_views()).shell.theme, Theme::light);
}

TEST_F(SettingsTest, TheySayThatTheThemeIsPartOfTheDocument) {
  window.items.watch_texts();
  window.frame(2);
  std::string said;
  for (const DrawnText& each : window.items.texts()) said += each.text + " ";
  EXPECT_NE(said.find("The theme is part of the document too"), std::string::npos);
}

TEST_F(SettingsTest, FrameTimeAndMemoryStandInTheStatusBarOnRequest) {
  window.key("escape");
  EXPECT_FALSE(window.has("Status bar/Frame time and memory"));
  view.shell.shows_cost = true;
  EXPECT_TRUE(window.has("Frame time and memory"));
  EXPECT_GT(caches.cost.bytes, 1000000U);
  context.is_scripted = true;
  EXPECT_FALSE(window.has("Frame time and memory")) << "scripts give the same pixels every time";
}

}  // namespace
}  // namespace headlight::testing
