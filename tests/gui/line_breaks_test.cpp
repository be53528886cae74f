#include "app/gui/kit/line_breaks.h"

#include <algorithm>

#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

TEST(LineBreaks, AreShownAsASignOnOneLine) {
  EXPECT_EQ(on_one_line("a\nb"), "a↵b");
  EXPECT_EQ(on_one_line("a\r\nb\rc\n\n"), "a↵b↵c↵↵");
  EXPECT_EQ(on_one_line("日\n本"), "日↵本");
}

TEST(LineBreaks, ComeBackFromAnEditedLine) {
  EXPECT_EQ(with_line_breaks("a\nb", "a↵b"), "a\nb");
  EXPECT_EQ(with_line_breaks("a\nb", "a↵bc"), "a\nbc");
  EXPECT_EQ(with_line_breaks("a\nb", "ab"), "ab");
  EXPECT_EQ(with_line_breaks("a\nb", "xa↵b"), "xa\nb");
  EXPECT_EQ(with_line_breaks("ab", "a↵b"), "a\nb");
  EXPECT_EQ(with_line_breaks("a→b", "a↵b"), "a\nb") << "signs that begin with the same bytes";
  EXPECT_EQ(with_line_breaks("a\nb", "a→b"), "a→b");
  EXPECT_EQ(with_line_breaks("a\r\nb", "a↵bc"), "a\r\nbc") << "what was not touched stays as it was";
}

TEST(LineBreaks, LeaveASignThatTheTextHoldsAlone) {
  EXPECT_EQ(with_line_breaks("a↵b", "a↵bc"), "a↵bc");
  EXPECT_EQ(with_line_breaks("a↵b", "za↵b"), "za↵b");
}

// Every text of these parts, edited into every other: what comes back shows what was typed, and texts without the sign come back whole.
TEST(LineBreaks, OfEveryEditShowWhatWasTyped) {
  const std::vector<std::string> texts = {"", "\n", "\n\n", "a", "a\n", "\na", "a\nb", "ä\nb", "→\n", "a\n\nb", "日\n本\n", "ab\nab\nab"};
  for (const std::string& before : texts) {
    for (const std::string& after : texts) {
      EXPECT_EQ(with_line_breaks(before, on_one_line(after)), after) << on_one_line(before);
    }
  }
}

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
  const TokenNames& names = view.pictures.query_names(0);
  EXPECT_TRUE(std::find(names.axis.begin(), names.axis.end(), "↵") != names.axis.end());
}

}  // namespace
}  // namespace headlight
