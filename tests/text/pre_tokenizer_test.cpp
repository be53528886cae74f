#include "engine/text/steps/pre_tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing.h"
#include "tests/text/steps.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using testing::json_of;
using ::testing::Pair;

PieceList cut(const std::string& json, std::string_view text) {
  PieceList list = testing::one_piece(text);
  make_pre_tokenizer(json_of(json), "tokenizer.json", "pre_tokenizer")->apply(list);
  return list;
}
std::vector<std::string> pieces(const std::string& json, std::string_view text) {
  return testing::texts_of(cut(json, text));
}

std::string split(const std::string& behavior, const std::string& invert = "false") {
  return R"({"type":"Split","pattern":{"String":"-"},"behavior":")" + behavior + R"(","invert":)" + invert + "}";
}

// The example of Hugging Face's documentation.
TEST(PreTokenizer, SplitTreatsDelimitersAsItsBehaviorSays) {
  const std::string text = "the-final--countdown";
  EXPECT_THAT(pieces(split("Removed"), text), ElementsAre("the", "final", "countdown"));
  EXPECT_THAT(pieces(split("Isolated"), text), ElementsAre("the", "-", "final", "-", "-", "countdown"));
  EXPECT_THAT(pieces(split("MergedWithPrevious"), text), ElementsAre("the-", "final-", "-", "countdown"));
  EXPECT_THAT(pieces(split("MergedWithNext"), text), ElementsAre("the", "-final", "-", "-countdown"));
  EXPECT_THAT(pieces(split("Contiguous"), text), ElementsAre("the", "-", "final", "--", "countdown"));
  EXPECT_THAT(pieces(split("Removed", "true"), text), ElementsAre("-", "-", "-"));
}

TEST(PreTokenizer, WhitespaceSeparatesWordsFromSigns) {
  const PieceList list = cut(R"({"type":"Whitespace"})", "Hey friend! naïve_x2 e\u0301 „3²“");
  EXPECT_THAT(testing::texts_of(list), ElementsAre("Hey", "friend", "!", "naïve_x2", "e\u0301", "„", "3", "²“"));
  EXPECT_THAT(testing::origins_of(list)[1], Pair(4, 10));
}

TEST(PreTokenizer, WhitespaceSplitCutsAtBlanksOnly) {
  EXPECT_THAT(pieces(R"({"type":"WhitespaceSplit"})", " Hey,\tman,\u3000Good? "), ElementsAre("Hey,", "man,", "Good?"));
}

TEST(PreTokenizer, DigitsStandAloneOrTogether) {
  EXPECT_THAT(pieces(R"({"type":"Digits","individual_digits":false})", "Hey 123 ½x"), ElementsAre("Hey ", "123", " ", "½", "x"));
  EXPECT_THAT(pieces(R"({"type":"Digits","individual_digits":true})", "Hey 12"), ElementsAre("Hey ", "1", "2"));
}

TEST(PreTokenizer, PunctuationIsUnicodesAndAsciis) {
  EXPECT_THAT(pieces(R"({"type":"Punctuation"})", "a$b¿c€"), ElementsAre("a", "$", "b", "¿", "c€"));
  EXPECT_THAT(pieces(R"({"type":"Punctuation","behavior":"Contiguous"})", "a?!b"), ElementsAre("a", "?!", "b"));
}

TEST(PreTokenizer, ByteLevelCutsAsGpt2AndWritesBytesAsCharacters) {
  const PieceList list = cut(R"({"type":"ByteLevel","add_prefix_space":false})", "It's  naïve\n");
  EXPECT_THAT(testing::texts_of(list), ElementsAre("It", "'s", "Ġ", "ĠnaÃ¯ve", "Ċ"));
  EXPECT_THAT(testing::origins_of(list), ElementsAre(Pair(0, 2), Pair(2, 4), Pair(4, 5), Pair(5, 12), Pair(12, 13)));
}

TEST(PreTokenizer, AnAddedPrefixSpaceStandsForTheFirstCharacter) {
  const PieceList list = cut(R"({"type":"ByteLevel","add_prefix_space":true})", "Hi you");
  EXPECT_THAT(testing::texts_of(list), ElementsAre("ĠHi", "Ġyou"));
  EXPECT_THAT(testing::origins_of(list), ElementsAre(Pair(0, 2), Pair(2, 6)));
  EXPECT_THAT(pieces(R"({"type":"ByteLevel","add_prefix_space":true})", " Hi"), ElementsAre("ĠHi"));
}

TEST(PreTokenizer, ByteLevelWithoutItsPatternDoesNotCut) {
  EXPECT_THAT(pieces(R"({"type":"ByteLevel","add_prefix_space":false,"use_regex":false})", "a b"), ElementsAre("aĠb"));
}

TEST(PreTokenizer, ASequenceCutsWhatTheStepBeforeLeft) {
  const std::string json = R"({"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},{"type":"Punctuation"}]})";
  EXPECT_THAT(pieces(json, "Hey friend!     How?!"), ElementsAre("Hey", "friend", "!", "How", "?", "!"));
}

TEST(PreTokenizer, AddedTokensAreNotCut) {
  PieceList list = testing::one_piece("a b c d");
  list.pieces = {{{0, 3}}, {{3, 7}, 5}};
  make_pre_tokenizer(json_of(R"({"type":"WhitespaceSplit"})"), "tokenizer.json", "pre_tokenizer")->apply(list);
  EXPECT_THAT(testing::texts_of(list), ElementsAre("a", "b", " c d"));
}

TEST(PreTokenizer, WrongSettingsAreRefusedNamingTheField) {
  const auto refusal = [](const std::string& json) {
    return error_of([&] { make_pre_tokenizer(json_of(json), "tokenizer.json", "pre_tokenizer"); }).message();
  };
  EXPECT_THAT(refusal(split("Sideways")), HasSubstr("tokenizer.json: pre_tokenizer.behavior: the behavior is unknown"));
  EXPECT_THAT(refusal(R"({"type":"Split","pattern":"-","behavior":"Removed"})"), HasSubstr("pre_tokenizer.pattern"));
  EXPECT_THAT(refusal(R"({"type":"Telepathy"})"), HasSubstr("found \"Telepathy\", expected one of BertPreTokenizer, ByteLevel"));
  EXPECT_THAT(refusal(R"({"kind":"Split"})"), HasSubstr("pre_tokenizer.type: is missing"));
  EXPECT_THAT(refusal(R"([])"), HasSubstr("pre_tokenizer: has the wrong type"));
  EXPECT_THAT(refusal(R"({"type":"Digits","individual_digits":"yes"})"), HasSubstr("individual_digits"));
}

}  // namespace
}  // namespace headlight
