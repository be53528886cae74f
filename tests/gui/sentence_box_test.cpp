#include <algorithm>

#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

class SentenceBox : public testing::FrameTest {
 protected:
  void replace_sentence() {
    window.click("Sentence");
    window.key("ctrl+a");
  }
};

TEST_F(SentenceBox, KeepsATypedLineBreak) {
  replace_sentence();
  window.type("a\nb");
  settle();
  EXPECT_EQ(document().query.text, "a\nb");
  window.type("c");
  EXPECT_EQ(document().query.text, "a\nbc");
  window.key("backspace");
  window.key("backspace");
  window.key("backspace");
  EXPECT_EQ(document().query.text, "a") << "the sign is one character";
}

TEST_F(SentenceBox, KeepsPastedLineBreaksWhereTheCaretIs) {
  replace_sentence();
  window.type("xy");
  window.key("left");
  ImGui::SetClipboardText("one\r\ntwo\n");
  window.key("ctrl+v");
  EXPECT_EQ(document().query.text, "xone\ntwo\ny");
  window.type("z");
  EXPECT_EQ(document().query.text, "xone\ntwo\nzy") << "the caret stands behind what was pasted";
  window.key("ctrl+a");
  ImGui::SetClipboardText("plain");
  window.key("ctrl+v");
  EXPECT_EQ(document().query.text, "plain");
}

TEST_F(SentenceBox, BreaksTheLineAtShiftEnter) {
  replace_sentence();
  window.type("a");
  window.key("shift+enter");
  window.type("b");
  EXPECT_EQ(document().query.text, "a\nb");
}

TEST_F(SentenceBox, GivesLineBreaksToTheClipboard) {
  say("a\nb");
  window.click("Sentence");
  window.key("ctrl+a");
  window.key("ctrl+c");
  EXPECT_STREQ(ImGui::GetClipboardText(), "a\nb");
}

TEST_F(SentenceBox, OfTheSecondSentenceKeepsThemToo) {
  window.click("Second sentence");
  window.type("a\nb");
  EXPECT_EQ(document().query.text_pair, "a\nb");
}

TEST_F(SentenceBox, ShowsATokenThatIsALineBreakByItsSign) {
  Document next = document();
  next.query.model.name = (std::filesystem::path(HEADLIGHT_TESTS_DIR) / "reference" / "models" / "gpt2").string();
  next.query.text = "a\nb";
  session.apply(next, false, false);
  settle();
  const TokenNames& names = caches.pictures.query_names(0);
  EXPECT_TRUE(std::find(names.axis.begin(), names.axis.end(), "↵") != names.axis.end());
}

}  // namespace
}  // namespace headlight
