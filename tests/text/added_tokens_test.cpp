#include "engine/text/steps/added_tokens.h"

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

/// Pieces of a text, added tokens in angle brackets.
std::vector<std::string> split(std::vector<AddedToken> tokens, std::string_view text, const std::string& normalizer_json = "null") {
  const auto normalizer = make_normalizer(json_of(normalizer_json), "tokenizer.json", "normalizer");
  const PieceList list = AddedTokens(std::move(tokens), normalizer.get()).split(AlignedText::of(text), normalizer.get());
  std::vector<std::string> result;
  for (const Piece& piece : list.pieces) {
    const std::string bytes(list.bytes_of(piece));
    result.push_back(piece.is_open() ? bytes : "<" + bytes + ">");
  }
  return result;
}

TEST(AddedTokens, TheLongestAtTheLeftmostPlaceIsFound) {
  const std::vector<AddedToken> tokens = {{1, "ab"}, {2, "abc"}, {3, "bcd"}};
  EXPECT_THAT(split(tokens, "xabcdab"), ElementsAre("x", "<abc>", "d", "<ab>"));
  EXPECT_THAT(split(tokens, "abbcd"), ElementsAre("<ab>", "<bcd>"));
  EXPECT_THAT(split(tokens, ""), ElementsAre());
  EXPECT_THAT(split({}, "ab"), ElementsAre("ab"));
}

TEST(AddedTokens, TheLongestAnywhereIsFoundOnRequest) {
  const auto cut = [](std::string_view text, bool finds_special) {
    const AddedTokens tokens({{1, "ab"}, {2, "bcd"}, {.id = 3, .content = "dddd", .is_special = true}}, nullptr, Precedence::longest);
    std::string joined;
    const PieceList list = tokens.split(AlignedText::of(text), nullptr, finds_special);
    for (const Piece& piece : list.pieces) joined += std::string(list.bytes_of(piece)) + (piece.is_open() ? "|" : "! ");
    return joined;
  };
  EXPECT_EQ(cut("abcd", true), "a|bcd! ");
  EXPECT_EQ(cut("abcdddd", true), "ab! c|dddd! ");
  EXPECT_EQ(cut("abcdddd", false), "a|bcd! ddd|") << "a special token that is not asked for covers nothing";
  EXPECT_EQ(cut("xabxabx", true), "x|ab! x|ab! x|");
  EXPECT_EQ(cut("", true), "");
}

TEST(AddedTokens, AContentThatNearlyMatchesForEverEndsWithAnError) {
  const std::vector<AddedToken> tokens = {{1, std::string(20'000, 'a') + "b"}};
  EXPECT_EQ(error_of([&] { split(tokens, std::string(100'000, 'a')); }).kind(), ErrorKind::limit);
}

TEST(AddedTokens, SpecialOnesAreLeftInTheTextOnRequest) {
  const AddedTokens tokens({{.id = 1, .content = "<s>", .is_special = true}, {.id = 2, .content = "s>x"}}, nullptr);
  const PieceList list = tokens.split(AlignedText::of("a<s>xs>x"), nullptr, false);
  ASSERT_EQ(list.pieces.size(), 2U) << "what the special token covers is not searched again";
  EXPECT_EQ(list.bytes_of(list.pieces[0]), "a<s>x");
  EXPECT_EQ(list.pieces[1].added_token, 2);
}

TEST(AddedTokens, ASingleWordIsNotFoundInsideAWord) {
  const std::vector<AddedToken> tokens = {{.id = 1, .content = "nam", .is_single_word = true}};
  EXPECT_THAT(split(tokens, "nam Vietnam enamé nam!nam"), ElementsAre("<nam>", " Vietnam enamé ", "<nam>", "!", "<nam>"));
}

TEST(AddedTokens, StrippingTakesTheBlanksBeside) {
  const std::vector<AddedToken> left = {{.id = 1, .content = "[M]", .strips_left = true}};
  EXPECT_THAT(split(left, "a \u3000[M] [M]b"), ElementsAre("a", "< \u3000[M]>", "< [M]>", "b"));
  const std::vector<AddedToken> right = {{.id = 1, .content = "[M]", .strips_right = true}};
  EXPECT_THAT(split(right, "[M] [M] \tb"), ElementsAre("<[M] >", "<[M] \t>", "b"));
}

TEST(AddedTokens, BlanksThatWereTakenAndAreTokensThemselvesStandTwice) {
  const std::vector<AddedToken> tokens = {{.id = 1, .content = "  ", .strips_right = true}, {.id = 2, .content = "\t"}};
  EXPECT_THAT(split(tokens, "x  \t\ty\t"), ElementsAre("x", "<  \t\t>", "<\t>", "<\t>", "y", "<\t>"));
}

TEST(AddedTokens, NormalizedOnesAreLookedForInTheNormalizedText) {
  const std::string lower = R"({"type":"Lowercase"})";
  EXPECT_THAT(split({{.id = 1, .content = "Day", .is_normalized = true}}, "A DAY day", lower), ElementsAre("a ", "<day>", " ", "<day>"));
  EXPECT_THAT(split({{.id = 1, .content = "Day", .is_normalized = false}}, "A DAY Day", lower), ElementsAre("a day ", "<Day>"));
}

TEST(AddedTokens, AreReadFromTheirFileWithItsDefaults) {
  const Json json = json_of(
      R"({"added_tokens":[{"id":1,"content":"<s>","special":true},{"id":9,"content":"new","lstrip":true},{"id":3,"content":"a"},
          {"id":1,"content":"<s>","rstrip":true}]})");
  std::vector<std::string> warnings;
  const Json vocab = json_of(R"({"a":0})");
  const Vocabulary vocabulary(JsonFields(vocab, "tokenizer.json"), warnings);
  const std::vector<AddedToken> tokens = read_added_tokens(JsonFields(json, "tokenizer.json"), vocabulary, warnings);
  ASSERT_EQ(tokens.size(), 3U);
  EXPECT_TRUE(tokens[0].strips_right && !tokens[0].is_special) << "the last of equal ones counts";
  EXPECT_TRUE(tokens[1].is_normalized && tokens[1].strips_left);
  EXPECT_EQ(tokens[0].id, 1);
  EXPECT_EQ(tokens[1].id, 2) << "numbered on from the vocabulary's size";
  EXPECT_EQ(tokens[2].id, 0) << "the vocabulary's id is used";
  EXPECT_THAT(warnings, ElementsAre("tokenizer.json: added_tokens[1]: \"new\" has the id 2, the next one that is free, not 9",
                                    "tokenizer.json: added_tokens[2]: \"a\" has the id 0 in the vocabulary, not 3"));
}

TEST(AddedTokens, SpecialOnesAreNotNormalizedUnlessTheFileSaysSo) {
  const Json json = json_of(R"({"added_tokens":[{"id":1,"content":"<s>","special":true},{"id":2,"content":"b"}]})");
  std::vector<std::string> warnings;
  const Json vocab = json_of(R"({"a":0})");
  const std::vector<AddedToken> tokens =
      read_added_tokens(JsonFields(json, "tokenizer.json"), Vocabulary(JsonFields(vocab, "tokenizer.json"), warnings), warnings);
  EXPECT_FALSE(tokens[0].is_normalized);
  EXPECT_TRUE(tokens[1].is_normalized);
}

TEST(AddedTokens, AnEntryWithoutIdOrTextIsRefused) {
  std::vector<std::string> warnings;
  const Json vocab = json_of(R"({"a":0})");
  const Vocabulary vocabulary(JsonFields(vocab, "tokenizer.json"), warnings);
  const auto refusal = [&](const std::string& list) {
    const Json json = json_of(R"({"added_tokens":)" + list + "}");
    return error_of([&] { read_added_tokens(JsonFields(json, "tokenizer.json"), vocabulary, warnings); }).message();
  };
  EXPECT_THAT(refusal(R"([{"id":1,"content":""}])"), HasSubstr("added_tokens[0].content: the added token has no text"));
  EXPECT_THAT(refusal(R"([{"content":"x"}])"), HasSubstr("added_tokens[0].id: is missing"));
  EXPECT_THAT(refusal(R"([{"id":-1,"content":"x"}])"), HasSubstr("added_tokens[0].id"));
  EXPECT_THAT(refusal(R"({})"), HasSubstr("added_tokens: has the wrong type"));
}

}  // namespace
}  // namespace headlight
