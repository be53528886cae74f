// UTF-8 as it comes from people and files: repaired, counted, cut at word boundaries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

struct RepairedText {
  std::string text;          ///< valid UTF-8
  std::size_t replaced = 0;  ///< how many broken sequences became U+FFFD
};

/// Replaces every maximal broken subpart by one U+FFFD (Unicode 15, section 3.9, "substitution of maximal subparts").
RepairedText repair_utf8(std::string_view bytes);

/// A piece of a text, as bytes [begin, end).
struct ByteRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool operator==(const ByteRange&) const = default;
};

/// Words by the default word boundaries of Unicode Standard Annex 29; pieces of blanks only are left out. `text` must be valid UTF-8.
std::vector<ByteRange> split_words(std::string_view text);

/// What a person takes for single characters: extended grapheme clusters of Unicode Standard Annex 29. `text` must be valid UTF-8.
std::vector<ByteRange> graphemes_of(std::string_view text);

/// For every byte offset 0…text.size() how many code points start before it: turns byte ranges into code point ranges.
std::vector<std::uint32_t> code_point_index(std::string_view text);

/// One code point of a valid text, and how many bytes it takes.
struct CodePoint {
  char32_t value = 0;
  std::uint32_t bytes = 0;
};
CodePoint code_point_at(std::string_view text, std::size_t at);  ///< `at` must be where a code point starts
void append_utf8(std::string& text, char32_t value);

/// Unicode's White_Space property.
bool is_white_space(char32_t value);

}  // namespace headlight
