// SentencePiece's compiled table of replacements ("precompiled_charsmap"): a double-array trie from text to a place in a list of
// replacements. github.com/google/sentencepiece, normalizer.cc; github.com/s-yata/darts-clone for the array.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/unicode/pattern.h"

namespace headlight {

/// Immutable after construction; may be read from any thread.
class Charsmap {
 public:
  /// `blob`: the trie's size in bytes (32 bits, little endian), the trie (32-bit units), the replacements, each ending with a NUL.
  /// Throws Error (input) naming the place when sizes do not fit or the replacements are not UTF-8.
  Charsmap(std::string_view blob, const PatternPlace& place);

  struct Match {
    std::size_t bytes = 0;  ///< of the subject; 0: no rule
    std::string_view replacement;
  };
  Match shortest(std::string_view subject) const;  ///< the rule for the shortest text that `subject` starts with
  Match longest(std::string_view subject) const;

 private:
  template <typename Visit>
  void for_each_rule(std::string_view subject, Visit visit) const;
  std::string_view replacement_at(std::uint32_t place) const;

  std::vector<std::uint32_t> units_;
  std::string replacements_;
};

/// The bytes of a base64 text (RFC 4648, with padding). Throws Error (input) naming the place for anything else.
std::string decode_base64(std::string_view text, const PatternPlace& place);

}  // namespace headlight
