// Tab through the whole window, and back.
#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/gui/frame_fixture.h"

namespace headlight::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsSupersetOf;

/// The control that has the keyboard: its region and place.
struct Focus {
  std::string region;
  Box box;
  ImGuiID id = 0;
  bool is_shown = false;  ///< framed, or a text box that is typed in
};

Focus focus() {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  if (context.NavWindow == nullptr || context.NavId == 0) return {};
  const ImRect box = ImGui::WindowRectRelToAbs(context.NavWindow, context.NavWindow->NavRectRel[0]);
  return {context.NavWindow->RootWindow->Name,
          {box.Min.x, box.Min.y, box.GetWidth(), box.GetHeight()},
          context.NavId,
          context.NavCursorVisible || context.ActiveId == context.NavId};
}

class TabOrder : public FrameTest {
 protected:
  Focus press(const char* key) {
    window.key(key);
    window.frame(6);  // regions without a control are passed over, one in a frame
    return focus();
  }
  /// Every control from the first, until the first comes again.
  std::vector<Focus> walk(const char* key = "tab") {
    std::vector<Focus> stops{press(key)};
    while (stops.size() < 400) {
      const Focus next = press(key);
      if (next.id == stops.front().id) return stops;
      stops.push_back(next);
    }
    ADD_FAILURE() << "Tab never comes back";
    return stops;
  }
  /// Walks to the control of a label.
  void tab_to(const char* label) {
    for (int i = 0; i < 200; ++i) {
      const Box box = window.box_of(label), here = press("tab").box;
      if (std::abs(here.x - box.x) < 8 && std::abs(here.y - box.y) < 8) return;
    }
    ADD_FAILURE() << "Tab does not reach " << label;
  }
  static std::vector<ImGuiID> ids_of(const std::vector<Focus>& stops) {
    std::vector<ImGuiID> ids;
    for (const Focus& stop : stops) ids.push_back(stop.id);
    return ids;
  }
  static std::vector<std::string> regions_of(const std::vector<Focus>& stops) {
    std::vector<std::string> regions;
    for (const Focus& stop : stops) {
      if (regions.empty() || regions.back() != stop.region) regions.push_back(stop.region);
    }
    return regions;
  }
};

TEST_F(TabOrder, GoesThroughEveryRegionOnceInReadingOrder) {
  show(View::head);
  EXPECT_THAT(regions_of(walk()), ElementsAre("Top bar", "Token strip", "Left switch", "Tabs", "Right switch", "Random note", "Left rail",
                                              "Inspector", "Status bar"));
  window.key("escape");
  show(View::lab);
  EXPECT_THAT(regions_of(walk()), IsSupersetOf({"Lab list", "Lab", "Left rail"}));
}

TEST_F(TabOrder, NoRegionIsLeftBeforeItsEndInAnyView) {
  for (const ViewRow& row : all_views()) {
    show(row.view);
    const std::vector<std::string> regions = regions_of(walk());
    EXPECT_EQ(std::set<std::string>(regions.begin(), regions.end()).size(), regions.size()) << row.title;
    window.key("escape");
  }
}

TEST_F(TabOrder, ReachesWhatCanBePressed) {
  show(View::output);
  const std::vector<Focus> stops = walk();
  for (const char* label : {"Document menu", "Model", "Model card", "Examples", "Sentence", "Export", "token 0", "Overview", "Head",
                            "Inside", "Links", "Compare", "Output", "Labs", "Heads …", "Mask causal", "Undo", "Redo", "Edits"}) {
    const Box box = window.box_of(label);
    const auto is_it = [&](const Focus& stop) { return std::abs(stop.box.x - box.x) < 8 && std::abs(stop.box.y - box.y) < 8; };
    EXPECT_TRUE(std::any_of(stops.begin(), stops.end(), is_it)) << label;
  }
}

TEST_F(TabOrder, BackwardsIsTheSameWayReversed) {
  show(View::head);
  std::vector<ImGuiID> there = ids_of(walk()), back = ids_of(walk("shift+tab"));
  std::reverse(back.begin(), back.end());
  const auto first = std::find(back.begin(), back.end(), there.front());
  ASSERT_NE(first, back.end());
  std::rotate(back.begin(), first, back.end());
  EXPECT_EQ(there, back);
}

TEST_F(TabOrder, TheControlWithTheKeyboardIsAlwaysShown) {
  for (const ViewRow& row : all_views()) {
    show(row.view);
    for (const Focus& stop : walk())
      EXPECT_TRUE(stop.is_shown) << row.title << ": " << stop.region << " at " << stop.box.x << ", " << stop.box.y;
    window.key("escape");
  }
}

TEST_F(TabOrder, EnterPressesWhatHasTheKeyboardAndEscGivesTheKeysBackToTheHeads) {
  show(View::head);
  const HeadId looked_at = view.head;
  tab_to("Labs");
  window.key("enter");
  EXPECT_EQ(view.view, View::lab);
  show(View::head);
  tab_to("Compare");
  window.key("left");
  EXPECT_EQ(view.head, looked_at) << "a plain arrow goes to the tab before";
  window.key("space");
  EXPECT_EQ(view.view, View::flow);
  show(View::head);
  window.key("ctrl+right");
  EXPECT_EQ(view.head.head, looked_at.head + 1) << "with ctrl, arrows always move the head";
  window.key("escape");
  window.key("right");
  EXPECT_EQ(view.head.head, looked_at.head + 2);
}

TEST_F(TabOrder, TypingGoesOnInTheTextBoxThatTabReaches) {
  tab_to("Sentence");
  window.type("tabbed");
  settle();
  EXPECT_NE(document().query.text.find("tabbed"), std::string::npos);
  press("tab");
  window.type("b");
  EXPECT_EQ(document().query.text.find("tabbedb"), std::string::npos) << "Tab leaves the box";
}

TEST_F(TabOrder, ArrowsAndEnterGoThroughTheListOfEdits) {
  say("one");
  Document warmer = document();
  warmer.query.score.temperature = 2;
  session.apply(warmer, false, false);
  say("one two three");
  tab_to("Go to edit 3");
  window.key("down");
  window.key("enter");
  settle();
  EXPECT_EQ(document().query.text, "one");
  EXPECT_EQ(document().query.score.temperature, 2);
}

TEST_F(TabOrder, ArrowsGoFromTokenToTokenAndTabPassesTheStrip) {
  say("one two three four");
  tab_to("token 0");
  window.key("right");
  window.key("right");
  window.key("enter");
  EXPECT_EQ(view.pinned_query, (TokenPlace{Side::text, 2}));
  EXPECT_NE(press("tab").region, "Token strip");
  EXPECT_EQ(press("shift+tab").region, "Token strip");
  EXPECT_NEAR(focus().box.x, window.box_of("token 2").x, 1) << "it comes back to the pinned one";
}

TEST_F(TabOrder, ASliderIsMovedByArrows) {
  show(View::head);
  tab_to("Temperature");
  const float before = document().query.score.temperature;
  window.key("right");
  settle();
  EXPECT_GT(document().query.score.temperature, before);
  window.key("left");
  settle();
  EXPECT_NEAR(document().query.score.temperature, before, 1e-5);
}

TEST_F(TabOrder, EscInADialogGivesTheKeyboardBackToTheSentence) {
  window.click("Sentence");
  window.key("ctrl+p");
  EXPECT_TRUE(view.dialogs.palette);
  window.key("escape");
  window.frame(3);
  EXPECT_FALSE(view.dialogs.palette);
  window.type("again");
  EXPECT_NE(document().query.text.find("again"), std::string::npos);
}

TEST_F(TabOrder, EscInADialogGivesTheKeyboardBackToTheControlThatOpenedIt) {
  tab_to("Model card");
  const ImGuiID before = focus().id;
  window.key("enter");
  settle();
  EXPECT_TRUE(view.dialogs.model_card);
  window.key("escape");
  window.frame(3);
  EXPECT_EQ(focus().id, before);
  EXPECT_TRUE(focus().is_shown);
}

TEST_F(TabOrder, SettingsBeginAtTheirFirstControlAndHelpAtItsText) {
  window.key("ctrl+,");
  settle();
  EXPECT_NEAR(focus().box.y, window.box_of("Settings theme dark").y, 8);
  window.key("escape");
  window.resize({800, 500});
  window.key("f1");
  settle();
  window.key("down");
  window.frame(3);
  const ImGuiWindow* help = ImGui::FindWindowByName("Help");
  ASSERT_NE(help, nullptr);
  EXPECT_GT(help->Scroll.y, 0) << "arrows scroll the text";
}

}  // namespace
}  // namespace headlight::testing
