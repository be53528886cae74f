// Folders without a tokenizer.json. The orders of ids and the special tokens are those of Hugging Face's tokenizer classes
// (github.com/huggingface/transformers, tokenization_*.py); the files are written here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/text/files/load_tokenizer.h"
#include "engine/text/tokenizer.h"
#include "tests/testing.h"
#include "tests/text/sentence_piece_bytes.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using testing::sentence_piece_bytes;
using testing::small_sentence_piece_file;
using testing::TemporaryFolder;

std::vector<std::string> texts(const Encoding& encoding) {
  std::vector<std::string> result;
  for (const Token& token : encoding.tokens) result.push_back(token.text);
  return result;
}
std::vector<std::int64_t> ids(const Encoding& encoding) {
  std::vector<std::int64_t> result;
  for (const Token& token : encoding.tokens) result.push_back(token.id);
  return result;
}
std::vector<int> type_ids(const Encoding& encoding) {
  std::vector<int> result;
  for (const Token& token : encoding.tokens) result.push_back(token.type_id);
  return result;
}

const std::string kVocabTxt = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\n##s\nThe\né\ne\n中\n";

TEST(VocabTxt, IsBertsWithItsSpecialTokens) {
  const TemporaryFolder folder;
  folder.file("vocab.txt", kVocabTxt);
  const auto tokenizer = load_tokenizer(folder.path());
  EXPECT_EQ(tokenizer->description(), "WordPiece, 12 tokens");
  EXPECT_THAT(texts(tokenizer->encode("The cats, É", std::nullopt)), ElementsAre("[CLS]", "the", "cat", "##s", "[UNK]", "e", "[SEP]"));
  const Encoding pair = tokenizer->encode("the", "cat [MASK]");
  EXPECT_THAT(ids(pair), ElementsAre(2, 5, 3, 6, 4, 3));
  EXPECT_THAT(type_ids(pair), ElementsAre(0, 0, 0, 1, 1, 1));
  EXPECT_EQ(tokenizer->decode(std::vector<std::int64_t>{2, 5, 6, 7, 3}), "the cats");
}

TEST(VocabTxt, FollowsTokenizerConfig) {
  const TemporaryFolder folder;
  folder.file("vocab.txt", kVocabTxt);
  folder.file("tokenizer_config.json", R"({"do_lower_case":false,"tokenize_chinese_chars":false})");
  EXPECT_THAT(texts(load_tokenizer(folder.path())->encode("The é 中", std::nullopt)), ElementsAre("[CLS]", "The", "é", "中", "[SEP]"));
  EXPECT_THAT(texts(load_tokenizer(folder.path())->encode("the中", std::nullopt)), ElementsAre("[CLS]", "[UNK]", "[SEP]"));
  folder.file("tokenizer_config.json", R"({"strip_accents":false,"cls_token":{"content":"cat"}})");
  EXPECT_THAT(texts(load_tokenizer(folder.path())->encode("THE É", std::nullopt)), ElementsAre("cat", "the", "é", "[SEP]"));
}

TEST(VocabTxt, CarriageReturnsAndAMarkAreSkippedEmptyLinesKeepTheirPlace) {
  const TemporaryFolder folder;
  folder.file("vocab.txt", "\xef\xbb\xbf[UNK]\r\n[CLS]\r\n\r\n[SEP]\r\nthe\r\n");
  const auto tokenizer = load_tokenizer(folder.path());
  EXPECT_THAT(ids(tokenizer->encode("the", std::nullopt)), ElementsAre(1, 4, 3));
  ASSERT_EQ(tokenizer->warnings().size(), 2U);
  EXPECT_THAT(tokenizer->warnings()[1], HasSubstr("1 line is empty"));
}

TEST(VocabTxt, MistakesAreRefusedNamingTheLine) {
  const TemporaryFolder folder;
  const auto refusal = [&](std::string_view bytes) {
    folder.file("vocab.txt", bytes);
    return error_of([&] { load_tokenizer(folder.path()); }).message();
  };
  EXPECT_THAT(refusal(""), HasSubstr("vocab.txt: the vocabulary is empty"));
  EXPECT_THAT(refusal("[UNK]\n\xff\n"), HasSubstr("vocab.txt: line 2 (byte 6): the token is not valid UTF-8"));
  EXPECT_THAT(refusal("[UNK]\na\na\n"), HasSubstr("line 3 (byte 8): the token is already in line 2"));
  EXPECT_THAT(refusal(std::string_view("a\0b\n", 4)), HasSubstr("NUL"));
  EXPECT_THAT(refusal("[CLS]\n[SEP]\n"), HasSubstr("the unknown token is not in the vocabulary; found \"[UNK]\""));
  EXPECT_THAT(refusal("[UNK]\n[SEP]\n"), HasSubstr("cls_token: the special token is not in the vocabulary; found \"[CLS]\""));
  folder.file("tokenizer_config.json", "[]");
  EXPECT_THAT(refusal(kVocabTxt), HasSubstr("tokenizer_config.json"));
}

const std::string kRobertaVocab = R"({"<s>":0,"<pad>":1,"</s>":2,"<unk>":3,"a":4,"b":5,"Ġ":6,"ab":7,"<mask>":8})";

TEST(VocabAndMerges, RobertasSpecialTokensAreRecognised) {
  const TemporaryFolder folder;
  folder.file("vocab.json", kRobertaVocab);
  folder.file("merges.txt", "#version: 0.2\na b\n");
  const auto tokenizer = load_tokenizer(folder.path());
  EXPECT_THAT(texts(tokenizer->encode("ab <mask>", "b")), ElementsAre("<s>", "ab", "<mask>", "</s>", "</s>", "b", "</s>"));
  EXPECT_THAT(type_ids(tokenizer->encode("ab", "b")), ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_EQ(tokenizer->encode("ab <mask>", std::nullopt).tokens[2].bytes, (ByteRange{3, 9})) << "the blank that <mask> takes is trimmed";
}

TEST(VocabAndMerges, OptPutsItsEndBeforeTheText) {
  const TemporaryFolder folder;
  folder.file("vocab.json", kRobertaVocab);
  folder.file("merges.txt", "a b\n");
  folder.file("config.json", R"({"model_type":"opt"})");
  EXPECT_THAT(texts(load_tokenizer(folder.path())->encode("ab", std::nullopt)), ElementsAre("</s>", "ab"));
  folder.file("config.json", "{}");
  folder.file("tokenizer_config.json", R"({"tokenizer_class":"GPT2Tokenizer","add_bos_token":true,"bos_token":"</s>"})");
  EXPECT_THAT(texts(load_tokenizer(folder.path())->encode("ab", std::nullopt)), ElementsAre("</s>", "ab"));
}

TEST(VocabAndMerges, QwenCutsEveryDigitAndComposes) {
  const TemporaryFolder folder;
  folder.file("vocab.json", R"({"1":0,"2":1,"12":2,"Ã":3,"©":4,"Ã©":5,"<|im_start|>":6})");
  folder.file("merges.txt", "1 2\nÃ ©\n");
  const std::string e = "e\u0301";
  folder.file("tokenizer_config.json",
              R"({"tokenizer_class":"Qwen2Tokenizer","added_tokens_decoder":{"6":{"content":"<|im_start|>","special":true}}})");
  EXPECT_THAT(texts(load_tokenizer(folder.path())->encode("12<|im_start|>" + e, std::nullopt)),
              ElementsAre("1", "2", "<|im_start|>", "Ã©"));
}

TEST(SentencePieceFolder, T5EndsEachTextAndHasSentinels) {
  const TemporaryFolder folder;
  folder.file("spiece.model", sentence_piece_bytes(small_sentence_piece_file()));
  folder.file("config.json", R"({"model_type":"t5"})");
  const auto tokenizer = load_tokenizer(folder.path());
  EXPECT_THAT(texts(tokenizer->encode("the cat", "cat")), ElementsAre("▁the", "▁cat", "</s>", "▁cat", "</s>"));
  EXPECT_EQ(tokenizer->token_of(11 + 99), "<extra_id_0>");
  EXPECT_EQ(tokenizer->token_of(11), "<extra_id_99>");
  EXPECT_THAT(ids(tokenizer->encode("the<extra_id_1>", std::nullopt)), ElementsAre(3, 109, 2));
  EXPECT_EQ(tokenizer->decode(std::vector<std::int64_t>{3, 4, 2}), "the cat");
}

TEST(SentencePieceFolder, LlamaStartsEachText) {
  const TemporaryFolder folder;
  folder.file("tokenizer.model", sentence_piece_bytes(small_sentence_piece_file()));
  folder.file("tokenizer_config.json", R"({"tokenizer_class":"LlamaTokenizer"})");
  EXPECT_THAT(texts(load_tokenizer(folder.path())->encode("the", "cat")), ElementsAre("<s>", "▁the", "<s>", "▁cat"));
  EXPECT_THAT(type_ids(load_tokenizer(folder.path())->encode("the", "cat")), ElementsAre(0, 0, 1, 1));
  folder.file("tokenizer_config.json", R"({"tokenizer_class":"LlamaTokenizer","add_bos_token":false,"add_eos_token":true})");
  EXPECT_THAT(texts(load_tokenizer(folder.path())->encode("the", std::nullopt)), ElementsAre("▁the", "</s>"));
}

TEST(SentencePieceFolder, XlmRobertaHasFairseqsOrder) {
  const TemporaryFolder folder;
  folder.file("sentencepiece.bpe.model", sentence_piece_bytes(small_sentence_piece_file()));
  folder.file("config.json", R"({"model_type":"xlm-roberta"})");
  const auto tokenizer = load_tokenizer(folder.path());
  EXPECT_THAT(ids(tokenizer->encode("the ü<mask>", std::nullopt)), ElementsAre(0, 4, 6, 3, 12, 2));
  EXPECT_THAT(texts(tokenizer->encode("the", "cat")), ElementsAre("<s>", "▁the", "</s>", "</s>", "▁cat", "</s>"));
  EXPECT_EQ(tokenizer->token_of(1), "<pad>");
}

TEST(SentencePieceFolder, CamembertKeepsFourIdsBefore) {
  const TemporaryFolder folder;
  folder.file("sentencepiece.bpe.model", sentence_piece_bytes(small_sentence_piece_file()));
  folder.file("config.json", R"({"model_type":"camembert"})");
  EXPECT_THAT(ids(load_tokenizer(folder.path())->encode("the ü", std::nullopt)), ElementsAre(5, 7, 9, 3, 6));
}

TEST(SentencePieceFolder, AlbertCleansAndSurroundsAsBert) {
  SentencePieceFile file = small_sentence_piece_file();
  file.pieces[1].text = "[CLS]";
  file.pieces[2].text = "[SEP]";
  const TemporaryFolder folder;
  folder.file("spiece.model", sentence_piece_bytes(file));
  folder.file("config.json", R"({"model_type":"albert"})");
  EXPECT_THAT(texts(load_tokenizer(folder.path())->encode("THÉ", "cat")), ElementsAre("[CLS]", "▁the", "[SEP]", "▁cat", "[SEP]"));
}

TEST(SentencePieceFolder, AnUnknownFamilyAddsNothingUnlessAsked) {
  const TemporaryFolder folder;
  folder.file("my.model", sentence_piece_bytes(small_sentence_piece_file()));
  EXPECT_THAT(texts(load_tokenizer(folder.path())->encode("the <s>", std::nullopt)), ElementsAre("▁the", "<s>"));
}

TEST(MarianFolder, EitherSideHasItsOwnPiecesAndOneNumbering) {
  SentencePieceFile target = small_sentence_piece_file();
  target.pieces = {{"<unk>", 0, PieceType::unknown}, {"▁le", -1}, {"▁chat", -1}, {"▁", -3}};
  const TemporaryFolder folder;
  folder.file("source.spm", sentence_piece_bytes(small_sentence_piece_file()));
  folder.file("target.spm", sentence_piece_bytes(target));
  folder.file("vocab.json", R"({"</s>":0,"<unk>":1,"▁cat":2,"▁the":3,"▁le":4,"▁chat":5,"▁":6,">>fr<<":7,"<pad>":8})");
  const auto tokenizer = load_tokenizer(folder.path());
  EXPECT_THAT(ids(tokenizer->encode(">>fr<<the cat", std::nullopt)), ElementsAre(7, 3, 2, 0));
  EXPECT_THAT(ids(tokenizer->encode("the ta", std::nullopt)), ElementsAre(3, 6, 1, 1, 0)) << "pieces without a number";
  const EncodeOptions decoder = {.adds_special = false, .is_target = true};
  EXPECT_THAT(ids(tokenizer->encode("le chat", std::nullopt, decoder)), ElementsAre(4, 5));
  EXPECT_EQ(tokenizer->decode(std::vector<std::int64_t>{4, 5, 0}), "le chat");
  folder.file("vocab.json", R"({"</s>":0})");
  EXPECT_THAT(error_of([&] { load_tokenizer(folder.path()); }).message(),
              HasSubstr("unk_token: the special token is not in the vocabulary"));
}

TEST(FolderSettings, AddedTokensOfEveryFileAreFound) {
  const TemporaryFolder folder;
  folder.file("vocab.txt", kVocabTxt);
  folder.file("added_tokens.json", R"({"new":12})");
  folder.file("special_tokens_map.json", R"({"additional_special_tokens":["cat"],"mask_token":{"content":"[MASK]","lstrip":true}})");
  folder.file("tokenizer_config.json", R"({"added_tokens_decoder":{"13":{"content":"<x>","special":true}}})");
  const auto tokenizer = load_tokenizer(folder.path());
  const Encoding encoding = tokenizer->encode("new <x> [MASK]cat", std::nullopt);
  EXPECT_THAT(ids(encoding), ElementsAre(2, 12, 13, 4, 6, 3));
  EXPECT_EQ(encoding.tokens[3].bytes, (ByteRange{7, 14}));
  folder.file("tokenizer_config.json", R"({"added_tokens_decoder":{"x":{"content":"<x>"}}})");
  EXPECT_THAT(error_of([&] { load_tokenizer(folder.path()); }).message(), HasSubstr("added_tokens_decoder.x: the id is wrong"));
}

}  // namespace
}  // namespace headlight
