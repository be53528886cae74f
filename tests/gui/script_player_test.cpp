#include "app/gui/script/script_player.h"

#include <gmock/gmock.h>
#include <misc/cpp/imgui_stdlib.h>

#include "tests/gui/null_window.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

/// Writes down what a script asks of the window.
class Notebook final : public ScriptHost {
 public:
  bool is_idle() override { return was_idle = ++asked % 3 == 0; }  // busy twice, then idle
  void resize(int width, int height) override { notes.push_back("resize " + std::to_string(width) + " " + std::to_string(height)); }
  void drop(const std::string& path) override { notes.push_back("drop " + path); }
  void light(std::optional<Box> place) override { notes.push_back(place && place->width > 0 ? "light" : "dark"); }
  void write_screenshot(const std::filesystem::path& path) override { notes.push_back("screenshot " + path.string()); }
  void write_state(const std::filesystem::path& path) override { notes.push_back("state " + path.string()); }
  std::vector<std::string> view_titles() override { return {}; }
  std::vector<std::string> notes;
  int asked = 0;
  bool was_idle = true;
};

struct Played {
  std::vector<std::string> notes;
  std::string text;
  int presses = 0;
  int frames = 0, frames_while_busy = 0;
  int questions = 0;  ///< whether the window is at rest
};

/// Plays a script in a window with a text box and a button.
Played play(std::string_view script) {
  NullWindow window({800, 600});
  Notebook notebook;
  Played played;
  window.draw = [&] {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::Begin("window");
    ImGui::InputText("##sentence", &played.text);
    if (ImGui::Button("Press me")) ++played.presses;
    ImGui::End();
  };
  ScriptPlayer player(parse_script(script, "tour.script"), notebook, window.items);
  while (player.before_frame()) {
    ++played.frames;
    if (!notebook.was_idle) ++played.frames_while_busy;
    window.frame();
    player.after_drawing();
    player.after_present();
  }
  played.notes = notebook.notes;
  played.questions = notebook.asked;
  return played;
}

TEST(ScriptPlayer, PlaysHandsAndAsksTheWindow) {
  const Played played = play(
      "click sentence\ntype \"café\"\nclick \"Press me\"\nwait\nresize 900x700\ndrop some/folder\nspotlight \"Press me\"\nspotlight "
      "off\nscreenshot a.png\ndump-state b.json\n"
      "quit\nclick nothing");
  EXPECT_EQ(played.text, "café");
  EXPECT_EQ(played.presses, 1);
  EXPECT_THAT(played.notes,
              ::testing::ElementsAre("resize 900 700", "drop some/folder", "light", "dark", "screenshot a.png", "state b.json"));
}

TEST(ScriptPlayer, FramesAreDrawnAtRestUnlessTheyAreToWaitForNobody) {
  EXPECT_EQ(play("wait\nclick \"Press me\"").frames_while_busy, 0);
  const Played one = play("frames 1"), many = play("frames 30");
  EXPECT_EQ(many.frames, one.frames + 29);
  EXPECT_EQ(many.questions, one.questions);
}

/// Never comes to rest, and is asked to end after a while.
class BusyHost final : public ScriptHost {
 public:
  bool is_idle() override { return ++asked > 1000; }
  bool is_asked_to_end() const override { return asked >= 5; }
  void resize(int /*width*/, int /*height*/) override {}
  void drop(const std::string& /*path*/) override {}
  void light(std::optional<Box> /*place*/) override {}
  void write_screenshot(const std::filesystem::path& /*path*/) override {}
  void write_state(const std::filesystem::path& /*path*/) override {}
  std::vector<std::string> view_titles() override { return {}; }
  int asked = 0;
};

TEST(ScriptPlayer, AWaitEndsWhereTheProgramIsAskedToEnd) {
  NullWindow window({800, 600});
  BusyHost host;
  ScriptPlayer player(parse_script("wait\nclick nothing", "tour.script"), host, window.items);
  EXPECT_FALSE(player.before_frame());
  EXPECT_EQ(host.asked, 5);
}

TEST(ScriptPlayer, AFailureNamesTheLine) {
  const Error missing = error_of([] { play("wait\n\nclick \"Press you\""); });
  EXPECT_EQ(missing.kind(), ErrorKind::usage);
  EXPECT_THAT(missing.message(), ::testing::AllOf(::testing::HasSubstr("tour.script: line 3"), ::testing::HasSubstr("\"Press me\"")));
  EXPECT_THAT(error_of([] { play("key ctrl+nothing"); }).message(), ::testing::HasSubstr("line 1"));
}

TEST(ScriptPlayer, ExpectationsFailWhereTheyDoNotHold) {
  play("expect \"Press me\"\nexpect not \"Press you\"");
  EXPECT_THAT(error_of([] { play("expect \"Press you\""); }).message(), ::testing::HasSubstr("line 1"));
  EXPECT_THAT(error_of([] { play("expect not \"Press me\""); }).message(), ::testing::HasSubstr("should not"));
}

}  // namespace
}  // namespace headlight::testing
