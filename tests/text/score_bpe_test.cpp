#include "engine/text/models/score_bpe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/testing.h"
#include "tests/text/steps.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using testing::tokens_of;

ScoreBpeModel score_bpe_of(std::vector<SentencePiece> pieces, UnknownPieces unknown = {}) {
  std::vector<std::string> warnings;
  return ScoreBpeModel(std::move(pieces), unknown, "t.model", warnings);
}

TEST(ScoreBpe, TheHighestScoreIsJoinedFirstThenTheLeftmost) {
  const std::vector<SentencePiece> pieces = {{"a", -9}, {"b", -9}, {"c", -9}, {"ab", -2}, {"bc", -1}, {"aa", -3}};
  EXPECT_THAT(tokens_of(score_bpe_of(pieces), "abc"), ElementsAre("a", "bc"));
  EXPECT_THAT(tokens_of(score_bpe_of(pieces), "aaaaa"), ElementsAre("aa", "aa", "a"));
}

TEST(ScoreBpe, UserDefinedPiecesAreFoundFirstAndNeverJoined) {
  const std::vector<SentencePiece> pieces = {{"a", -9}, {"b", -9}, {"ab", -1}, {"ba", -90, PieceType::user_defined}, {"baa", -1}};
  EXPECT_THAT(tokens_of(score_bpe_of(pieces), "abaab"), ElementsAre("a", "ba", "ab"));
}

TEST(ScoreBpe, AnUnusedPieceIsTakenApartAgain) {
  const std::vector<SentencePiece> pieces = {{"a", -9}, {"b", -9}, {"c", -9}, {"ab", -1, PieceType::unused}, {"abc", -2}};
  EXPECT_THAT(tokens_of(score_bpe_of(pieces), "abc"), ElementsAre("abc")) << "it is a step on the way";
  EXPECT_THAT(tokens_of(score_bpe_of(pieces), "aba"), ElementsAre("a", "b", "a"));
}

TEST(ScoreBpe, UnknownCharactersAreBytesOrOneUnknownToken) {
  std::vector<SentencePiece> pieces = {
      {"<unk>", 0, PieceType::unknown}, {"a", -9}, {"<0xC3>", 0, PieceType::byte}, {"<0xA9>", 0, PieceType::byte}};
  ModelTokens found;
  score_bpe_of(pieces, {.has_byte_fallback = true, .are_fused = false}).tokenize("aéü", found);
  ASSERT_EQ(found.tokens.size(), 4U);
  EXPECT_EQ(found.tokens[1].range, (ByteRange{1, 3}));
  EXPECT_EQ(found.tokens[2].range, (ByteRange{1, 3})) << "the bytes of one character share its range";
  EXPECT_EQ(found.tokens[3].id, 0) << "ü's second byte has no token";
  EXPECT_THAT(tokens_of(score_bpe_of(pieces), "éüa<unk>"), ElementsAre("<unk>", "a", "<unk>"));
}

/// The definition, taken literally: of all neighbours that are a piece together those with the highest score are joined, until none is left.
std::vector<std::string> join_by_definition(const std::vector<SentencePiece>& pieces, const std::string& text) {
  std::vector<std::string> parts;
  for (const char letter : text) parts.emplace_back(1, letter);
  while (true) {
    std::size_t best = parts.size();
    float best_score = 0;
    for (std::size_t at = 0; at + 1 < parts.size(); ++at) {
      for (const SentencePiece& piece : pieces) {
        if (piece.text != parts[at] + parts[at + 1] || (best < parts.size() && piece.score <= best_score)) continue;
        best = at, best_score = piece.score;
      }
    }
    if (best == parts.size()) return parts;
    parts[best] += parts[best + 1];
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

TEST(ScoreBpe, EqualsTheDefinitionOnRandomPieces) {
  std::mt19937 random(5);
  const auto pick = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  for (int round = 0; round < 60; ++round) {
    std::vector<SentencePiece> pieces = {{"a", -100}, {"b", -100}, {"c", -100}};
    while (pieces.size() < 20) {
      const std::string text = pieces[pick(pieces.size())].text + pieces[pick(pieces.size())].text;
      const auto is_same = [&](const SentencePiece& piece) { return piece.text == text; };
      if (std::none_of(pieces.begin(), pieces.end(), is_same)) pieces.push_back({text, -static_cast<float>(pick(8))});
    }
    const ScoreBpeModel model = score_bpe_of(pieces);
    for (int word = 0; word < 20; ++word) {
      std::string text;
      for (std::size_t letters = pick(30) + 1; letters > 0; --letters) text += "abc"[pick(3)];
      EXPECT_EQ(tokens_of(model, text), join_by_definition(pieces, text)) << text;
    }
  }
}

}  // namespace
}  // namespace headlight
