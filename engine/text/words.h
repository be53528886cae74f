// Tokens put together to words of the typed text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/text/tokenizer.h"

namespace headlight {

/// For each token the number of its word, counted from 0 and never decreasing. Neighbours belong to one word when they share a character
/// (bytes of one, say) or when one word of the text (Unicode word boundaries) has a part in both; so a token that reaches over several
/// words makes them one. Special tokens, and tokens of blanks alone, are words by themselves.
std::vector<std::uint32_t> words_of_tokens(const Encoding& encoding);

/// Neighbouring tokens: the first and one past the last.
struct TokenRange {
  int begin = 0, end = 0;
  bool operator==(const TokenRange&) const = default;
};
/// The tokens of a word, or of several with their blanks, where they stand in the text for the `occurrence`-th time, counted from 1, on their
/// own: "I" is not the beginning of "It". Nothing where the text has no such word, or its tokens were cut off.
std::optional<TokenRange> tokens_of_word(const Encoding& encoding, std::string_view word, int occurrence = 1);

}  // namespace headlight
