#include "engine/text/label.h"

#include <gtest/gtest.h>

namespace headlight {
namespace {

std::string shown(std::string_view token, LabelScheme scheme) {
  const TokenLabel label = make_label(token, scheme);
  return (label.has_leading_blank ? "_" : "") + label.text;
}

TEST(Label, ByteLevelMarksBecomeWhatWasTyped) {
  EXPECT_EQ(shown("Ġanimal", LabelScheme::byte_level), "_animal");
  EXPECT_EQ(shown("'t", LabelScheme::byte_level), "'t");
  EXPECT_EQ(shown("ĠnaÃ¯ve", LabelScheme::byte_level), "_naïve");
  EXPECT_EQ(shown("ĠnaÃ", LabelScheme::byte_level), "_na\\xc3");                    // half a character
  EXPECT_EQ(shown("<|endoftext|>Ġ ", LabelScheme::byte_level), "<|endoftext|>Ġ␣");  // not in the alphabet: as it is
}

TEST(Label, BlanksThatAreATokenAreVisible) {
  EXPECT_EQ(shown("Ġ", LabelScheme::byte_level), "␣");
  EXPECT_EQ(shown("ĠĠĠ", LabelScheme::byte_level), "␣␣␣");
  EXPECT_EQ(shown("ĊĊ", LabelScheme::byte_level), "↵↵");
  EXPECT_EQ(shown("ĠĠx", LabelScheme::byte_level), "_␣x");
  EXPECT_EQ(shown("ĉč", LabelScheme::byte_level), "⇥␍");
}

TEST(Label, MetaspaceIsABlank) {
  EXPECT_EQ(shown("▁the", LabelScheme::metaspace), "_the");
  EXPECT_EQ(shown("▁a▁b", LabelScheme::metaspace), "_a b");
  EXPECT_EQ(shown("▁", LabelScheme::metaspace), "␣");
}

TEST(Label, ControlsAndBidiMarksAreEscaped) {
  EXPECT_EQ(shown("a\x1b[31m", LabelScheme::plain), "a\\x1b[31m");
  EXPECT_EQ(shown("\u202eabc", LabelScheme::plain), "U+202Eabc");
}

/// A tokenizer that has no more than labels.
std::string shown_in(const std::string& text, std::string_view token, ByteRange bytes, LabelScheme scheme = LabelScheme::byte_level) {
  struct Labels final : Tokenizer {
    explicit Labels(LabelScheme given) : scheme(given) {}
    Encoding encode(std::string_view, std::optional<std::string_view>, EncodeOptions) const override { return {}; }
    std::string decode(std::span<const std::int64_t>, bool) const override { return {}; }
    std::optional<std::string> token_of(std::int64_t) const override { return {}; }
    TokenLabel label(const Token& each) const override { return make_label(each.text, scheme); }
    std::string description() const override { return {}; }
    const std::vector<std::string>& warnings() const override { return none; }
    LabelScheme scheme;
    std::vector<std::string> none;
  };
  Token known;
  known.text = token;
  known.bytes = bytes;
  const TokenLabel label = label_in_text(Labels(scheme), Encoding{text, {}, {known}, {}}, known);
  return (label.has_leading_blank ? "_" : "") + label.text;
}

TEST(Label, BytesOfACharacterShowTheCharacter) {
  EXPECT_EQ(shown_in("€", "âĤ", {0, 3}), "E2 82 of €");
  EXPECT_EQ(shown_in("€", "¬", {0, 3}), "AC of €");
  EXPECT_EQ(shown_in("a €", "Ġâ", {1, 5}), "_E2 of €");
  EXPECT_EQ(shown_in("na€", "naâĤ", {0, 5}), "na E2 82 of €");
  EXPECT_EQ(shown_in("€s", "¬s", {0, 4}), "AC of € s");
  EXPECT_EQ(shown_in("שלום", "×", {0, 2}), "D7 of ש");
  EXPECT_EQ(shown_in("€", "<0xE2>", {0, 3}, LabelScheme::metaspace), "E2 of €") << "byte fallback";
}

TEST(Label, WholeCharactersAndBytesWithoutATextStayAsTheyAre) {
  EXPECT_EQ(shown_in("naïve", "naÃ¯ve", {0, 6}), "naïve");
  EXPECT_EQ(shown_in("a", "<0x0A>", {0, 1}, LabelScheme::metaspace), "<0x0A>") << "a byte that is a character";
  EXPECT_EQ(shown_in("", "âĤ", {0, 0}), "\\xe2\\x82");
}

TEST(Label, OfNothingIsEmpty) {
  EXPECT_EQ(shown("", LabelScheme::byte_level), "");
}

}  // namespace
}  // namespace headlight
