#include "engine/text/files/gguf_tokenizer.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/formats/json.h"
#include "engine/text/files/load_tokenizer.h"
#include "tests/formats/gguf_writer.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using testing::GgufWriter;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

std::vector<std::int64_t> ids_of(const Tokenizer& tokenizer, std::string_view text) {
  std::vector<std::int64_t> ids;
  for (const Token& token : tokenizer.encode(text, std::nullopt).tokens) ids.push_back(token.id);
  return ids;
}

class GgufTokenizer : public ::testing::Test {
 protected:
  std::shared_ptr<const Tokenizer> load(const GgufWriter& writer) const {
    return load_gguf_tokenizer(GgufFile(folder_.file("t.gguf", writer.bytes())));
  }
  std::string refusal(const GgufWriter& writer) const {
    const Error error = error_of([&] { load(writer); });
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.message();
  }
  TemporaryFolder folder_;
};

// A vocabulary of pieces: <unk> <s> </s>, all bytes, then pieces with scores.
struct Pieces {
  std::vector<std::string> tokens = {"<unk>", "<s>", "</s>"};
  std::vector<float> scores = {0, 0, 0};
  std::vector<std::int32_t> types = {2, 3, 3};

  Pieces() {
    for (int byte = 0; byte < 256; ++byte) add(fmt::format("<0x{:02X}>", byte), 0, 6);
  }
  std::int64_t add(const std::string& token, float score, std::int32_t type = 1) {
    tokens.push_back(token);
    scores.push_back(score);
    types.push_back(type);
    return std::ssize(tokens) - 1;
  }
  GgufWriter file() const {
    GgufWriter writer;
    writer.text("tokenizer.ggml.model", "llama");
    writer.texts("tokenizer.ggml.tokens", tokens);
    writer.numbers("tokenizer.ggml.scores", scores);
    writer.integers("tokenizer.ggml.token_type", types);
    writer.natural("tokenizer.ggml.bos_token_id", 1);
    writer.natural("tokenizer.ggml.eos_token_id", 2);
    writer.natural("tokenizer.ggml.unknown_token_id", 0);
    return writer;
  }
};

TEST_F(GgufTokenizer, PiecesAreJoinedByTheirScoresAfterAnAddedBlank) {
  Pieces pieces;
  const auto blank = pieces.add("▁", -10), a = pieces.add("a", -11), b = pieces.add("b", -12);
  const auto ab = pieces.add("ab", -2), blank_a = pieces.add("▁a", -1);
  EXPECT_THAT(ids_of(*load(pieces.file()), "ab"), ElementsAre(1, blank_a, b));  // ▁a has the better score
  EXPECT_THAT(ids_of(*load(pieces.file()), "bab"), ElementsAre(1, blank, b, ab));
  EXPECT_THAT(ids_of(*load(pieces.file()), "a a"), ElementsAre(1, blank_a, blank_a));
  EXPECT_THAT(ids_of(*load(pieces.file()), ""), ElementsAre(1));
  GgufWriter bare = pieces.file();
  bare.boolean("tokenizer.ggml.add_space_prefix", false);
  bare.boolean("tokenizer.ggml.add_bos_token", false);
  bare.boolean("tokenizer.ggml.add_eos_token", true);
  EXPECT_THAT(ids_of(*load(bare), "aa"), ElementsAre(a, a, 2));
}

TEST_F(GgufTokenizer, WhatNoPieceMatchesBecomesBytes) {
  Pieces pieces;
  pieces.add("▁", -10);
  const auto tokenizer = load(pieces.file());
  EXPECT_THAT(ids_of(*tokenizer, "ü"), ElementsAre(1, 259, 3 + 0xC3, 3 + 0xBC));
  EXPECT_EQ(tokenizer->description(), "BPE by scores, 260 tokens");
}

TEST_F(GgufTokenizer, ControlAndAddedTokensAreFoundInText) {
  Pieces pieces;
  const auto blank = pieces.add("▁", -10), a = pieces.add("a", -11);
  const auto tag = pieces.add("<tag>", 0, 4);
  EXPECT_THAT(ids_of(*load(pieces.file()), "a</s>a<tag>"), ElementsAre(1, blank, a, 2, blank, a, tag));
}

TEST_F(GgufTokenizer, WhatDoesNotFitTogetherIsRefused) {
  Pieces pieces;
  pieces.add("▁", -10);
  Pieces short_scores = pieces;
  short_scores.scores.pop_back();
  EXPECT_THAT(refusal(short_scores.file()),
              HasSubstr("tokenizer.ggml.scores: there are not as many entries as tokens; found 259, expected 260"));
  Pieces odd_type = pieces;
  odd_type.types.back() = 9;
  EXPECT_THAT(refusal(odd_type.file()), HasSubstr("the type of token 259 is unknown"));
  Pieces not_finite = pieces;
  not_finite.scores.back() = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(refusal(not_finite.file()), HasSubstr("score of token 259"));
  Pieces broken_byte = pieces;
  broken_byte.tokens[4] = "<0x-1>";
  EXPECT_FALSE(refusal(broken_byte.file()).empty());
  Pieces broken_text = pieces;
  broken_text.tokens.back() = "\xff";
  EXPECT_THAT(refusal(broken_text.file()), HasSubstr("token 259 is not valid UTF-8"));
  GgufWriter wrong_id;
  wrong_id.text("tokenizer.ggml.model", "llama");
  wrong_id.texts("tokenizer.ggml.tokens", {"a"});
  wrong_id.numbers("tokenizer.ggml.scores", {0});
  wrong_id.natural("tokenizer.ggml.bos_token_id", 7);
  EXPECT_THAT(refusal(wrong_id), HasSubstr("tokenizer.ggml.bos_token_id"));
  GgufWriter other;
  other.text("tokenizer.ggml.model", "bert");
  EXPECT_THAT(refusal(other), HasSubstr("found \"bert\", expected one of: gpt2, llama"));
  EXPECT_THAT(refusal(GgufWriter()), HasSubstr("the file has no tokenizer"));
}

/// A tokenizer.json of the reference models as a GGUF file would have it.
GgufWriter from_tokenizer_json(const Json& json, std::string_view kind, std::string_view pre, bool adds_begin, int begin) {
  const Json& model = json.at("model");
  std::vector<std::string> tokens(model.at("vocab").size());
  for (const auto& [token, id] : model.at("vocab").items()) tokens.at(id.get<std::size_t>()) = token;
  std::vector<std::int32_t> types(tokens.size(), 1);
  for (const Json& added : json.at("added_tokens")) types.at(added.at("id").get<std::size_t>()) = 3;
  std::vector<std::string> merges;
  std::map<std::string, float> scores;
  for (const Json& merge : model.at("merges")) {
    const std::string left = merge.is_array() ? merge[0] : Json(merge.get<std::string>().substr(0, merge.get<std::string>().find(' ')));
    const std::string right = merge.is_array() ? merge[1] : Json(merge.get<std::string>().substr(merge.get<std::string>().find(' ') + 1));
    scores.emplace(left + right, -static_cast<float>(merges.size()));
    merges.push_back(left + " " + right);
  }
  GgufWriter file;
  file.text("tokenizer.ggml.model", kind);
  if (!pre.empty()) file.text("tokenizer.ggml.pre", pre);
  file.texts("tokenizer.ggml.tokens", tokens);
  if (kind == "llama") {
    std::vector<float> list;
    for (std::size_t id = 0; id < tokens.size(); ++id) {
      const bool is_byte = tokens[id].size() == 6 && tokens[id].starts_with("<0x");
      if (is_byte) types[id] = 6;
      list.push_back(scores.contains(tokens[id]) ? scores[tokens[id]] : -1e6F);
    }
    file.numbers("tokenizer.ggml.scores", list);
  } else {
    file.texts("tokenizer.ggml.merges", merges);
  }
  file.integers("tokenizer.ggml.token_type", types);
  file.boolean("tokenizer.ggml.add_bos_token", adds_begin);
  if (begin >= 0) file.natural("tokenizer.ggml.bos_token_id", static_cast<std::uint32_t>(begin));
  return file;
}

TEST_F(GgufTokenizer, GivesTheIdsOfTheTokenizerJsonThatItWasMadeFrom) {
  struct Case {
    const char* model;
    const char* kind;
    const char* pre;
    bool adds_begin;
    int begin;
  };
  constexpr Case kCases[] = {
      {"gpt2", "gpt2", "gpt-2", false, -1}, {"llama", "gpt2", "llama-bpe", true, 0}, {"mistral", "llama", "", true, 1}};
  constexpr const char* kTexts[] = {"The animal didn't cross the street because it was too tired.", "  two  blanks\n\nand 1234567 lines\t",
                                    "naïve café 中文 🐱 <|endoftext|> <s> x", "It'S THE'LL 12.5%"};
  int found = 0;
  for (const auto& reference : testing::reference_folders()) {
    for (const Case& the_case : kCases) {
      const auto folder = reference / "models" / the_case.model;
      if (!std::filesystem::exists(folder / "tokenizer.json")) continue;
      ++found;
      const Json json = parse_json(testing::bytes_of(folder / "tokenizer.json"), "tokenizer.json");
      const auto expected = load_tokenizer(folder);
      const auto tokenizer = load(from_tokenizer_json(json, the_case.kind, the_case.pre, the_case.adds_begin, the_case.begin));
      for (const char* text : kTexts) EXPECT_EQ(ids_of(*tokenizer, text), ids_of(*expected, text)) << the_case.model << ": " << text;
    }
  }
  EXPECT_GT(found, 0);
}

TEST_F(GgufTokenizer, OlderWaysOfCuttingAreKept) {
  const std::vector<std::string> tokens = {"1", "2", "3", "4", "12", "123", "1234", "!", "?", "!?"};
  const auto file = [&](std::string_view pre) {
    GgufWriter writer;
    writer.text("tokenizer.ggml.model", "gpt2");
    if (!pre.empty()) writer.text("tokenizer.ggml.pre", pre);
    writer.texts("tokenizer.ggml.tokens", tokens);
    writer.texts("tokenizer.ggml.merges", {"1 2", "12 3", "123 4", "! ?"});
    return writer;
  };
  EXPECT_THAT(ids_of(*load(file("gpt-2")), "1234!?"), ElementsAre(6, 9));
  EXPECT_THAT(ids_of(*load(file("llama-bpe")), "1234!?"), ElementsAre(5, 3, 9));    // three digits at most
  EXPECT_THAT(ids_of(*load(file("qwen2")), "1234!?"), ElementsAre(0, 1, 2, 3, 9));  // every digit alone
  EXPECT_THAT(ids_of(*load(file("default")), "1234!?"), ElementsAre(5, 3, 9));
  EXPECT_THAT(load(file(""))->warnings(), ElementsAre(HasSubstr("names no pre-tokenizer"), HasSubstr("tokens for single bytes")));
  EXPECT_THAT(ids_of(*load(file("smollm")), "1234!?"), ElementsAre(0, 1, 2, 3, 9));
  EXPECT_THAT(ids_of(*load(file("deepseek-llm")), "1234!?"), ElementsAre(6, 9));
  EXPECT_THAT(ids_of(*load(file("viking")), "12!?"), ElementsAre(0, 1, 9));
  EXPECT_THAT(refusal(file("kimi-k2")), HasSubstr("this pre-tokenizer is not supported; found \"kimi-k2\", expected one of: default"));
}

// Where a tokenizer.json of the same model differs, a GGUF file is read as llama.cpp reads it: what follows was compared with
// llama_tokenize of its release v0.5.0.

TEST_F(GgufTokenizer, TextIsNeitherComposedNorFolded) {
  GgufWriter writer;
  writer.text("tokenizer.ggml.model", "gpt2");
  writer.text("tokenizer.ggml.pre", "qwen2");
  // e, U+0301 in two bytes, é in two bytes, ' and U+017F (the long s, which folds to s) in two bytes, t
  writer.texts("tokenizer.ggml.tokens", {"e", "Ì", "ģ", "Ã", "©", "'", "Å", "¿", "t", "¿t", "'Å"});
  writer.texts("tokenizer.ggml.merges", {"¿ t", "' Å"});
  EXPECT_THAT(ids_of(*load(writer), "e\xCC\x81"), ElementsAre(0, 1, 2)) << "Hugging Face's tokenizer of Qwen2 makes é of it";
  EXPECT_THAT(ids_of(*load(writer), "'\xC5\xBFt"), ElementsAre(10, 9)) << "no contraction: the letters go with t";
}

TEST_F(GgufTokenizer, TheLongestAddedTokenIsFoundFirstWhereverItBegins) {
  Pieces pieces;
  const auto blank = pieces.add("▁", -10), a = pieces.add("a", -11), d = pieces.add("d", -11);
  const auto early = pieces.add("aab", 0, 4), late = pieces.add("abcd", 0, 4);
  const auto tokenizer = load(pieces.file());
  EXPECT_THAT(ids_of(*tokenizer, "aabcd"), ElementsAre(1, blank, a, late));
  EXPECT_THAT(ids_of(*tokenizer, "aabd"), ElementsAre(1, early, blank, d));
  // A blank mark in an added token is the mark itself, not a blank.
  const auto marked = pieces.add("▁a▁", -1, 4);
  EXPECT_THAT(ids_of(*load(pieces.file()), "▁a▁"), ElementsAre(1, marked));
  EXPECT_THAT(ids_of(*load(pieces.file()), "d"), ElementsAre(1, blank, d));
}

TEST_F(GgufTokenizer, PiecesOfAnyTypeCanComeAbout) {
  Pieces pieces;
  const auto blank = pieces.add("▁", -10);
  pieces.add("a", -11);
  const auto unused = pieces.add("aa", -1, 5);
  EXPECT_THAT(ids_of(*load(pieces.file()), "aa"), ElementsAre(1, blank, unused));
  const auto control = pieces.add("aaaa", -1, 3);
  const auto tokenizer = load(pieces.file());
  std::vector<std::int64_t> ids;
  for (const Token& token : tokenizer->encode("aaaa", std::nullopt, {.reads_special_text = false}).tokens) ids.push_back(token.id);
  EXPECT_THAT(ids, ElementsAre(1, blank, control));
}

TEST_F(GgufTokenizer, TheUsualTokensAreTakenWhereTheFileNamesNone) {
  GgufWriter writer;
  writer.text("tokenizer.ggml.model", "llama");
  writer.texts("tokenizer.ggml.tokens", {"<unk>", "<s>", "</s>", "▁", "a"});
  writer.numbers("tokenizer.ggml.scores", {0, 0, 0, -1, -2});
  writer.integers("tokenizer.ggml.token_type", {2, 3, 3, 1, 1});
  writer.boolean("tokenizer.ggml.add_eos_token", true);
  EXPECT_THAT(ids_of(*load(writer), "a"), ElementsAre(1, 3, 4, 2));
  EXPECT_THAT(ids_of(*load(writer), "b"), ElementsAre(1, 3, 0, 2));
}

TEST_F(GgufTokenizer, TokensOfKnownNamesAreFoundWhateverTheirType) {
  Pieces pieces;
  const auto blank = pieces.add("▁", -10), end = pieces.add("<|im_end|>", -1), prefix = pieces.add("<PRE>", -1);
  EXPECT_THAT(ids_of(*load(pieces.file()), "<|im_end|><PRE>"), ElementsAre(1, end, prefix));
  GgufWriter with_key = pieces.file();
  with_key.natural("tokenizer.ggml.fim_pre_token_id", 1);
  EXPECT_THAT(ids_of(*load(with_key), "<PRE>"), ElementsAre(1, blank, 3 + '<', 3 + 'P', 3 + 'R', 3 + 'E', 3 + '>'));
}

TEST(GgufReference, RecordedIdsAreReproduced) {
  int files = 0;
  for (const auto& reference : testing::reference_folders()) {
    const auto folder = reference / "gguf";
    if (!std::filesystem::exists(folder / "reference.json")) continue;
    const Json recorded = parse_json(testing::bytes_of(folder / "reference.json"), "reference.json");
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".gguf") continue;
      ++files;
      const auto tokenizer = load_gguf_tokenizer(GgufFile(entry.path()));
      EXPECT_EQ(ids_of(*tokenizer, recorded.at("text").get<std::string>()), recorded.at("ids").get<std::vector<std::int64_t>>())
          << entry.path();
    }
  }
  if (files == 0) testing::say_not_found("reference/gguf");
}

}  // namespace
}  // namespace headlight
