// The text that tokens of a file were cut from.
#include "engine/dumps/dump_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/dumps/attention_dump.h"
#include "engine/formats/tensors/write_tensors.h"
#include "engine/text/label.h"
#include "engine/text/unicode/byte_level.h"
#include "engine/text/words.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using Texts = std::vector<std::string>;

std::shared_ptr<const Encoding> encoded(const Texts& tokens, const DumpWholeText* whole = nullptr) {
  return make_dump_encoding(&tokens, std::ssize(tokens), *make_dump_tokenizer(&tokens, nullptr), whole);
}

std::string text_of(const Texts& tokens) {
  return encoded(tokens)->text;
}

Texts pieces_of(const Encoding& encoding) {
  Texts pieces;
  for (const Token& token : encoding.tokens) {
    const std::string& text = token.sequence == 0 ? encoding.text : encoding.text_pair;
    pieces.push_back(text.substr(token.bytes.begin, token.bytes.end - token.bytes.begin));
  }
  return pieces;
}

/// The tokens of GPT-2 for pieces of bytes.
Texts byte_level(const Texts& pieces) {
  Texts tokens;
  for (const std::string& piece : pieces) {
    std::string token;
    for (const char byte : piece) token += byte_to_character(static_cast<unsigned char>(byte));
    tokens.push_back(token);
  }
  return tokens;
}

TEST(DumpText, IsJoinedAsItsTokenizerJoins) {
  EXPECT_EQ(text_of({"The", "Ġcat", "s", "Ġsat"}), "The cats sat");
  EXPECT_EQ(text_of({"▁The", "▁cat", "s", "▁sat"}), "The cats sat");
  EXPECT_EQ(text_of({"The", " cat", "s"}), "The cats");
  EXPECT_EQ(text_of({"the</w>", "cat", "s</w>", "sat</w>"}), "the cats sat");
  EXPECT_EQ(text_of({"The", "cat", "##s", "sat"}), "The cats sat");
  EXPECT_EQ(text_of({"un@@", "believ@@", "able", "cats", "@@"}), "unbelievable cats @@") << "fastBPE";
  EXPECT_EQ(text_of({"I", "don", "'", "t", ",", "she", "does", "."}), "I don't, she does.");
  EXPECT_EQ(text_of({"我", "爱", "你", "。"}), "我爱你。");
  EXPECT_EQ(text_of({"[CLS]", "The", "cat"}), "[CLS] The cat");
}

TEST(DumpText, OfScriptsWithoutBlanksHasNone) {
  EXPECT_EQ(text_of({"我", "喜", "欢", "猫", "cat", "很"}), "我喜欢猫 cat 很");
  EXPECT_EQ(text_of({"ねこ", "が", "すき"}), "ねこがすき");
  EXPECT_EQ(text_of({"고양이", "가"}), "고양이 가") << "Korean parts its words";
  EXPECT_EQ(text_of(byte_level({"你", "好", "世界"})), "你好世界");
}

TEST(DumpText, PartsMarkedAtTheirEndAreOneWord) {
  const Texts tokens = {"un@@", "believ@@", "able", "cats"};
  const auto encoding = encoded(tokens);
  EXPECT_THAT(pieces_of(*encoding), ElementsAre("un", "believ", "able", "cats"));
  EXPECT_THAT(words_of_tokens(*encoding), ElementsAre(0, 0, 0, 1));
  const DumpWholeText whole{"Unbelievable", {}, {}};
  EXPECT_EQ(encoded({"Un@@", "believ@@", "able"}, &whole)->text, "Unbelievable");
}

TEST(DumpText, OfBytesKeepsEveryCharacterWhole) {
  const auto cut = encoded(byte_level({"a", " \xe4\xbd", "\xa0", "b"}));
  EXPECT_EQ(cut->text, "a 你b");
  EXPECT_THAT(pieces_of(*cut), ElementsAre("a", "你", "你", "b"));
  const auto fallback = encoded({"▁a", "<0xE4>", "<0xBD>", "<0xA0>", "▁b"});
  EXPECT_EQ(fallback->text, "a你 b");
  EXPECT_THAT(pieces_of(*fallback), ElementsAre("a", "你", "你", "你", "b"));
  EXPECT_EQ(text_of({"▁a", "<0xE4>", "▁b"}), "a<0xE4> b") << "not a whole character: left unchanged";
}

TEST(DumpText, LettersOfAnotherAlphabetAreNotTakenForBytes) {
  EXPECT_EQ(text_of({"był", "kot"}), "był kot");
  EXPECT_EQ(text_of({"naïve", "café"}), "naïve café");
}

TEST(DumpText, IsTheFilesOwnWhereItsOffsetsFit) {
  const DumpWholeText whole{"Straße, ja", {}, {{0, 0}, {0, 4}, {4, 6}, {6, 7}, {8, 10}}};
  const Texts tokens = {"[CLS]", "stra", "##sse", ",", "ja"};
  const auto encoding = encoded(tokens, &whole);
  EXPECT_EQ(encoding->text, "Straße, ja");
  EXPECT_THAT(pieces_of(*encoding), ElementsAre("", "Stra", "ße", ",", "ja"));
  EXPECT_TRUE(encoding->tokens[0].is_special);
  DumpWholeText other = whole;
  other.offsets.back().second = 11;
  EXPECT_EQ(encoded(tokens, &other)->text, "[CLS] strasse, ja") << "after the end";
  other.offsets.pop_back();
  EXPECT_EQ(encoded(tokens, &other)->text, "[CLS] strasse, ja") << "too few";
}

TEST(DumpText, OffsetsOfAPairBeginAgain) {
  const DumpWholeText whole{"a b", "c d", {{0, 0}, {0, 1}, {2, 3}, {0, 0}, {0, 1}, {2, 3}, {0, 0}}};
  const auto encoding = encoded({"[CLS]", "a", "b", "[SEP]", "c", "d", "[SEP]"}, &whole);
  EXPECT_EQ(encoding->text_pair, "c d");
  EXPECT_THAT(pieces_of(*encoding), ElementsAre("", "a", "b", "", "c", "d", ""));
  EXPECT_EQ(encoding->tokens[4].sequence, 1);
}

TEST(DumpText, IsTheFilesOwnWhereTheTokensAreFoundInIt) {
  const DumpWholeText whole{"Don't stop,now", {}, {}};
  const auto encoding = encoded({"[CLS]", "Don", "'", "t", "stop", ",", "now", "[SEP]"}, &whole);
  EXPECT_EQ(encoding->text, "Don't stop,now");
  EXPECT_THAT(pieces_of(*encoding), ElementsAre("", "Don", "'", "t", "stop", ",", "now", ""));
  const DumpWholeText longer{"Don't stop", {}, {}};
  EXPECT_EQ(encoded({"Don", "'", "t"}, &longer)->text, "Don't") << "the text goes on after the last token";
}

TEST(DumpText, ComesFromEveryKindOfFile) {
  const testing::TemporaryFolder folder;
  const std::vector<float> maps = {1, 0, 0.5F, 0.5F};
  const auto text_of_file = [&](const std::string& name) {
    SilentProgress progress;
    const AttentionDump dump = read_attention_dump(folder / name, progress);
    EXPECT_TRUE(dump.notices.empty()) << dump.notices.front();
    return dump.encoding->text;
  };
  const std::map<std::string, std::string> metadata = {
      {"tokens", R"(["H", "ello"])"}, {"text", R"("Hello")"}, {"offsets", "[[0, 1], [1, 5]]"}, {"headlight.mask", "causal"}};
  const std::vector<TensorToWrite> tensors = {{"attention.0", {1, 2, 2}, maps}};
  write_safetensors(folder / "a.safetensors", tensors, metadata);
  write_npz(folder / "a.npz", tensors, metadata);
  folder.file("a.json", R"({"attention": [[[1, 0], [0.5, 0.5]]], "tokens": ["H", "ello"], "text": "Hello", "mask": "causal",
                            "offset_mapping": [[0, 1], [1, 5]]})");
  EXPECT_EQ(text_of_file("a.safetensors"), "Hello");
  EXPECT_EQ(text_of_file("a.npz"), "Hello");
  EXPECT_EQ(text_of_file("a.json"), "Hello");
  folder.file("quoted.json", R"({"attention": [[[1, 0], [0.5, 0.5]]], "tokens": ["\"", "No\""], "text": "\"No\"", "mask": "causal"})");
  EXPECT_EQ(text_of_file("quoted.json"), "\"No\"") << "its quotation marks belong to the text";
}

TEST(DumpText, WhichTokensAreSpecialIsWhatTheFileSays) {
  DumpWholeText whole{
      .text = "a [MASK]", .pair = {}, .offsets = {{0, 0}, {0, 1}, {2, 8}, {8, 8}}, .are_special = {true, false, true, false}};
  const auto encoding = encoded({"[CLS]", "a", "[MASK]", "Ġ"}, &whole);
  std::vector<bool> special;
  for (const Token& token : encoding->tokens) special.push_back(token.is_special || token.is_typed_special);
  EXPECT_EQ(special, whole.are_special) << "a typed mask token, and a blank that stands for no character";
  whole.are_special.pop_back();
  EXPECT_FALSE(encoded({"[CLS]", "a", "[MASK]", "Ġ"}, &whole)->tokens[2].is_typed_special) << "of another number of tokens";
}

}  // namespace
}  // namespace headlight
