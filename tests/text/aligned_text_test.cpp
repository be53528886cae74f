#include "engine/text/unicode/aligned_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/text/steps.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(AlignedText, EveryByteOfACharacterStandsForTheWholeCharacter) {
  EXPECT_THAT(AlignedText::of("aé").origin, ElementsAre(ByteRange{0, 1}, ByteRange{1, 3}, ByteRange{1, 3}));
}

TEST(AlignedText, ARangeStandsForWhatLiesFromItsFirstToItsLastByte) {
  const AlignedText text = AlignedText::of("aé€");
  EXPECT_EQ(text.origin_of({2, 4}), (ByteRange{1, 6}));
  EXPECT_EQ(text.origin_of({2, 2}), ByteRange{});
}

// "e" + acute becomes one character, "ﬁ" becomes two: the cases of Hugging Face's NormalizedString.
TEST(AlignedText, RewrittenCodePointsStandForTheFirstTheyConsume) {
  const AlignedText joined = AlignedText::of("xe\xcc\x81y").rewritten(std::vector<RewrittenCodePoint>{{U'x'}, {U'é', 2}, {U'y'}});
  EXPECT_EQ(joined.text, "xéy");
  EXPECT_THAT(joined.origin, ElementsAre(ByteRange{0, 1}, ByteRange{1, 2}, ByteRange{1, 2}, ByteRange{4, 5}));
  const AlignedText parted = AlignedText::of("\xef\xac\x81").rewritten(std::vector<RewrittenCodePoint>{{U'f', 1}, {U'i', 0}});
  EXPECT_THAT(parted.origin, ElementsAre(ByteRange{0, 3}, ByteRange{0, 3}));
}

TEST(AlignedText, WhatIsInsertedAtTheStartStandsForNothing) {
  const AlignedText text = AlignedText::of("ab").rewritten(std::vector<RewrittenCodePoint>{{U'_', 0}, {U'a'}, {U'b'}});
  EXPECT_THAT(text.origin, ElementsAre(ByteRange{0, 0}, ByteRange{0, 1}, ByteRange{1, 2}));
  EXPECT_EQ(AlignedText::of("ab").rewritten(std::vector<RewrittenCodePoint>{{U'b'}}, 1).origin_of({0, 1}), (ByteRange{1, 2}));
}

TEST(SplitPieces, ReplacesOpenPiecesAndDropsEmptyOnes) {
  PieceList list = testing::one_piece("abcdef");
  list.pieces = {{{0, 2}}, {{2, 4}, 7}, {{4, 6}}};
  split_pieces(list, [](std::string_view bytes) {
    EXPECT_EQ(bytes.size(), 2U);
    return std::vector<Piece>{{{0, 1}}, {{1, 1}}, {{1, 2}, 9}};
  });
  EXPECT_THAT(testing::texts_of(list), ElementsAre("a", "b", "cd", "e", "f"));
  EXPECT_EQ(list.pieces[1].added_token, 9);
  EXPECT_EQ(list.pieces[2].added_token, 7);
}

TEST(RewritePieces, KeepsAddedTokensAndOrigins) {
  PieceList list = testing::one_piece("abcd");
  list.pieces = {{{0, 1}}, {{1, 2}, 7}, {{2, 3}}, {{3, 4}}};
  rewrite_pieces(list, [](const AlignedText& text, ByteRange range, AlignedText& into) {
    if (text.text[range.begin] == 'c') return;  // becomes empty: the piece vanishes
    into.append("xyz", text.origin[range.begin]);
  });
  EXPECT_THAT(testing::texts_of(list), ElementsAre("xyz", "b", "xyz"));
  EXPECT_THAT(testing::origins_of(list), ElementsAre(Pair(0, 1), Pair(1, 2), Pair(3, 4)));
}

}  // namespace
}  // namespace headlight
