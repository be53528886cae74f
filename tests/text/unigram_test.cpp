#include "engine/text/models/unigram.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/testing.h"
#include "tests/text/steps.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using testing::tokens_of;

std::unique_ptr<const TokenModel> unigram_of(const std::string& vocab, const std::string& options = "") {
  const Json json = Json::parse(R"({"type":"Unigram","vocab":)" + vocab + options + "}");
  std::vector<std::string> warnings;
  return make_token_model(JsonFields(json, "tokenizer.json", "model"), warnings);
}

const std::string kPieces = R"([["<unk>",0],["a",0],["b",0],["c",0],["d",0],["cd",1],["ab",2],["abc",5],["abcd",10]])";

TEST(Unigram, TheHighestSumOfScoresWins) {
  EXPECT_THAT(tokens_of(*unigram_of(kPieces, R"(,"unk_id":0)"), "abcdacd"), ElementsAre("abcd", "a", "cd"));
}

TEST(Unigram, NeighboursThatNoPieceMatchesAreOneUnknownToken) {
  ModelTokens found;
  unigram_of(kPieces, R"(,"unk_id":0)")->tokenize("axéb", found);
  ASSERT_EQ(found.tokens.size(), 3U);
  EXPECT_EQ(found.tokens[1].id, 0);
  EXPECT_EQ(found.tokens[1].range, (ByteRange{1, 4}));
}

TEST(Unigram, WithoutAnUnknownTokenUnknownCharactersAreCounted) {
  ModelTokens found;
  unigram_of(kPieces)->tokenize("axéb", found);
  EXPECT_EQ(found.tokens.size(), 2U);
  EXPECT_EQ(found.left_out, 2U);
}

TEST(Unigram, ByteFallbackWritesTheBytesOfTheWholeUnknownRun) {
  const std::string pieces = R"([["<unk>",0],["a",-1],["<0xC3>",-9],["<0xA9>",-9]])";
  ModelTokens found;
  unigram_of(pieces, R"(,"unk_id":0,"byte_fallback":true)")->tokenize("aéé", found);
  ASSERT_EQ(found.tokens.size(), 5U);
  for (std::size_t at = 1; at < 5; ++at) EXPECT_EQ(found.tokens[at].range, (ByteRange{1, 5})) << "as Hugging Face's tokenizers have it";
  EXPECT_EQ(found.tokens[2].id, 3);
  ModelTokens none;
  unigram_of(pieces, R"(,"unk_id":0,"byte_fallback":true)")->tokenize("ü", none);
  ASSERT_EQ(none.tokens.size(), 1U) << "<0xBC> is not in the vocabulary";
  EXPECT_EQ(none.tokens[0].id, 0);
}

/// The definition, taken literally: the best of all ways to cut.
double best_by_definition(const std::vector<std::pair<std::string, double>>& pieces, std::string_view text) {
  if (text.empty()) return 0;
  double best = -1e9;
  for (const auto& [piece, score] : pieces) {
    if (text.starts_with(piece)) best = std::max(best, score + best_by_definition(pieces, text.substr(piece.size())));
  }
  return best;
}

TEST(Unigram, EqualsTheDefinitionOnRandomPieces) {
  std::mt19937 random(11);
  const auto pick = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  const auto word = [&](std::size_t longest) {
    std::string letters;
    for (std::size_t size = pick(longest) + 1; size > 0; --size) letters += "abc"[pick(3)];
    return letters;
  };
  for (int round = 0; round < 40; ++round) {
    std::vector<std::pair<std::string, double>> pieces = {{"a", -3}, {"b", -4}, {"c", -3.5}};
    while (pieces.size() < 15) {
      const std::string text = word(4);
      const auto is_same = [&](const auto& piece) { return piece.first == text; };
      if (std::none_of(pieces.begin(), pieces.end(), is_same)) pieces.emplace_back(text, -static_cast<double>(pick(1000)) / 64);
    }
    const auto model = unigram_of(Json(pieces).dump());
    for (int text = 0; text < 20; ++text) {
      const std::string letters = word(12);
      double sum = 0;
      std::string together;
      ModelTokens found;
      model->tokenize(letters, found);
      for (const ModelToken& token : found.tokens) {
        sum += pieces[static_cast<std::size_t>(token.id)].second;
        together += pieces[static_cast<std::size_t>(token.id)].first;
      }
      EXPECT_EQ(together, letters);
      EXPECT_EQ(sum, best_by_definition(pieces, letters)) << letters;
    }
  }
}

TEST(Unigram, UserDefinedPiecesWinAndUnusedOnesAreNeverFound) {
  std::vector<std::string> warnings;
  const std::vector<SentencePiece> pieces = {
      {"<unk>", 0, PieceType::unknown}, {"<s>", 0, PieceType::control}, {"a", -1}, {"ab", -50, PieceType::user_defined}, {"b", -1},
      {"bb", -1, PieceType::unused}};
  const UnigramModel model(pieces, {}, "t.model", warnings);
  EXPECT_THAT(tokens_of(model, "aabbb"), ElementsAre("a", "ab", "b", "b"));
  EXPECT_THAT(tokens_of(model, "<s>"), ElementsAre("<unk>")) << "a control token is not found in text";
  EXPECT_TRUE(warnings.empty());
}

TEST(Unigram, BadVocabulariesAreRefused) {
  const auto refusal = [](const std::string& vocab, const std::string& options = "") {
    return error_of([&] { unigram_of(vocab, options); }).message();
  };
  for (const char* vocab : {R"(["a"])", R"([["a"]])", R"([["a","b"]])", R"([[1,2]])", R"([["a",1,2]])", R"([["a",null]])"}) {
    EXPECT_THAT(refusal(vocab), HasSubstr("tokenizer.json: model.vocab: the piece 0 is wrong")) << vocab;
  }
  EXPECT_THAT(refusal("[]"), HasSubstr("the vocabulary is empty"));
  EXPECT_THAT(refusal(R"([["a",0]])", R"(,"unk_id":1)"), HasSubstr("unk_id"));
  EXPECT_THAT(refusal(R"([["a",0],["<0xZZ>",0]])", R"(,"byte_fallback":true)"), HasSubstr("<0xZZ>"));
}

TEST(Unigram, PiecesThatOverlapForEverEndWithAnError) {
  std::vector<std::string> warnings;
  const UnigramModel model({{"a", -1}, {std::string(20'000, 'a') + "b", -1}}, {}, "t.model", warnings);
  ModelTokens found;
  EXPECT_EQ(error_of([&] { model.tokenize(std::string(100'000, 'a'), found); }).kind(), ErrorKind::limit);
}

}  // namespace
}  // namespace headlight
