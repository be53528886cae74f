// Which keys of a text are meant, in words that fit every text: the first token, special tokens, punctuation, positions, ids.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/tokenizer.h"

namespace headlight {

/// Written as "first-token", "special", "punctuation", "3" (a position), "#50256" (a token id), or several of these joined by +.
struct KeySet {
  std::vector<std::int64_t> positions = {};  ///< 0 is "first-token"
  std::vector<std::int64_t> ids = {};
  bool has_special = false;      ///< that the tokenizer added, or that a person typed as such
  bool has_punctuation = false;  ///< tokens without a letter or a digit, blanks aside

  bool is_empty() const { return positions.empty() && ids.empty() && !has_special && !has_punctuation; }
  bool operator==(const KeySet&) const = default;
};

/// Commas do for +, and the words of the window for those of the text: "first token, special tokens". Throws Error (usage) naming the part that it does not understand.
KeySet parse_key_set(std::string_view text);
/// In one spelling: parse_key_set(key_set_text(set)) == set.
std::string key_set_text(const KeySet& keys);

/// The positions that the set has in this text, in rising order.
std::vector<std::int64_t> keys_of_text(const KeySet& keys, const std::vector<Token>& tokens);

}  // namespace headlight
