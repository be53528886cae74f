// The keyboard in popups and dialogs: arrows, Enter, Escape, and typing.
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

class Popups : public testing::FrameTest {
 protected:
  int heads() const { return document().query.model.sandbox.heads; }
  bool has_popup() {
    window.frame();
    return ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
  }
  void open_counts() {
    window.click("Heads …");
    ASSERT_TRUE(has_popup());
  }
};

TEST_F(Popups, OfHeadCountsTakesTheArrowsFromTheChosenCountOn) {
  open_counts();  // 1 2 4 8 16 / 32 64
  const HeadId looked_at = view.head;
  window.key("left");
  window.key("enter");
  settle();
  EXPECT_EQ(heads(), 4);
  EXPECT_FALSE(has_popup());
  EXPECT_EQ(view.head, looked_at) << "arrows belong to the popup while it is open";
  window.key("right");
  EXPECT_EQ(view.head.head, looked_at.head + 1) << "and to the heads again after it";
}

TEST_F(Popups, OfHeadCountsReachEveryCount) {
  open_counts();
  window.key("right");
  window.key("down");
  window.key("enter");
  settle();
  EXPECT_TRUE(heads() == 32 || heads() == 64) << heads() << ": below 16 begins the second line";
}

TEST_F(Popups, OfHeadCountsTakeATypedNumberAtOnce) {
  open_counts();
  window.type("16");
  EXPECT_EQ(view.rails.typed_heads, "16");
  EXPECT_EQ(heads(), 8) << "not before Enter";
  window.key("enter");
  settle();
  EXPECT_EQ(heads(), 16);
  EXPECT_FALSE(has_popup());
  EXPECT_EQ(view.view, View::overview) << "digits choose no view while a popup is open";
}

TEST_F(Popups, OfHeadCountsTakeOneDigitAndEnterRightAfterIt) {
  open_counts();
  window.feed.type("4");
  window.feed.key(parse_key("enter"));
  window.play();
  settle();
  EXPECT_EQ(heads(), 4);
}

TEST_F(Popups, CloseWithEscapeAndNothingElseHearsIt) {
  view.pinned_query = TokenPlace{Side::text, 2};
  for (const char* opener : {"Heads …", "Key/value heads", "Examples", "Colours"}) {
    window.click(opener);
    ASSERT_TRUE(has_popup()) << opener;
    window.key("escape");
    EXPECT_FALSE(has_popup()) << opener;
    EXPECT_TRUE(view.pinned_query.has_value()) << opener;
  }
  window.key("escape");
  EXPECT_FALSE(view.pinned_query.has_value()) << "with no popup open Escape lets the row go";
}

TEST_F(Popups, AListTakesTheArrowsFromTheChosenEntryOn) {
  window.click("Range");
  window.key("down");
  window.key("enter");
  settle();
  EXPECT_EQ(document().style.range, RangeKind::head);
  EXPECT_FALSE(has_popup());
}

TEST_F(Popups, TheColourMapsDoToo) {
  const ColourMap before = document().style.map;
  window.click("Colours");
  window.key("down");
  window.key("enter");
  settle();
  EXPECT_NE(document().style.map, before);
}

TEST_F(Popups, ADialogIsGoneThroughByArrowsAndEnter) {
  const testing::TemporaryFolder folder;
  dialogs.figure_export.path = (folder / "picture").string();
  dialogs.figure_export.ending = "svg";
  show(View::head);
  window.key("ctrl+e");
  window.key("enter");  // its main button
  settle();
  EXPECT_TRUE(std::filesystem::exists(folder / "picture.svg"));
  const ExportChoice before = dialogs.figure_export;
  for (const char* key : {"up", "up", "right", "enter"}) window.key(key);
  const ExportChoice& after = dialogs.figure_export;
  EXPECT_TRUE(after.kind != before.kind || after.ending != before.ending || after.theme != before.theme || after.page != before.page ||
              after.zoom != before.zoom || after.copied != before.copied)
      << "a control above was pressed";
}

TEST_F(Popups, AModelIsChosenByArrowsAndEnter) {
  window.click("Model");
  settle();
  window.key("up");
  window.key("enter");
  settle();
  EXPECT_FALSE(view.dialogs.model_picker);
  EXPECT_NE(document().query.model.name, "sandbox");
}

TEST_F(Popups, ExamplesAreChosenByArrowsAndEnter) {
  const std::string before = document().query.text;
  window.click("Examples");
  window.key("down");
  window.key("enter");
  settle();
  EXPECT_NE(document().query.text, before);
  EXPECT_FALSE(has_popup());
}

TEST_F(Popups, EveryDialogClosesWithEscape) {
  show(View::head);
  for (bool* is_open :
       {&view.dialogs.figure_export, &view.dialogs.help, &view.dialogs.model_card, &view.dialogs.performance, &view.dialogs.model_picker,
        &view.dialogs.mask_file, &view.dialogs.settings, &view.dialogs.palette, &view.dialogs.document_open}) {
    *is_open = true;
    settle();
    EXPECT_TRUE(has_popup());
    window.key("escape");
    EXPECT_FALSE(*is_open);
    EXPECT_FALSE(has_popup());
  }
}

TEST_F(Popups, ArrowsInADialogLeaveTheHeadAlone) {
  show(View::head);
  const HeadId looked_at = view.head;
  window.key("f1");
  for (const char* key : {"right", "down", "left", "space"}) window.key(key);
  EXPECT_EQ(view.head, looked_at);
  EXPECT_TRUE(document().pins.empty());
}

}  // namespace
}  // namespace headlight
