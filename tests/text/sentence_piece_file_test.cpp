#include "engine/text/files/sentence_piece_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/testing.h"
#include "tests/text/sentence_piece_bytes.h"
#include "tests/text/steps.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using testing::piece_field;
using testing::sentence_piece_bytes;
using testing::small_sentence_piece_file;
using testing::tokens_of;

std::string refusal(std::string_view bytes) {
  return error_of([&] { read_sentence_piece_file(bytes, "t.model"); }).message();
}

TEST(SentencePieceFile, IsReadAsItWasWritten) {
  SentencePieceFile written = small_sentence_piece_file();
  written.pieces.push_back({"<sep>", -1.5F, PieceType::user_defined});
  written.algorithm = SentencePieceFile::Algorithm::bpe;
  written.has_byte_fallback = true;
  written.charsmap = std::string("\x01\x02\x00", 3);
  written.removes_extra_blanks = false;
  const SentencePieceFile read = read_sentence_piece_file(sentence_piece_bytes(written), "t.model");
  ASSERT_EQ(read.pieces.size(), written.pieces.size());
  EXPECT_EQ(read.pieces.back().text, "<sep>");
  EXPECT_EQ(read.pieces.back().score, -1.5F);
  EXPECT_EQ(read.pieces.back().type, PieceType::user_defined);
  EXPECT_EQ(read.algorithm, written.algorithm);
  EXPECT_EQ(read.charsmap, written.charsmap);
  EXPECT_TRUE(read.has_byte_fallback);
  EXPECT_FALSE(read.removes_extra_blanks);
  EXPECT_TRUE(read.adds_dummy_prefix);
}

TEST(SentencePieceFile, WhatIsLeftOutHasTheDefaultsOfTheDefinition) {
  const SentencePieceFile read = read_sentence_piece_file(piece_field({"<unk>", 0, PieceType::unknown}), "t.model");
  EXPECT_EQ(read.algorithm, SentencePieceFile::Algorithm::unigram);
  EXPECT_TRUE(read.adds_dummy_prefix && read.removes_extra_blanks && read.escapes_blanks);
  EXPECT_FALSE(read.has_byte_fallback || read.marks_blanks_behind);
}

TEST(SentencePieceFile, EveryTruncationIsRefusedOrHoldsWholePieces) {
  const std::string bytes = sentence_piece_bytes(small_sentence_piece_file());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    try {
      const SentencePieceFile read = read_sentence_piece_file(std::string_view(bytes).substr(0, size), "t.model");
      EXPECT_FALSE(read.pieces.empty());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_THAT(error.message(), HasSubstr("t.model"));
    }
  }
}

TEST(SentencePieceFile, BrokenOnesAreRefusedSayingWhatIsWrong) {
  const std::string unknown = piece_field({"<unk>", 0, PieceType::unknown});
  EXPECT_THAT(refusal(""), HasSubstr("not a SentencePiece model"));
  EXPECT_THAT(refusal("{\"version\": 1}"), HasSubstr("wire type"));
  EXPECT_THAT(refusal(std::string(20, '\xff')), HasSubstr("more than 64 bits"));
  EXPECT_THAT(refusal(piece_field({"a"})), HasSubstr("exactly one unknown piece; found 0"));
  EXPECT_THAT(refusal(unknown + unknown), HasSubstr("exactly one unknown piece; found 2"));
  EXPECT_THAT(refusal(unknown + piece_field({""})), HasSubstr("piece 1 is empty"));
  EXPECT_THAT(refusal(unknown + piece_field({"\xff"})), HasSubstr("piece 1 is not valid UTF-8"));
  EXPECT_THAT(refusal(unknown + piece_field({"a", std::numeric_limits<float>::infinity()})), HasSubstr("a score that is not a number"));
  EXPECT_THAT(refusal(unknown + piece_field({"a", 0, static_cast<PieceType>(9)})), HasSubstr("piece 1 has an unknown type; found 9"));
  EXPECT_THAT(refusal(unknown + testing::bytes_field(2, testing::number_field(3, 7))), HasSubstr("the algorithm is unknown"));
  EXPECT_THAT(refusal(testing::varint(0xA) + testing::varint(1'000'000) + "x"), HasSubstr("the file ends too early; found 1000000 bytes"));
  SentencePieceFile words = small_sentence_piece_file();
  words.algorithm = SentencePieceFile::Algorithm::word;
  std::vector<std::string> warnings;
  EXPECT_THAT(error_of([&] { make_sentence_piece_model(words, warnings); }).message(), HasSubstr("found word, expected unigram or bpe"));
}

std::string normalized(const SentencePieceFile& file, std::string_view text) {
  return make_sentence_piece_normalizer(file)->apply(AlignedText::of(text)).text;
}

TEST(SentencePieceNormalizer, BlanksAreMarkedAndExtraOnesGo) {
  SentencePieceFile file = small_sentence_piece_file();
  EXPECT_EQ(normalized(file, "  the   cat "), "▁the▁cat");
  EXPECT_EQ(normalized(file, "   "), "");
  file.marks_blanks_behind = true;
  EXPECT_EQ(normalized(file, "the cat"), "the▁cat▁");
  file.adds_dummy_prefix = false;
  EXPECT_EQ(normalized(file, "the cat"), "the▁cat");
  file.removes_extra_blanks = false;
  EXPECT_EQ(normalized(file, " the  cat "), "▁the▁▁cat▁");
  file.escapes_blanks = false;
  EXPECT_EQ(normalized(file, " the"), " the");
}

TEST(SentencePieceNormalizer, EveryMarkKnowsTheBlankItStandsFor) {
  const AlignedText text = make_sentence_piece_normalizer(small_sentence_piece_file())->apply(AlignedText::of(" the   cat"));
  EXPECT_EQ(text.origin_of({0, 3}), (ByteRange{1, 2})) << "the mark that was added stands for the first letter";
  EXPECT_EQ(text.origin_of({6, 9}), (ByteRange{4, 5})) << "the first of three blanks";
}

}  // namespace
}  // namespace headlight
