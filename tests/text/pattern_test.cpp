#include "engine/text/unicode/pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;

std::vector<std::string> matches(const Pattern& pattern, const std::string& text) {
  std::vector<std::string> result;
  for (const ByteRange& match : pattern.find_all(text)) result.push_back(text.substr(match.begin, match.end - match.begin));
  return result;
}
Pattern regex(const std::string& expression) {
  return Pattern::regex(expression, {"tokenizer.json", "pre_tokenizer.pattern.Regex"});
}

TEST(Pattern, KnowsUnicodeClassesAndLooksAhead) {
  EXPECT_THAT(matches(regex(R"(\p{L}+|\p{N}{1,3}|\s+(?!\S))"), "ñandú 12345  Ω"), ElementsAre("ñandú", "123", "45", " ", "Ω"));
  EXPECT_THAT(matches(regex("(?i:'S)"), "It's IT'S"), ElementsAre("'s", "'S"));
}

TEST(Pattern, ALiteralIsNotAnExpression) {
  EXPECT_THAT(matches(Pattern::literal("a.c"), "abc a.c a.ca.c"), ElementsAre("a.c", "a.c", "a.c"));
  EXPECT_THAT(matches(Pattern::literal(""), "abc"), ElementsAre());
}

TEST(Pattern, EmptyMatchesStepOverWholeCharacters) {
  const std::vector<ByteRange> found = regex("x*").find_all("é😀");
  EXPECT_THAT(found, ElementsAre(ByteRange{0, 0}, ByteRange{2, 2}, ByteRange{6, 6}));
  EXPECT_THAT(matches(regex("b*"), "abb"), ElementsAre("", "bb"));
}

TEST(Pattern, AMistakeIsRefusedWithItsPlace) {
  const std::string message = error_of([] { regex("[z-a]"); }).message();
  EXPECT_THAT(message, HasSubstr("tokenizer.json: pre_tokenizer.pattern.Regex"));
  EXPECT_THAT(message, HasSubstr("after \"[z-\""));
  EXPECT_THAT(error_of([] { regex("a{1000000}{1000000}"); }).message(), HasSubstr("not a valid regular expression"));
}

TEST(Pattern, ACatastrophicPatternEndsWithAnErrorNotNever) {
  const Error error = error_of([] { regex("^(a|aa)+$").find_all(std::string(5000, 'a') + "c"); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  EXPECT_THAT(error.message(), HasSubstr("pre_tokenizer.pattern.Regex: the pattern takes too long"));
}

TEST(Pattern, AMillionBlanksStayBelowTheLimits) {
  EXPECT_EQ(regex(R"(\s*[\r\n]+|\s+(?!\S)|\s+)").find_all(std::string(1'000'000, ' ') + "x").size(), 2U);
}

TEST(Pattern, PlacesFarApartAreFound) {
  std::string text;
  for (int round = 0; round < 20; ++round) text += std::string(499, ' ') + "é";
  EXPECT_EQ(regex("é").find_all(text).size(), 20U);
  EXPECT_EQ(regex("(?<= {499})é$|é(?= )").find_all(text).size(), 20U);
}

TEST(Pattern, AMillionLettersAreOneMatch) {
  EXPECT_EQ(regex(R"( ?\p{L}+)").find_all(std::string(1'000'000, 'a')).size(), 1U);
}

}  // namespace
}  // namespace headlight
