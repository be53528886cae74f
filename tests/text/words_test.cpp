#include "engine/text/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headlight {
namespace {

using ::testing::ElementsAre;

Encoding encoding_of(std::string text, const std::vector<ByteRange>& ranges) {
  Encoding encoding;
  encoding.text = std::move(text);
  for (const ByteRange& range : ranges) encoding.tokens.emplace_back().bytes = range;
  return encoding;
}

TEST(WordsOfTokens, PartsOfAWordAreOne) {
  EXPECT_THAT(words_of_tokens(encoding_of("unaffable cats.", {{0, 2}, {2, 6}, {6, 9}, {9, 14}, {14, 15}})), ElementsAre(0, 0, 0, 1, 2));
  EXPECT_THAT(words_of_tokens(encoding_of("didn't", {{0, 4}, {4, 5}, {5, 6}})), ElementsAre(0, 0, 0)) << "a word by Annex 29";
}

TEST(WordsOfTokens, BytesOfOneCharacterAreOne) {
  EXPECT_THAT(words_of_tokens(encoding_of("a 🐱🐱", {{0, 1}, {1, 2}, {2, 6}, {2, 6}, {6, 10}})), ElementsAre(0, 1, 2, 2, 3));
  EXPECT_THAT(words_of_tokens(encoding_of("naïve", {{0, 2}, {2, 4}, {2, 4}, {4, 6}})), ElementsAre(0, 0, 0, 0));
}

TEST(WordsOfTokens, ATokenOverSeveralWordsJoinsThem) {
  EXPECT_THAT(words_of_tokens(encoding_of("the animal is", {{0, 6}, {6, 11}, {11, 13}})), ElementsAre(0, 0, 1));
}

TEST(WordsOfTokens, SpecialTokensAndTheOtherSentenceAreApart) {
  Encoding encoding = encoding_of("cat", {{0, 0}, {0, 2}, {2, 3}, {0, 0}, {0, 1}, {1, 3}});
  encoding.text_pair = "dog";
  encoding.tokens[0].is_special = encoding.tokens[3].is_special = true;
  encoding.tokens[4].sequence = encoding.tokens[5].sequence = 1;
  EXPECT_THAT(words_of_tokens(encoding), ElementsAre(0, 1, 1, 2, 3, 3));
  EXPECT_THAT(words_of_tokens({}), ElementsAre());
}

TEST(TokensOfWord, AreThoseOfTheWordOnItsOwn) {
  const Encoding encoding =
      encoding_of("It is I. I said it.", {{0, 2}, {2, 5}, {5, 7}, {7, 8}, {8, 10}, {10, 13}, {13, 15}, {15, 18}, {18, 19}});
  EXPECT_EQ(tokens_of_word(encoding, "I"), (TokenRange{2, 3})) << "not the beginning of It";
  EXPECT_EQ(tokens_of_word(encoding, "I", 2), (TokenRange{4, 5}));
  EXPECT_EQ(tokens_of_word(encoding, "I", 3), std::nullopt);
  EXPECT_EQ(tokens_of_word(encoding, "said"), (TokenRange{5, 7})) << "in two pieces";
  EXPECT_EQ(tokens_of_word(encoding, "I said"), (TokenRange{4, 7}));
  EXPECT_EQ(tokens_of_word(encoding, "."), (TokenRange{3, 4})) << "a mark needs no blank before it";
  EXPECT_EQ(tokens_of_word(encoding, ".", 2), (TokenRange{8, 9}));
  EXPECT_EQ(tokens_of_word(encoding, "them"), std::nullopt);
  EXPECT_EQ(tokens_of_word(encoding, ""), std::nullopt);
}

}  // namespace
}  // namespace headlight
