// Tokens put together to words of the typed text.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/text/tokenizer.h"

namespace headlight {

/// For each token the number of its word, counted from 0 and never decreasing. Neighbours belong to one word when they share a character
/// (bytes of one, say) or when one word of the text (Unicode word boundaries) has a part in both; so a token that reaches over several
/// words makes them one. Special tokens, and tokens of blanks alone, are words by themselves.
std::vector<std::uint32_t> words_of_tokens(const Encoding& encoding);

}  // namespace headlight
