#include "engine/text/files/load_tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/formats/json.h"
#include "engine/text/tokenizer.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

std::vector<std::string> texts(const Encoding& encoding) {
  std::vector<std::string> result;
  for (const Token& token : encoding.tokens) result.push_back(token.text);
  return result;
}

const std::string kTokenizer = R"({"version":"1.0","truncation":{"max_length":2},"padding":{"length":9},
  "added_tokens":[{"id":5,"content":"<|end|>","special":true,"normalized":false},{"id":6,"content":"<mask>","lstrip":true,"special":true}],
  "normalizer":null,"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true},
  "post_processor":{"type":"ByteLevel","trim_offsets":false,"add_prefix_space":true},"decoder":{"type":"ByteLevel"},
  "model":{"type":"BPE","vocab":{"a":0,"b":1,"Ġ":2,"ab":3,"Ġab":4},"merges":["a b","Ġ ab"]}})";

/// A byte-level vocabulary of "a", a blank and an unknown token.
std::string few_letters(const std::string& unknown) {
  return R"({"version":"1.0","pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false},"model":{"type":"BPE",)" + unknown +
         R"("vocab":{"?":0,"a":1,"Ġ":2},"merges":[]}})";
}

TEST(LoadTokenizer, BytesThatAnUnknownTokenStandsForAreToldOfATextAndNotOfTheModel) {
  const TemporaryFolder folder;
  folder.file("tokenizer.json", few_letters(R"("unk_token":"?",)"));
  const auto tokenizer = load_tokenizer(folder.path());
  EXPECT_THAT(tokenizer->warnings(), ElementsAre());
  EXPECT_THAT(tokenizer->encode("a a", std::nullopt).notices, ElementsAre());
  EXPECT_THAT(tokenizer->encode("a?", std::nullopt).notices, ElementsAre()) << "the unknown token itself was typed";
  EXPECT_THAT(tokenizer->encode("a é", std::nullopt).notices,
              ElementsAre("The model has no token for “é”: its unknown token, “?”, stands there."));
  EXPECT_THAT(tokenizer->encode("éaöa…", std::nullopt).notices,
              ElementsAre("The model has no token for “é” and 2 more: its unknown token, “?”, stands there."));
}

TEST(LoadTokenizer, BytesThatNothingStandsForAreToldOfTheModel) {
  const TemporaryFolder folder;
  folder.file("tokenizer.json", few_letters(""));
  EXPECT_THAT(load_tokenizer(folder.path())->warnings(), ElementsAre(HasSubstr("253 of the 256 tokens for single bytes are missing")));
}

TEST(LoadTokenizer, ATokenizerJsonIsAPipeline) {
  const TemporaryFolder folder;
  folder.file("tokenizer.json", kTokenizer);
  const auto tokenizer = load_tokenizer(folder.path());
  EXPECT_EQ(tokenizer->description(), "byte-level BPE, 7 tokens");
  const Encoding encoding = tokenizer->encode("ab ab<|end|>b", std::nullopt);
  EXPECT_THAT(texts(encoding), ElementsAre("ab", "Ġab", "<|end|>", "b"));
  EXPECT_EQ(encoding.tokens[2], (Token{5, "<|end|>", {5, 12}, 0, false, 0, true})) << "typed by a person: the token, but not added by us";
  EXPECT_EQ(tokenizer->token_of(4), "Ġab");
  EXPECT_EQ(tokenizer->token_of(6), "<mask>");
  EXPECT_EQ(tokenizer->token_of(7), std::nullopt);
  EXPECT_TRUE(tokenizer->label(encoding.tokens[1]).has_leading_blank);
}

TEST(LoadTokenizer, AnAddedTokenTakesItsBlanksButKeepsItsName) {
  const TemporaryFolder folder;
  folder.file("tokenizer.json", kTokenizer);
  const Encoding encoding = load_tokenizer(folder.path())->encode("a <mask>", std::nullopt);
  EXPECT_THAT(texts(encoding), ElementsAre("a", "<mask>"));
  EXPECT_EQ(encoding.tokens[1].bytes, (ByteRange{1, 8}));
}

TEST(LoadTokenizer, WhatTheVocabularyLacksIsLeftOutAndSaid) {
  const TemporaryFolder folder;
  folder.file("tokenizer.json", kTokenizer);
  const Encoding encoding = load_tokenizer(folder.path())->encode("béa", std::nullopt);
  EXPECT_THAT(texts(encoding), ElementsAre("b", "a"));
  ASSERT_EQ(encoding.notices.size(), 1U);
  EXPECT_THAT(encoding.notices[0], HasSubstr("left out"));
}

TEST(LoadTokenizer, SpecialTextIsReadOrLeftAsText) {
  const TemporaryFolder folder;
  folder.file("tokenizer.json",
              R"({"added_tokens":[{"id":4,"content":"<s>","special":true},{"id":5,"content":"ab","special":false}],
                  "pre_tokenizer":{"type":"Split","pattern":{"String":""},"behavior":"Isolated"},"model":{"type":"BPE","unk_token":"?",
                  "vocab":{"?":0,"<":1,"s":2,">":3},"merges":[]}})");
  const auto tokenizer = load_tokenizer(folder.path());
  const Encoding read = tokenizer->encode("<s>ab", std::nullopt);
  EXPECT_THAT(texts(read), ElementsAre("<s>", "ab"));
  EXPECT_TRUE(read.tokens[0].is_typed_special);
  EXPECT_FALSE(read.tokens[0].is_special || read.tokens[1].is_typed_special);
  const EncodeOptions as_text = {.adds_special = true, .reads_special_text = false};
  EXPECT_THAT(texts(tokenizer->encode("<s>ab", std::nullopt, as_text)), ElementsAre("<", "s", ">", "ab")) << "added words are always found";
}

TEST(LoadTokenizer, SpecialTokensAroundTheTextCanBeLeftOut) {
  const TemporaryFolder folder;
  folder.file("tokenizer.json",
              R"({"post_processor":{"type":"BertProcessing","sep":["[SEP]",1],"cls":["[CLS]",2]},"pre_tokenizer":{"type":"WhitespaceSplit"},
                  "model":{"type":"WordLevel","vocab":{"A":0,"[SEP]":1,"[CLS]":2},"unk_token":"A"}})");
  const auto tokenizer = load_tokenizer(folder.path());
  EXPECT_THAT(texts(tokenizer->encode("A A", "A")), ElementsAre("[CLS]", "A", "A", "[SEP]", "A", "[SEP]"));
  const Encoding plain = tokenizer->encode("A A", "A", {.adds_special = false, .reads_special_text = true});
  EXPECT_THAT(texts(plain), ElementsAre("A", "A", "A"));
  EXPECT_EQ(plain.tokens[2].sequence, 1);
}

TEST(LoadTokenizer, DecodingSkipsSpecialTokensAndUnknownIds) {
  const TemporaryFolder folder;
  folder.file("tokenizer.json", kTokenizer);
  const auto tokenizer = load_tokenizer(folder.path());
  EXPECT_EQ(tokenizer->decode(std::vector<std::int64_t>{3, 4, 5, 99}), "ab ab");
  EXPECT_EQ(tokenizer->decode(std::vector<std::int64_t>{3, 5}, false), "ab<|end|>");
  EXPECT_EQ(tokenizer->decode(std::vector<std::int64_t>{}), "");
}

TEST(LoadTokenizer, WordLevelKnowsItsWordsAndTheUnknown) {
  const TemporaryFolder folder;
  folder.file("tokenizer.json",
              R"({"pre_tokenizer":{"type":"WhitespaceSplit"},"model":{"type":"WordLevel","vocab":{"A":0,"[UNK]":1},"unk_token":"[UNK]"}})");
  const auto tokenizer = load_tokenizer(folder.path());
  EXPECT_THAT(texts(tokenizer->encode("A Z  A", std::nullopt)), ElementsAre("A", "[UNK]", "A"));
  EXPECT_EQ(tokenizer->encode("A Z", std::nullopt).tokens[1].bytes, (ByteRange{2, 3}));
  EXPECT_EQ(tokenizer->description(), "WordLevel, 2 tokens");
}

TEST(LoadTokenizer, AWordThatIsNotKnownIsAnErrorWhereThereIsNoUnknownToken) {
  const TemporaryFolder folder;
  folder.file("tokenizer.json", R"({"model":{"type":"WordLevel","vocab":{"A":0}}})");
  EXPECT_THAT(error_of([&] { load_tokenizer(folder.path())->encode("B", std::nullopt); }).message(), HasSubstr("the word \"B\""));
}

TEST(LoadTokenizer, OlderFilesHaveNoModelType) {
  const TemporaryFolder folder;
  folder.file("tokenizer.json", R"({"pre_tokenizer":{"type":"ByteLevel"},"model":{"unk_token":"","vocab":{"a":0},"merges":[]}})");
  EXPECT_EQ(load_tokenizer(folder.path())->description(), "byte-level BPE, 1 tokens");
}

TEST(LoadTokenizer, VocabAndMergesAreGpt2s) {
  const TemporaryFolder folder;
  folder.file("vocab.json", R"({"a":0,"b":1,"Ġ":2,"ab":3,"<|endoftext|>":4})");
  folder.file("merges.txt", "#version: 0.2\r\na b\r\n");
  const auto tokenizer = load_tokenizer(folder.path());
  EXPECT_THAT(texts(tokenizer->encode("ab<|endoftext|> b", std::nullopt)), ElementsAre("ab", "<|endoftext|>", "Ġ", "b"));
  folder.file("tokenizer_config.json", R"({"add_prefix_space":true})");
  EXPECT_THAT(texts(load_tokenizer(folder.path())->encode("ab", std::nullopt)), ElementsAre("Ġ", "ab"));
}

TEST(LoadTokenizer, SaysWhichFileAndFieldIsWrong) {
  const TemporaryFolder folder;
  const auto refusal = [&] { return error_of([&] { load_tokenizer(folder.path()); }).message(); };
  EXPECT_THAT(refusal(), HasSubstr("expected tokenizer.json, or vocab.json and merges.txt"));
  folder.file("merges.txt", "a b\n");
  EXPECT_THAT(refusal(), HasSubstr("vocab.json"));
  folder.file("vocab.json", R"({"a":0,"a":1})");
  EXPECT_THAT(refusal(), HasSubstr("vocab.json: a (byte 10): duplicate key"));
  folder.file("vocab.json", R"({"a":0,"b":1})");
  EXPECT_THAT(refusal(), HasSubstr("merges.txt: line 1: the merge needs the token \"ab\""));
  for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
           {"", "tokenizer.json"},
           {"[]", "expected an object"},
           {R"({"version":"2.0"})", "version"},
           {"{}", "model: is missing"},
           {R"({"model":{"type":"Telepathy"}})",
            "model.type: the type is not supported; found \"Telepathy\", expected one of BPE, Unigram, Word"},
           {R"({"model":{"type":"BPE","vocab":[],"merges":[]}})", "model.vocab"},
           {R"({"model":{"type":"BPE","vocab":{"\ud800":1},"merges":[]}})", "not valid JSON"}}) {
    folder.file("tokenizer.json", text);
    EXPECT_THAT(refusal(), HasSubstr(part)) << text;
  }
}

TEST(LoadTokenizer, EveryTruncationOfATokenizerJsonIsRefused) {
  const TemporaryFolder folder;
  for (std::size_t size = 0; size < kTokenizer.size(); ++size) {
    folder.file("tokenizer.json", kTokenizer.substr(0, size));
    EXPECT_EQ(error_of([&] { load_tokenizer(folder.path()); }).kind(), ErrorKind::input) << size;
  }
}

TEST(LoadTokenizer, DeeplyNestedPartsAreRefused) {
  const TemporaryFolder folder;
  std::string part, end;
  for (int level = 0; level < 30000; ++level) part += R"({"type":"Sequence","pretokenizers":[)", end += "]}";
  folder.file("tokenizer.json", R"({"pre_tokenizer":)" + part + end + "}");
  EXPECT_THAT(error_of([&] { load_tokenizer(folder.path()); }).message(), HasSubstr("nested deeper"));
}

}  // namespace
}  // namespace headlight
