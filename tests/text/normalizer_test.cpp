#include "engine/text/steps/normalizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing.h"
#include "tests/text/steps.h"

namespace headlight {
namespace {

using testing::error_of;
using ::testing::HasSubstr;
using testing::json_of;

AlignedText normalized(const std::string& json, std::string_view text) {
  return make_normalizer(json_of(json), "tokenizer.json", "normalizer")->apply(AlignedText::of(text));
}
std::string text_of(const std::string& json, std::string_view text) {
  return normalized(json, text).text;
}

/// "begin-end" of the typed bytes behind each character.
std::string origins(const AlignedText& text) {
  std::string result;
  for (std::size_t at = 0; at < text.text.size(); at += code_point_at(text.text, at).bytes) {
    result += (at == 0 ? "" : " ") + std::to_string(text.origin[at].begin) + "-" + std::to_string(text.origin[at].end);
  }
  return result;
}

TEST(Normalizer, NullIsNone) {
  EXPECT_EQ(make_normalizer(Json(), "tokenizer.json", "normalizer"), nullptr);
}

TEST(Normalizer, UnicodeFormsAreThoseOfAnnex15) {
  const std::string nfc = R"({"type":"NFC"})", nfd = R"({"type":"NFD"})", nfkc = R"({"type":"NFKC"})", nfkd = R"({"type":"NFKD"})";
  EXPECT_EQ(text_of(nfd, "é"), "e\u0301");
  EXPECT_EQ(text_of(nfc, "e\u0301"), "é");
  EXPECT_EQ(text_of(nfc, "a\u0315\u0300\u05ae\u0300b"), "à\u05ae\u0300\u0315b");  // from NormalizationTest.txt
  EXPECT_EQ(text_of(nfd, "\u1e9b\u0323"), "\u017f\u0323\u0307");                  // the annex's own example, figure 6
  EXPECT_EQ(text_of(nfc, "\u1e9b\u0323"), "\u1e9b\u0323");
  EXPECT_EQ(text_of(nfkd, "\u1e9b\u0323"), "s\u0323\u0307");
  EXPECT_EQ(text_of(nfkc, "\u1e9b\u0323"), "\u1e69");
  EXPECT_EQ(text_of(nfc, "\u1112\u1161\u11ab"), "한");
  EXPECT_EQ(text_of(nfd, "한"), "\u1112\u1161\u11ab");
  EXPECT_EQ(text_of(nfc, "\u2126\u0958"), "Ω\u0915\u093c");  // a singleton, and a composition exclusion
  EXPECT_EQ(text_of(nfkc, "ﬁ①Å"), "fi1Å");
  EXPECT_EQ(text_of(nfkd, "\ufdfa").size(), 33U);  // the longest decomposition: 18 characters
  for (const std::string& form : {nfc, nfd, nfkc, nfkd}) EXPECT_EQ(text_of(form, ""), "");
}

TEST(Normalizer, FormsKeepTrackOfWhatWasTyped) {
  EXPECT_EQ(origins(normalized(R"({"type":"NFD"})", "xéy")), "0-1 1-3 1-3 3-4");
  EXPECT_EQ(origins(normalized(R"({"type":"NFC"})", "xe\u0301y")), "0-1 1-2 4-5");
  EXPECT_EQ(origins(normalized(R"({"type":"NFKC"})", "ﬁ")), "0-3 0-3");
  EXPECT_EQ(origins(normalized(R"({"type":"NFC"})", "é")), "0-2");
}

TEST(Normalizer, LowercaseGoesCharacterByCharacter) {
  const AlignedText lower = normalized(R"({"type":"Lowercase"})", "ÀΣİx");
  EXPECT_EQ(lower.text, "àσi\u0307x");
  EXPECT_EQ(origins(lower), "0-2 2-4 4-6 4-6 6-7");
}

TEST(Normalizer, StripAccentsTakesMarksOut) {
  const AlignedText plain = normalized(R"({"type":"Sequence","normalizers":[{"type":"NFKD"},{"type":"StripAccents"}]})", "llamó ậ…");
  EXPECT_EQ(plain.text, "llamo a...");
  EXPECT_EQ(origins(plain), "0-1 1-2 2-3 3-4 4-6 6-7 7-10 10-13 10-13 10-13");
}

TEST(Normalizer, StripTakesBlanksFromTheSidesAskedFor) {
  EXPECT_EQ(text_of(R"({"type":"Strip","strip_left":true,"strip_right":true})", " \n a b\u3000"), "a b");
  EXPECT_EQ(text_of(R"({"type":"Strip","strip_left":true,"strip_right":false})", "  a  "), "a  ");
  EXPECT_EQ(text_of(R"({"type":"Strip","strip_left":false,"strip_right":true})", "  a  "), "  a");
  EXPECT_EQ(text_of(R"({"type":"Strip","strip_left":true,"strip_right":true})", "   "), "");
  EXPECT_EQ(text_of(R"({"type":"Strip","strip_left":false,"strip_right":true})", "   "), "");
}

TEST(Normalizer, PrependStandsForTheFirstCharacter) {
  const AlignedText text = normalized(R"({"type":"Prepend","prepend":"▁"})", "Hey");
  EXPECT_EQ(text.text, "▁Hey");
  EXPECT_EQ(origins(text), "0-1 0-1 1-2 2-3");
  EXPECT_EQ(text_of(R"({"type":"Prepend","prepend":"▁"})", ""), "");
}

TEST(Normalizer, ReplaceStandsForWhatItReplaced) {
  const AlignedText text = normalized(R"({"type":"Replace","pattern":{"String":"''"},"content":"\""})", "a''b");
  EXPECT_EQ(text.text, "a\"b");
  EXPECT_EQ(origins(text), "0-1 2-3 3-4");
  EXPECT_EQ(text_of(R"({"type":"Replace","pattern":{"Regex":" {2,}"},"content":" "})", "a   b c"), "a b c");
  EXPECT_EQ(text_of(R"({"type":"Replace","pattern":{"String":"x"},"content":""})", "axbx"), "ab");
}

TEST(Normalizer, AChainThatMultipliesATextIsStopped) {
  std::string chain = R"({"type":"Sequence","normalizers":[)";
  for (int step = 0; step < 12; ++step)
    chain += std::string(step == 0 ? "" : ",") + R"({"type":"Replace","pattern":{"String":"a"},"content":"aaaaaaaaaa"})";
  const std::string message = error_of([&] { normalized(chain + "]}", "a"); }).message();
  EXPECT_THAT(message, HasSubstr("tokenizer.json: normalizer.normalizers["));
  EXPECT_THAT(message, HasSubstr("too long"));
}

TEST(Normalizer, AnUnknownTypeIsRefusedWithThoseThatAreSupported) {
  const std::string json = R"({"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Rot13"}]})";
  const std::string message = error_of([&] { make_normalizer(json_of(json), "tokenizer.json", "normalizer"); }).message();
  EXPECT_THAT(message, HasSubstr("tokenizer.json: normalizer.normalizers[1].type: the type is not supported; found \"Rot13\""));
  EXPECT_THAT(message, HasSubstr("one of BertNormalizer, ByteLevel, Lowercase, NFC,"));
}

}  // namespace
}  // namespace headlight
