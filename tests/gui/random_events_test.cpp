// The window under hands that do anything at all: mouse, wheel, keys and text at random, several events a frame. Whatever they did, undoing
// all of it gives the document that was opened, and redoing gives back what was there.
//
// HEADLIGHT_RANDOM_EVENTS says how many (a thousand without it; tests/run.sh --all and --long give more), HEADLIGHT_RANDOM_SEED which. What
// was done since the last check is written frame by frame to headlight-random-events.script in the system's temporary folder, so that it is
// there after a crash too; a run that passes removes it.
#include <fmt/core.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "engine/core/random.h"
#include "tests/environment.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr && *text != '\0' ? std::strtoull(text, nullptr, 10) : otherwise;
}

constexpr std::array kKeys{"1",      "2",      "3",      "4",          "5",      "6",      "7",      "b",      "left",   "right",
                           "up",     "down",   "space",  "enter",      "tab",    "home",   "end",    "esc",    "delete", "backspace",
                           "f1",     "f5",     "pageup", "ctrl+z",     "ctrl+y", "ctrl+z", "ctrl+a", "ctrl+c", "ctrl+v", "ctrl+shift+z",
                           "ctrl+b", "ctrl+j", "ctrl+=", "ctrl+minus", "ctrl+0", "ctrl+e", "ctrl+n", "ctrl+o", "ctrl+s", "ctrl+left",
                           "ctrl+up"};
constexpr std::array kTexts{"a",  " ", "the", " cat", ".",           "7",  "0.5", "causal", "window:2", "k<=q",   "é",  "ü",
                            "漢", "ש", "ע",   "अ",    "👩‍👧", "\t", ",",   "-",      "<s>",      "[MASK]", "\"", "\\"};
constexpr std::array<ImVec2, 4> kSizes{{{800, 500}, {1024, 768}, {1600, 1000}, {2560, 1440}}};

/// Hands with a seed. What they do is kept as a script for people (app/gui/script/script.h); frames are divided by comments.
class RandomHands {
 public:
  explicit RandomHands(std::uint64_t seed) : random_(seed, "hands") {}

  /// The events of one frame, on what the last one drew. Returns how many they are.
  int act(const std::vector<DrawnItem>& items) {
    const int events = 1 + pick(4);
    for (int event = 0; event < events; ++event) one(items);
    return events;
  }
  /// Everything that is held is let go.
  void let_go() {
    ImGuiIO& io = ImGui::GetIO();
    for (int button = 0; button < 3; ++button) io.AddMouseButtonEvent(button, false);
    for (const auto modifier : {ImGuiMod_Ctrl, ImGuiMod_Shift}) io.AddKeyEvent(modifier, false);
  }
  int pick(std::size_t count) { return static_cast<int>(random_.next() % count); }
  std::string take_script() { return std::exchange(script_, {}); }

 private:
  void one(const std::vector<DrawnItem>& items) {
    ImGuiIO& io = ImGui::GetIO();
    switch (pick(8)) {
      case 0:
      case 1:
      case 2:
        return move(items);
      case 3:
      case 4:
        return press();
      case 5: {
        const float up = static_cast<float>(pick(5)) - 2;
        note(fmt::format("wheel 0,{}", up));
        return io.AddMouseWheelEvent(0, up);
      }
      case 6:
        return key(kKeys[static_cast<std::size_t>(pick(kKeys.size()))]);
      default: {
        const char* text = kTexts[static_cast<std::size_t>(pick(kTexts.size()))];
        note(fmt::format("type \"{}\"", text));
        return io.AddInputCharactersUTF8(text);
      }
    }
  }

  void move(const std::vector<DrawnItem>& items) {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    ImVec2 to{static_cast<float>(pick(static_cast<std::size_t>(size.x))), static_cast<float>(pick(static_cast<std::size_t>(size.y)))};
    if (!items.empty() && pick(5) > 0) {
      const DrawnItem& item = items[static_cast<std::size_t>(pick(items.size()))];
      if (item.box.width > 0) to = {item.box.x + item.box.width * share(), item.box.y + item.box.height * share()};
      note(fmt::format("move {:.0f},{:.0f}  # {}", to.x, to.y, item.label));
    } else {
      note(fmt::format("move {:.0f},{:.0f}", to.x, to.y));
    }
    ImGui::GetIO().AddMousePosEvent(to.x, to.y);
  }

  /// Mostly a click, sometimes with another button or ctrl; sometimes the button stays down until a later press.
  void press() {
    ImGuiIO& io = ImGui::GetIO();
    const int button = pick(8) < 6 ? 0 : pick(3);
    const bool is_held = pick(4) == 0, has_ctrl = pick(6) == 0;
    note(fmt::format("{}press {}{}", has_ctrl ? "ctrl-" : "", button, is_held ? "" : ", release"));
    if (has_ctrl) io.AddKeyEvent(ImGuiMod_Ctrl, true);
    io.AddMouseButtonEvent(button, true);
    if (!is_held) io.AddMouseButtonEvent(button, false);
    if (has_ctrl) io.AddKeyEvent(ImGuiMod_Ctrl, false);
  }

  void key(const char* name) {
    note(fmt::format("key {}", name));
    const ImGuiKeyChord chord = parse_key(name);
    ImGuiIO& io = ImGui::GetIO();
    for (const auto modifier : {ImGuiMod_Ctrl, ImGuiMod_Shift}) {
      if ((chord & modifier) != 0) io.AddKeyEvent(modifier, true);
    }
    io.AddKeyEvent(static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_), true);
    io.AddKeyEvent(static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_), false);
    for (const auto modifier : {ImGuiMod_Ctrl, ImGuiMod_Shift}) {
      if ((chord & modifier) != 0) io.AddKeyEvent(modifier, false);
    }
  }

  float share() { return 0.1F + 0.8F * random_.next_uniform(); }
  void note(const std::string& line) { script_ += line + "\n"; }

  RandomStream random_;
  std::string script_;
};

class RandomEvents : public testing::FrameTest {
 protected:
  RandomEvents() { fs::current_path(folder_.path()); }
  ~RandomEvents() override { fs::current_path(before_); }

  /// Waits for what the last events asked for, so that a seed does the same every time; not for what takes long.
  void rest() {
    for (int wait = 0; wait < 100 && !session.worker().is_idle(); ++wait) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  /// Lets go, closes what is open, and takes back everything. Then the same forwards.
  void expect_undone(const std::string& script) {
    hands_.let_go();
    do window.frame();  // Dear ImGui spreads events over frames
    while (ImGui::GetCurrentContext()->InputEventsQueue.Size > 0);
    for (int popup = 0; popup < 6; ++popup) window.key("escape");
    settle();
    const Document last = document();
    const std::size_t steps = session.history().labels().size();
    while (session.history().can_undo()) session.undo();
    window.frame(2);
    if (session.openings() == openings_) {
      EXPECT_EQ(to_json(document()), to_json(start_)) << script;
      EXPECT_TRUE(document() == start_) << script;
    }
    while (session.history().labels().size() < steps && session.history().can_redo()) session.redo();
    EXPECT_TRUE(document() == last) << "redone:\n" << script;
    settle();
  }

  const fs::path before_ = fs::current_path();
  const testing::TemporaryFolder folder_;
  const testing::EnvironmentVariable home_{"HOME", folder_.path().string()};
  const testing::EnvironmentVariable cache_{"HF_HUB_CACHE", (folder_ / "hub").string()};
  RandomHands hands_{number_from_environment("HEADLIGHT_RANDOM_SEED", 1)};
  Document start_;
  std::uint64_t openings_ = 0;
};

TEST_F(RandomEvents, AreAllUndoneToTheDocumentThatWasOpened) {
  constexpr int kBetweenChecks = 250;
  const auto wanted = static_cast<int>(number_from_environment("HEADLIGHT_RANDOM_EVENTS", 1000));
  const fs::path kept = fs::temp_directory_path() / "headlight-random-events.script";
  for (int done = 0; done < wanted && !HasFailure();) {
    window.resize(kSizes[static_cast<std::size_t>(hands_.pick(kSizes.size()))]);
    session.replace(sandbox_document());
    settle();
    start_ = document();
    openings_ = session.openings();
    std::string script = fmt::format("# resize {}x{}\n", ImGui::GetIO().DisplaySize.x, ImGui::GetIO().DisplaySize.y);
    std::ofstream file(kept, std::ios::trunc);
    for (const int end = std::min(wanted, done + kBetweenChecks); done < end;) {
      done += hands_.act(window.items.items());
      script += hands_.take_script() + "# frame\n";
      file.seekp(0), file << script << std::flush;
      window.frame();
      rest();
    }
    expect_undone(script);
  }
  if (!HasFailure()) fs::remove(kept);
}

}  // namespace
}  // namespace headlight
