#include "engine/text/models/word_piece.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing.h"
#include "tests/text/steps.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using testing::tokens_of;

WordPieceModel word_piece_of(std::vector<std::string> tokens, WordPieceOptions options = {}) {
  return WordPieceModel(Vocabulary(std::move(tokens)), std::move(options), "vocab.txt", "unk_token");
}

TEST(WordPiece, TakesTheLongestTokenEachTime) {
  const WordPieceModel model = word_piece_of({"[UNK]", "un", "una", "##aff", "##ff", "##able", "##a", "##b"});
  EXPECT_THAT(tokens_of(model, "unaffable"), ElementsAre("una", "##ff", "##able")) << "not un ##aff ##able";
  EXPECT_THAT(tokens_of(model, "unab"), ElementsAre("una", "##b"));
}

TEST(WordPiece, AWordWithAnUnknownPartIsUnknown) {
  const WordPieceModel model = word_piece_of({"[UNK]", "a", "##b"});
  ModelTokens found;
  model.tokenize("abx", found);
  ASSERT_EQ(found.tokens.size(), 1U);
  EXPECT_EQ(found.tokens[0].range, (ByteRange{0, 3}));
  EXPECT_THAT(tokens_of(model, "b"), ElementsAre("[UNK]")) << "##b is for inside words";
}

TEST(WordPiece, ALongWordIsUnknownCountedInCharacters) {
  const WordPieceModel model = word_piece_of({"[UNK]", "é", "##é"}, {.longest_word = 3});
  EXPECT_THAT(tokens_of(model, "ééé"), ElementsAre("é", "##é", "##é"));
  EXPECT_THAT(tokens_of(model, "éééé"), ElementsAre("[UNK]"));
}

TEST(WordPiece, OtherPrefixesAndNone) {
  EXPECT_THAT(tokens_of(word_piece_of({"?", "a", "a@b"}, {.unknown_token = "?", .continuing_prefix = "a@"}), "ab"),
              ElementsAre("a", "a@b"));
  EXPECT_THAT(tokens_of(word_piece_of({"?", "a", "b"}, {.unknown_token = "?", .continuing_prefix = ""}), "aba"),
              ElementsAre("a", "b", "a"));
  EXPECT_THAT(tokens_of(word_piece_of({"?", "a"}, {.unknown_token = "?", .continuing_prefix = "zz"}), "aa"), ElementsAre("?"));
}

TEST(WordPiece, TheUnknownTokenMustBeThere) {
  EXPECT_THAT(error_of([] { word_piece_of({"a"}); }).message(),
              HasSubstr("vocab.txt: unk_token: the unknown token is not in the vocabulary"));
}

TEST(WordPiece, TokensThatNearlyMatchForEverEndWithAnError) {
  const WordPieceModel model = word_piece_of({"[UNK]", "a", "##a", "##" + std::string(20'000, 'a') + "b"}, {.longest_word = 10'000'000});
  ModelTokens found;
  EXPECT_EQ(error_of([&] { model.tokenize(std::string(100'000, 'a'), found); }).kind(), ErrorKind::limit);
}

}  // namespace
}  // namespace headlight
