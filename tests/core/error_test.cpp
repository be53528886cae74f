#include "engine/core/error.h"

#include <gtest/gtest.h>

namespace headlight {
namespace {

ErrorDetail full_detail() {
  return {.kind = ErrorKind::input,
          .file = "config.json",
          .field = "n_head",
          .offset = 12,
          .problem = "the head count does not divide d_model",
          .found = "7",
          .expected = "a divisor of 64",
          .hint = "Choose 1, 2, 4 or 8."};
}

TEST(Error, SaysPlaceProblemFoundExpectedAndHintInOneLine) {
  const Error error(full_detail());
  EXPECT_EQ(
      error.message(),
      "config.json: n_head (byte 12): the head count does not divide d_model; found 7, expected a divisor of 64. Choose 1, 2, 4 or 8.");
  EXPECT_EQ(error.kind(), ErrorKind::input);
}

TEST(Error, LeavesEmptyFieldsOut) {
  EXPECT_EQ(Error({.problem = "nothing to draw"}).message(), "nothing to draw");
  EXPECT_EQ(Error({.file = "a.txt", .problem = "is empty"}).message(), "a.txt: is empty");
  EXPECT_EQ(Error({.field = "--heads", .problem = "not a number", .expected = "1, 2 or 4"}).message(),
            "--heads: not a number; expected 1, 2 or 4");
}

TEST(Error, MessageIsPrintableWhateverTheFileHeld) {
  const Error error({.file = "a\nb", .field = "\xff", .problem = "\x1b[31m and \xe2\x80\xae"});
  EXPECT_EQ(error.message(), "a\\x0ab: \\xff: \\x1b[31m and U+202E");
}

TEST(Error, AMessageIsCutAtOneKilobyteWhereverTheBulkIs) {
  const std::string bulk(100'000, 'x');
  for (const ErrorDetail& detail :
       {ErrorDetail{.file = "tokenizer.json", .field = "model", .problem = "the pattern is wrong: " + bulk},
        ErrorDetail{.file = bulk, .problem = "is missing"},
        ErrorDetail{.file = bulk, .field = bulk, .problem = bulk, .found = bulk, .expected = bulk, .hint = bulk},
        ErrorDetail{.file = "a", .problem = "is wrong", .found = bulk, .hint = "Do this."}}) {
    const std::string message = Error(detail).message();
    EXPECT_LE(message.size(), 1024U);
    EXPECT_GE(message.size(), 600U);
    EXPECT_NE(message.find("…"), std::string::npos);
  }
  EXPECT_TRUE(Error({.file = "a", .problem = "is wrong", .found = bulk, .hint = "Do this."}).message().ends_with("…. Do this."));
}

TEST(Error, AMessageIsCutBetweenCharacters) {
  for (std::size_t lead = 0; lead < 4; ++lead) {
    std::string found(lead, 'a');
    for (int i = 0; i < 500; ++i) found += "𝄞";
    const std::string message = Error({.file = "a.json", .problem = "is wrong", .found = found}).message();
    EXPECT_EQ(printable(message, message.size()), message) << "valid UTF-8";
    EXPECT_LE(message.size(), 1024U);
  }
}

TEST(Error, AMessageThatFitsIsWhole) {
  const std::string path(700, 'p');
  EXPECT_EQ(Error({.file = path, .problem = "is empty"}).message(), path + ": is empty");
}

TEST(JsonEscaped, SaysTheSameWithoutWhatSteersATerminal) {
  EXPECT_EQ(json_escaped("\"a\x7f\xc2\x9b\xe2\x80\xae\xef\xbb\xbf é 𝄞\""), R"("a\u007f\u009b\u202e\ufeff é 𝄞")");
}

TEST(Printable, LinesStayLines) {
  EXPECT_EQ(printable_lines("a\x1b\nb\xc2\x9b\n"), "a\\x1b\nbU+009B\n");
}

TEST(Printable, KeepsOrdinaryTextOfAllLengths) {
  EXPECT_EQ(printable("a é € 𝄞 Ġthe"), "a é € 𝄞 Ġthe");
}

TEST(Printable, EscapesControlsBidiAndBrokenBytes) {
  EXPECT_EQ(printable(std::string_view("\0\x7f", 2)), "\\x00\\x7f");
  EXPECT_EQ(printable("\xc2\x85"), "U+0085");  // a C1 control, well formed
  EXPECT_EQ(printable("\xe2\x81\xa6"
                      "x"),
            "U+2066x");                                              // left-to-right isolate
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");                    // overlong
  EXPECT_EQ(printable("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");           // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // above U+10FFFF
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");                    // cut short
}

TEST(Printable, CutsBetweenCharactersAndSaysSo) {
  EXPECT_EQ(printable("abcdef", 3), "abc…");
  EXPECT_EQ(printable("ab€", 4), "ab…");
  EXPECT_EQ(printable("ab€", 5), "ab€");
}

TEST(Printable, OfPrintableTextChangesNothing) {
  const std::string once = printable("\x1b and \xff and \xe2\x80\xae");
  EXPECT_EQ(printable(once), once);
}

}  // namespace
}  // namespace headlight
