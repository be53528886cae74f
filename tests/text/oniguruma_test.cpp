// What each rewriting means is checked by matching: the expected pieces are those of Oniguruma 6.9 (through Hugging Face's tokenizers).
#include "engine/text/unicode/oniguruma.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/text/unicode/pattern.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> matches(const std::string& expression, const std::string& text) {
  std::vector<std::string> result;
  for (const ByteRange& match : Pattern::regex(expression, {"tokenizer.json", "pattern"}).find_all(text)) {
    result.push_back(text.substr(match.begin, match.end - match.begin));
  }
  return result;
}

TEST(Oniguruma, ExpressionsThatMeanTheSameAreLeftAlone) {
  const std::string same = R"( ?\p{L}+|\p{N}{1,3}|a{2}b{3,}|d{e}\{1\}|(?i:'s)|[^\r\né-ü\]])";
  EXPECT_EQ(from_oniguruma(same), same);
}

TEST(Oniguruma, HIsAHexadecimalDigit) {
  EXPECT_THAT(matches(R"(\h+)", "0xFFg a"), ElementsAre("0", "FF", "a"));
  EXPECT_THAT(matches(R"([\H])", "a g"), ElementsAre(" ", "g"));
}

TEST(Oniguruma, WordsHoldMarksAndConnectors) {
  EXPECT_THAT(matches(R"(\w+)", "e\u0301a b_c \u203Fd ½"), ElementsAre("e\u0301a", "b_c", "\u203Fd", "½"));
  EXPECT_THAT(matches(R"(\b\w)", "ab \u0301x"), ElementsAre("a", "\u0301"));
  EXPECT_THAT(matches(R"([^\W\d]+)", "ab12 c"), ElementsAre("ab", "c"));
}

TEST(Oniguruma, WhiteSpaceIsUnicodes) {
  EXPECT_THAT(matches(R"(\s)", "\u180E\u3000"), ElementsAre("\u3000"));
  EXPECT_THAT(matches(R"(\S+)", "a\u180E\u00A0b"), ElementsAre("a\u180E", "b"));
}

TEST(Oniguruma, ScriptsAreWithoutTheirExtensions) {
  EXPECT_THAT(matches(R"(\p{Han}+)", "日本、語。々"), ElementsAre("日本", "語", "々"));
  EXPECT_THAT(matches(R"([\p{Katakana}\p{^Han}]+)", "カー日"), ElementsAre("カー"));
  EXPECT_THAT(matches(R"(\P{Arabic}+)", "،ع؟"), ElementsAre("،", "؟"));
  EXPECT_THAT(matches(R"([^\p{Han}&&[\p{L}、]]+)", "日、ab"), ElementsAre("、ab"));
}

TEST(Oniguruma, VIsTheVerticalTab) {
  EXPECT_THAT(matches(R"(\v|[\v])", "a\n\v\r"), ElementsAre("\v"));
}

TEST(Oniguruma, ClassesNestAndHaveThingsInCommon) {
  EXPECT_THAT(matches(R"( ?[^(\s|[.,!?…。，、।۔،])]+)", "Hi, you (there) ok。no"), ElementsAre("Hi", " you", "there", " ok", "no"));
  EXPECT_THAT(matches(R"([a-z&&[^aeiou]]+)", "hello"), ElementsAre("h", "ll"));
  EXPECT_THAT(matches(R"([^a-z&&[^aeiou]]+)", "hello"), ElementsAre("e", "o"));
  EXPECT_THAT(matches(R"([x[^a-z]])", "ax1"), ElementsAre("x", "1"));
}

TEST(Oniguruma, HyphensBesideManyCharactersAreHyphens) {
  EXPECT_THAT(matches(R"([\w\-.]+)", "a-b.c,d"), ElementsAre("a-b.c", "d"));
  EXPECT_THAT(matches(R"([-a\s]+)", "b-a c"), ElementsAre("-a "));
  EXPECT_THAT(matches(R"([a-])", "-b"), ElementsAre("-"));
}

TEST(Oniguruma, IntervalsWithPlusRepeat) {
  EXPECT_THAT(matches(R"(\p{N}{1,3}+)", "1234567 x"), ElementsAre("1234567"));
  EXPECT_THAT(matches(R"((?:ab){2}+)", "ababababab"), ElementsAre("abababab"));
  EXPECT_THAT(matches("a{,2}b", "aaab"), ElementsAre("aab"));
}

TEST(Oniguruma, OptionsCodePointsAndNamesAreRubys) {
  EXPECT_THAT(matches("(?m:a.b)", "a\nb"), ElementsAre("a\nb"));
  EXPECT_THAT(matches("a.b", "a\nb"), IsEmpty());
  EXPECT_THAT(matches(R"(\u00e9)", "é"), ElementsAre("é"));
  EXPECT_THAT(matches(R"(\p{Alnum}+|[[:punct:]])", "a1 +"), ElementsAre("a1", "+"));
  EXPECT_THAT(matches("a(?#no b)c", "ac"), ElementsAre("ac"));
}

}  // namespace
}  // namespace headlight
