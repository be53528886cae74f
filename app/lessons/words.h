// The words of a step: plain text with marks. *deposit* is strong, `softmax(S)` a formula as the window writes them ("_Q" low, "^T" high),
// {weight 2.1 follow horse} a live number, *{top 2.1 follow}* a strong one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/numbers/live_number.h"

namespace headlight {

enum class WordsKind : std::uint8_t { plain, strong, formula, number };

struct WordsPart {
  WordsKind kind = WordsKind::plain;
  std::string text = {};   ///< without its marks
  LiveNumber number = {};  ///< of WordsKind::number
  bool is_strong = false;  ///< likewise
};

struct Paragraph {
  int line = 1;  ///< of its file
  std::vector<WordsPart> parts = {};
};

/// Throws Error (usage): a mark without its partner, an invalid live number.
Paragraph parse_words(std::string_view text, int line = 1);

}  // namespace headlight
