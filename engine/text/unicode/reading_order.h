// The order of the pieces of a text on a line: the Unicode Bidirectional Algorithm (Standard Annex 9), by FriBidi.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace headlight {

/// In place of a piece that has no direction of its own, such as a special token.
inline constexpr std::string_view kNeutralPiece = "\uFFFC";

/// Of a text that is written piece by piece, several lines long.
struct ReadingLevels {
  std::vector<std::int8_t> of_pieces;  ///< of the first character of each; even: it runs to the right, odd: to the left
  bool runs_left = false;              ///< the text begins with a script that is written from right to left, and so do its lines
};

/// `pieces`: of one paragraph, in the order in which they are read; valid UTF-8, none empty. Latin, Greek, Cyrillic cost next to nothing.
ReadingLevels reading_levels(std::span<const std::string_view> pieces);

/// The pieces of one line from left to right, as places in `levels` (rule L2).
std::vector<std::size_t> order_on_line(std::span<const std::int8_t> levels);

}  // namespace headlight
