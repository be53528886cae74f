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

TEST(Label, OfNothingIsEmpty) {
  EXPECT_EQ(shown("", LabelScheme::byte_level), "");
}

}  // namespace
}  // namespace headlight
