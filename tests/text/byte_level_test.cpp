#include "engine/text/unicode/byte_level.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace headlight {
namespace {

using ::testing::ElementsAre;

TEST(ByteLevel, EveryByteHasItsOwnVisibleCharacterAndComesBack) {
  std::set<std::string_view> characters;
  for (int byte = 0; byte < 256; ++byte) {
    const std::string_view character = byte_to_character(static_cast<unsigned char>(byte));
    EXPECT_EQ(characters_to_bytes(character), std::string(1, static_cast<char>(byte)));
    characters.insert(character);
  }
  EXPECT_EQ(characters.size(), 256U);
}

// From the published vocabulary: "!" is 0x21, "¡" 0xA1, "Ā" 0x00, "Ġ" 0x20, "Ċ" 0x0A, "Ń" 0xAD.
TEST(ByteLevel, IsTheAlphabetOfGpt2) {
  EXPECT_EQ(byte_to_character('!'), "!");
  EXPECT_EQ(byte_to_character(0xA1), "¡");
  EXPECT_EQ(byte_to_character(0x00), "Ā");
  EXPECT_EQ(byte_to_character(' '), "Ġ");
  EXPECT_EQ(byte_to_character('\n'), "Ċ");
  EXPECT_EQ(byte_to_character(0xAD), "Ń");
}

TEST(ByteLevel, ACharacterOutsideTheAlphabetHasNoBytes) {
  EXPECT_EQ(characters_to_bytes("a b"), std::nullopt);
  EXPECT_EQ(characters_to_bytes("▁"), std::nullopt);
  EXPECT_EQ(characters_to_bytes("\xc5\x84"), std::nullopt);  // U+0144, one past the last
}

TEST(ByteLevel, BytesOfACharacterStandForTheWholeCharacter) {
  AlignedText into;
  append_byte_level(AlignedText::of("x é"), {1, 4}, into);
  EXPECT_EQ(into.text, "ĠÃ©");
  EXPECT_THAT(into.origin,
              ElementsAre(ByteRange{1, 2}, ByteRange{1, 2}, ByteRange{2, 4}, ByteRange{2, 4}, ByteRange{2, 4}, ByteRange{2, 4}));
}

}  // namespace
}  // namespace headlight
