// How well a vocabulary knows the words of a text: a word that it knows is one token, or few; one that it does not know is spelled.
#pragma once

#include <string>

#include "engine/text/tokenizer.h"

namespace headlight {

/// Counts over the words with at least one letter (Unicode word boundaries). An ending after an apostrophe ('s, n't) does not count: many
/// vocabularies have it apart.
struct Familiarity {
  int words = 0;
  int in_pieces = 0;          ///< words of two or more tokens, or of the unknown token
  int unknown = 0;            ///< of these, words that have the unknown token
  int spelled = 0;            ///< of these, words that fall apart into letters: see is_spelled
  std::string first_spelled;  ///< the first of those, as typed

  /// Over half of the words are unknown; or of three words or more, over half are in pieces.
  bool is_mostly_unknown() const { return 2 * unknown > words || (words >= 3 && 2 * in_pieces > words); }
};

/// A word of `letters` letters and `pieces` tokens falls apart into letters: there are more tokens than letters (bytes of one, say), or as
/// many and three at least, or four and more of at most one and a half letters each. k-il-o is in pieces, h-j-k-l is spelled.
bool is_spelled(int letters, int pieces);

/// Looks at the first `most` tokens of the first text. `is_typing`: the last word may not be finished, and does not count.
Familiarity familiarity_of(const Encoding& encoding, bool is_typing = false, std::size_t most = 512);

}  // namespace headlight
