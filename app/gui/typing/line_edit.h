// Editing one line: where the caret goes, and what a key takes away. Values in, values out; TextLine says where characters are.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "app/gui/kit/shaping/text_line.h"

namespace headlight {

/// What is selected lies between the two; the caret moves, the anchor stays.
struct LineEdit {
  std::size_t caret = 0, anchor = 0;  ///< bytes
  std::size_t begin() const { return std::min(caret, anchor); }
  std::size_t end() const { return std::max(caret, anchor); }
  bool has_selection() const { return caret != anchor; }
  bool operator==(const LineEdit&) const = default;
};

enum class CaretStep : std::uint8_t { left, right, word_left, word_right, start, end };

/// `extends`: the selection grows or shrinks; else a step to the left or right from a selection goes to its edge on that side.
LineEdit moved(const LineEdit& edit, const TextLine& line, CaretStep step, bool extends);

enum class Erased : std::uint8_t { character_before, character_after, word_before, word_after };

/// Takes away what is selected, else what is said. `line` is the line of `text`.
LineEdit erase(const LineEdit& edit, const TextLine& line, Erased what, std::string& text);

/// Puts `added` in the place of what is selected, the caret after it.
LineEdit insert(const LineEdit& edit, std::string_view added, std::string& text);

/// A text from outside as a line holds it: repaired, line breaks as ↵, without control characters.
std::string line_of(std::string_view text);

/// The longest beginning of a line of at most so many characters, as people count them.
std::string_view first_characters(std::string_view line, std::size_t most);

}  // namespace headlight
