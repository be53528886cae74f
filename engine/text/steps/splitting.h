// Cutting pieces at delimiters.
#pragma once

#include <string_view>
#include <vector>

#include "engine/text/unicode/aligned_text.h"

namespace headlight {

/// What becomes of the delimiters; names as in tokenizer files. "the-final--countdown" at "-":
///   removed               the final countdown
///   isolated              the - final - - countdown
///   merged_with_previous  the- final- - countdown
///   merged_with_next      the -final - -countdown
///   contiguous            the - final -- countdown
enum class Behavior : std::uint8_t { removed, isolated, merged_with_previous, merged_with_next, contiguous };

/// The pieces of `text`. `delimiters` in order, not overlapping; inverted: what lies between them is the delimiters.
std::vector<Piece> split_at(std::string_view text, const std::vector<ByteRange>& delimiters, Behavior behavior, bool is_inverted = false);

/// Cuts all open pieces at the code points for which is_delimiter(code point) holds.
template <typename IsDelimiter>
void split_at_characters(PieceList& list, IsDelimiter is_delimiter, Behavior behavior) {
  split_pieces(list, [&](std::string_view text) {
    std::vector<ByteRange> delimiters;
    for (std::uint32_t at = 0; at < text.size();) {
      const CodePoint code_point = code_point_at(text, at);
      if (is_delimiter(code_point.value)) delimiters.push_back({at, at + code_point.bytes});
      at += code_point.bytes;
    }
    return split_at(text, delimiters, behavior);
  });
}

}  // namespace headlight
