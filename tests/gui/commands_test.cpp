// The table of commands: the keyboard, the menu of the document and the help are made from its rows.
#include "app/gui/commands/commands.h"

#include <map>

#include "tests/gui/frame_fixture.h"

namespace headlight::testing {
namespace {

using Commands = FrameTest;

TEST(CommandTable, GivesNoKeyToTwoCommands) {
  std::map<ImGuiKeyChord, std::string> taken;
  for (const WindowCommand& command : window_commands()) {
    for (const ImGuiKeyChord chord : command.keys) {
      if (chord == ImGuiKey_None) continue;
      EXPECT_TRUE(taken.emplace(chord, command.name).second) << keys_text(chord) << ": " << command.name << " and " << taken[chord];
    }
  }
}

TEST(CommandTable, HasANameAndADeedInEveryRow) {
  std::set<std::string> names;
  for (const WindowCommand& command : window_commands()) {
    EXPECT_TRUE(names.insert(command.name).second) << command.name;
    EXPECT_NE(command.act, nullptr) << command.name;
  }
}

TEST(CommandTable, WritesKeysAsPeopleDo) {
  EXPECT_EQ(keys_text(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_S), "ctrl+shift+S");
  EXPECT_EQ(keys_text(ImGuiMod_Ctrl | ImGuiKey_Equal), "ctrl +");
  EXPECT_EQ(keys_text(ImGuiKey_LeftArrow), "←");
  EXPECT_EQ(keys_text(ImGuiKey_F5), "F5");
  EXPECT_EQ(keys_text(ImGuiKey_None), "");
}

TEST_F(Commands, AllThatHaveAKeyStandInTheHelp) {
  window.items.watch_texts();
  window.key("f1");
  window.frame();
  std::set<std::string> written;
  for (const DrawnText& text : window.items.texts()) written.insert(text.text);
  for (const WindowCommand& command : window_commands()) {
    if (command.keys[0] == ImGuiKey_None) continue;
    EXPECT_TRUE(written.contains(command.name)) << command.name;
    EXPECT_TRUE(written.contains(keys_text(command.keys[0]))) << command.name;
  }
}

TEST_F(Commands, AreLinesOfTheDocumentsMenuWhereTheyBelongThere) {
  window.click("Document menu");
  std::set<std::string> lines;
  for (const DrawnItem& item : window.items.items()) {
    if (item.window.starts_with("##Popup")) lines.insert(item.label);
  }
  for (const WindowCommand& command : window_commands()) EXPECT_EQ(lines.contains(command.name), command.is_in_menu) << command.name;
}

TEST_F(Commands, ThatDoNotApplySayWhy) {
  const auto undo = std::find_if(window_commands().begin(), window_commands().end(),
                                 [](const WindowCommand& command) { return std::string_view(command.name) == "Undo"; });
  ASSERT_NE(undo, window_commands().end());
  Document draft = document();
  const Look look{palette(Theme::dark), window.fonts, 1};
  const auto panel = [&] { return Panel{context, snapshot(), session.worker().status(), draft, view, caches, look, all_views()}; };
  EXPECT_EQ(why_not(panel(), *undo), "Nothing was edited yet.");
  say("something else");
  EXPECT_EQ(why_not(panel(), *undo), "");
}

TEST_F(Commands, CtrlArrowsMoveTheHeadTooAndBelongToTheTextWhileOneTypes) {
  window.key("ctrl+right");
  window.key("ctrl+down");
  EXPECT_EQ(view.head, (HeadId{1, 1}));
  window.key("ctrl+l");
  window.key("ctrl+right");
  EXPECT_EQ(view.head, (HeadId{1, 1}));
}

TEST_F(Commands, QuitIsAskedOfTheWindow) {
  window.key("ctrl+q");
  EXPECT_TRUE(context.wants_to_close);
}

/// What a view's own command did.
int stops = 0;

TEST_F(Commands, OfTheShownViewComeBeforeThoseOfTheProgram) {
  static constexpr std::array kStop{
      WindowCommand{.name = "Stop here", .keys = {ImGuiKey_Space}, .act = [](Panel&) { ++stops; }},
  };
  std::vector<ViewRow> rows(all_views().begin(), all_views().end());
  for (ViewRow& row : rows) {
    if (row.view == View::head) row.commands = kStop;
  }
  window.draw = [&] { draw_frame(context, frame_state, rows); };
  stops = 0;
  show(View::head);
  window.key("space");
  EXPECT_EQ(stops, 1);
  EXPECT_TRUE(document().pins.empty()) << "a key gives one command";
  show(View::overview);
  window.key("space");
  EXPECT_EQ(stops, 1);
  EXPECT_EQ(document().pins.size(), 1U);
  window.key("f1");
  window.items.watch_texts();
  window.frame();
  const auto& texts = window.items.texts();
  EXPECT_TRUE(std::any_of(texts.begin(), texts.end(), [](const DrawnText& text) { return text.text == "Stop here"; }));
}

}  // namespace
}  // namespace headlight::testing
