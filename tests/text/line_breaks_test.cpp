#include "engine/text/line_breaks.h"

#include "tests/testing.h"

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

}  // namespace
}  // namespace headlight
