#include "engine/text/models/bpe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;

std::unique_ptr<const TokenModel> bpe_of(const std::string& vocab, const std::string& merges, const std::string& options = "") {
  const Json json = Json::parse(R"({"type":"BPE","vocab":)" + vocab + R"(,"merges":)" + merges + options + "}");
  std::vector<std::string> warnings;
  return make_token_model(JsonFields(json, "tokenizer.json", "model"), warnings);
}

std::vector<std::string> tokens(const TokenModel& model, const std::string& piece) {
  ModelTokens found;
  model.tokenize(piece, found);
  std::vector<std::string> result;
  for (const ModelToken& token : found.tokens) result.push_back(*model.vocabulary().token_of(token.id));
  return result;
}

const std::string kVocabulary = R"({"a":0,"b":1,"c":2,"ab":3,"bc":4,"abc":5,"aa":6})";

TEST(Bpe, TheRuleThatWasLearntFirstWins) {
  EXPECT_THAT(tokens(*bpe_of(kVocabulary, R"(["b c","a b"])"), "abc"), ElementsAre("a", "bc"));
  EXPECT_THAT(tokens(*bpe_of(kVocabulary, R"(["a b","b c"])"), "abc"), ElementsAre("ab", "c"));
  EXPECT_THAT(tokens(*bpe_of(kVocabulary, R"([["a","b"],["ab","c"]])"), "abcab"), ElementsAre("abc", "ab"));
}

TEST(Bpe, EqualRulesApplyFromTheLeft) {
  EXPECT_THAT(tokens(*bpe_of(kVocabulary, R"(["a a"])"), "aaaaa"), ElementsAre("aa", "aa", "a"));
}

/// The definition, taken literally: of all neighbouring pairs the one with the earliest rule, leftmost, is merged; again until none is left.
std::vector<std::string> merge_by_definition(const std::map<std::pair<std::string, std::string>, std::size_t>& ranks,
                                             const std::string& piece) {
  std::vector<std::string> parts;
  for (const char letter : piece) parts.emplace_back(1, letter);
  while (true) {
    std::size_t best = parts.size(), best_rank = ranks.size();
    for (std::size_t at = 0; at + 1 < parts.size(); ++at) {
      const auto item = ranks.find({parts[at], parts[at + 1]});
      if (item != ranks.end() && item->second < best_rank) best = at, best_rank = item->second;
    }
    if (best == parts.size()) return parts;
    parts[best] += parts[best + 1];
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

TEST(Bpe, EqualsTheDefinitionOnRandomRulesAndPieces) {
  std::mt19937 random(7);
  const auto pick = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  for (int round = 0; round < 60; ++round) {
    std::vector<std::string> known = {"a", "b", "c"};
    std::map<std::pair<std::string, std::string>, std::size_t> ranks;
    Json vocab, merges = Json::array();
    // Learnt as in training: a rule joins tokens that exist, and makes a new one.
    while (merges.size() < 20) {
      const std::string left = known[pick(known.size())], right = known[pick(known.size())];
      if (left.size() + right.size() > 8 || std::find(known.begin(), known.end(), left + right) != known.end()) continue;
      ranks[{left, right}] = merges.size();
      merges.push_back({left, right});
      known.push_back(left + right);
    }
    for (std::size_t id = 0; id < known.size(); ++id) vocab[known[id]] = id;
    const auto model = bpe_of(vocab.dump(), merges.dump());
    for (int word = 0; word < 20; ++word) {
      std::string piece;
      for (std::size_t letters = pick(40) + 1; letters > 0; --letters) piece += "abc"[pick(3)];
      EXPECT_EQ(tokens(*model, piece), merge_by_definition(ranks, piece)) << piece << " " << merges;
    }
  }
}

TEST(Bpe, UnknownCharactersAreTheUnknownTokenOrAreCounted) {
  const std::string vocab = R"({"a":0,"<unk>":1})";
  EXPECT_THAT(tokens(*bpe_of(vocab, "[]", R"(,"unk_token":"<unk>")"), "aé€a"), ElementsAre("a", "<unk>", "<unk>", "a"));
  EXPECT_THAT(tokens(*bpe_of(vocab, "[]", R"(,"unk_token":"<unk>","fuse_unk":true)"), "aé€a"), ElementsAre("a", "<unk>", "a"));
  ModelTokens found;
  bpe_of(vocab, "[]")->tokenize("aé€a", found);
  EXPECT_EQ(found.left_out, 2U);
  EXPECT_EQ(found.tokens[1].range, (ByteRange{6, 7}));
}

TEST(Bpe, AnUnknownTokenOutsideTheVocabularyIsAnErrorOnlyWhenItIsNeeded) {
  const auto model = bpe_of(R"({"a":0})", "[]", R"(,"unk_token":"<unk>")");
  EXPECT_THAT(tokens(*model, "aa"), ElementsAre("a", "a"));
  EXPECT_THAT(error_of([&] { tokens(*model, "ab"); }).message(), HasSubstr("model.unk_token"));
}

TEST(Bpe, ByteFallbackWritesBytesWhereAllAreThere) {
  const std::string options = R"(,"byte_fallback":true,"unk_token":"<unk>")";
  EXPECT_THAT(tokens(*bpe_of(R"({"a":0,"<0xC3>":1,"<0xA9>":2,"<unk>":3})", "[]", options), "aé"), ElementsAre("a", "<0xC3>", "<0xA9>"));
  EXPECT_THAT(tokens(*bpe_of(R"({"a":0,"<0xC3>":1,"<unk>":3})", "[]", options), "aé"), ElementsAre("a", "<unk>"));
  EXPECT_THAT(error_of([&] { bpe_of(R"({"a":0,"<0xZZ>":1})", "[]", options); }).message(), HasSubstr("<0xZZ>"));
  EXPECT_THAT(error_of([&] { bpe_of(R"({"a":0,"<0x-1>":1})", "[]", options); }).message(), HasSubstr("<0x-1>"));
}

TEST(Bpe, IgnoreMergesTakesAWholePieceThatIsAToken) {
  EXPECT_THAT(tokens(*bpe_of(kVocabulary, R"(["b c"])", R"(,"ignore_merges":true)"), "abc"), ElementsAre("abc"));
  EXPECT_THAT(tokens(*bpe_of(kVocabulary, R"(["b c"])"), "abc"), ElementsAre("a", "bc"));
}

TEST(Bpe, PrefixAndSuffixMarkInnerAndLastParts) {
  const std::string vocab = R"({"a":0,"##b":1,"##b</w>":2,"a##b":3,"ab</w>":4})";
  const auto model = bpe_of(vocab, R"([["a","##b</w>"]])", R"(,"continuing_subword_prefix":"##","end_of_word_suffix":"</w>")");
  EXPECT_THAT(tokens(*model, "ab"), ElementsAre("ab</w>"));
  EXPECT_THAT(tokens(*model, "abb"), ElementsAre("a", "##b", "##b</w>"));
}

TEST(Bpe, OfEqualRulesTheLastOneCountsWithAWarning) {
  const Json json = Json::parse(R"({"type":"BPE","vocab":)" + kVocabulary + R"(,"merges":["a b","b c","a b"]})");
  std::vector<std::string> warnings;
  const auto model = make_token_model(JsonFields(json, "tokenizer.json", "model"), warnings);
  EXPECT_THAT(tokens(*model, "abc"), ElementsAre("a", "bc"));
  EXPECT_THAT(warnings, ElementsAre("tokenizer.json: model.merges[2]: the merge of \"a\" and \"b\" is already in model.merges[0]; "
                                    "the later one counts"));
}

TEST(Bpe, DropoutIsOffAndSaid) {
  std::vector<std::string> warnings;
  const auto model = [&](const std::string& dropout) {
    const Json json = Json::parse(R"({"type":"BPE","vocab":)" + kVocabulary + R"(,"merges":["a b"],"dropout":)" + dropout + "}");
    return make_token_model(JsonFields(json, "tokenizer.json", "model"), warnings);
  };
  model("null"), model("0.0");
  EXPECT_TRUE(warnings.empty());
  EXPECT_THAT(tokens(*model("1.0"), "ab"), ElementsAre("ab"));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_THAT(warnings[0], HasSubstr("model.dropout"));
  EXPECT_THAT(error_of([&] { model("1.5"); }).message(), HasSubstr("model.dropout"));
}

TEST(Bpe, BadRulesAreRefusedNamingThem) {
  const auto refusal = [](const std::string& merges) { return error_of([&] { bpe_of(kVocabulary, merges); }).message(); };
  EXPECT_THAT(refusal(R"(["a b","zz a"])"), HasSubstr(R"(tokenizer.json: model.merges[1]: the merge needs the token "zz")"));
  EXPECT_THAT(refusal(R"(["c b"])"), HasSubstr("\"cb\", which is not in the vocabulary"));
  for (const char* merges :
       {R"(["a"])", R"([""])", R"(["a b c"])", R"([" a"])", R"(["a "])", R"([["a"]])", R"([["a",""]])", "[1]", R"([["a",1]])"}) {
    EXPECT_THAT(refusal(merges), HasSubstr("model.merges[0]: the merge is not a pair of tokens")) << merges;
  }
  EXPECT_THAT(refusal("{}"), HasSubstr("model.merges"));
}

TEST(Bpe, MergesTextPassesOverVersionMarkBlankLinesAndCarriageReturns) {
  std::vector<std::string> warnings;
  const BpeMerges merges = read_merges("\xef\xbb\xbf#version: 0.2\r\na b\r\n\r\n# #\nc d", "merges.txt", warnings);
  ASSERT_EQ(merges.rules.size(), 3U);
  EXPECT_EQ(merges.rules[0].right, "b");
  EXPECT_EQ(merges.rules[1].left, "#") << "a merge that looks like a comment";
  EXPECT_EQ(merges.place(1), "line 4");
  EXPECT_EQ(warnings.size(), 1U);
}

TEST(Bpe, MergesTextNamesTheBadLine) {
  std::vector<std::string> warnings;
  const auto refusal = [&](std::string_view bytes) { return error_of([&] { read_merges(bytes, "merges.txt", warnings); }).message(); };
  EXPECT_THAT(refusal("a b\na b c\n"), HasSubstr("merges.txt: line 2 (byte 4)"));
  EXPECT_THAT(refusal("a b\n\xff b\n"), HasSubstr("line 2 (byte 4): the merge is not valid UTF-8"));
  EXPECT_THAT(refusal(std::string_view("a \0\n", 4)), HasSubstr("NUL"));
}

}  // namespace
}  // namespace headlight
