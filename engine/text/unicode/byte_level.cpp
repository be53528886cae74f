#include "engine/text/unicode/byte_level.h"

#include <array>
#include <cstdint>

namespace headlight {
namespace {

struct Alphabet {
  std::array<char16_t, 256> character_of = {};
  std::array<std::int16_t, 0x144> byte_of = {};  // -1: not in the alphabet
};

// Visible Latin-1 characters stand for themselves, the other bytes are numbered from U+0100 on.
constexpr Alphabet make_alphabet() {
  Alphabet alphabet;
  for (std::int16_t& byte : alphabet.byte_of) byte = -1;
  char16_t next = 0x100;
  for (int byte = 0; byte < 256; ++byte) {
    const bool is_visible = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
    const char16_t character = is_visible ? static_cast<char16_t>(byte) : next++;
    alphabet.character_of[static_cast<std::size_t>(byte)] = character;
    alphabet.byte_of[character] = static_cast<std::int16_t>(byte);
  }
  return alphabet;
}
constexpr Alphabet kAlphabet = make_alphabet();

/// All characters lie below U+0800: one or two bytes of UTF-8 each.
struct Utf8 {
  std::array<char, 2> bytes = {};
  std::size_t size = 0;
};
constexpr std::array<Utf8, 256> make_utf8() {
  std::array<Utf8, 256> result = {};
  for (std::size_t byte = 0; byte < result.size(); ++byte) {
    const unsigned value = kAlphabet.character_of[byte];
    result[byte] = value < 0x80 ? Utf8{{static_cast<char>(value)}, 1}
                                : Utf8{{static_cast<char>(0xC0U | (value >> 6U)), static_cast<char>(0x80U | (value & 0x3FU))}, 2};
  }
  return result;
}
constexpr std::array<Utf8, 256> kUtf8 = make_utf8();

}  // namespace

std::string_view byte_to_character(unsigned char byte) {
  return {kUtf8[byte].bytes.data(), kUtf8[byte].size};
}

std::optional<std::string> characters_to_bytes(std::string_view token) {
  std::string bytes;
  for (std::size_t at = 0; at < token.size();) {
    const CodePoint code_point = code_point_at(token, at);
    if (code_point.value >= kAlphabet.byte_of.size() || kAlphabet.byte_of[code_point.value] < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(static_cast<unsigned char>(kAlphabet.byte_of[code_point.value])));
    at += code_point.bytes;
  }
  return bytes;
}

void append_byte_level(const AlignedText& text, ByteRange range, AlignedText& into) {
  for (std::uint32_t at = range.begin; at < range.end; ++at) {
    into.append(byte_to_character(static_cast<unsigned char>(text.text[at])), text.origin[at]);
  }
}

}  // namespace headlight
