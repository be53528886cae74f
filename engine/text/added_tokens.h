// Tokens that are found as text before anything else happens: <|endoftext|>, [MASK], and words that were added to a vocabulary.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/text/aligned_text.h"
#include "engine/text/byte_trie.h"
#include "engine/text/normalizer.h"
#include "engine/text/vocabulary.h"

namespace headlight {

struct AddedToken {
  std::int64_t id = 0;
  std::string content;
  bool is_single_word = false;  ///< not inside a word
  bool strips_left = false;     ///< takes the blanks on its left with it
  bool strips_right = false;
  bool is_normalized = false;  ///< looked for in the normalized text, in its own normalized form
  bool is_special = false;
  std::string searched = {};  ///< what is looked for, and what decoders start from: the content, normalized where is_normalized says so
};

/// Immutable after construction; split may be called from any thread.
class AddedTokens {
 public:
  AddedTokens() = default;
  AddedTokens(std::vector<AddedToken> tokens, const Normalizer* normalizer);

  /// Cuts the added tokens out of a text that is one open piece, and normalizes what lies between them. Special ones are left in the
  /// text where finds_special is off; what they cover is not searched for others, as in the reference. Throws Error (limit) as TrieSteps
  /// does.
  PieceList split(AlignedText text, const Normalizer* normalizer, bool finds_special = true) const;

  const AddedToken* find(std::int64_t id) const;  ///< nullptr when there is none
  const std::vector<AddedToken>& all() const { return tokens_; }

 private:
  std::vector<Piece> cut(std::string_view text, const ByteTrie& contents, bool finds_special) const;

  std::vector<AddedToken> tokens_;
  std::unordered_map<std::int64_t, std::size_t> by_id_;
  ByteTrie plain_;  // values are indices of tokens_
  ByteTrie normalized_;
};

/// Reads the "added_tokens" of a tokenizer.json. As in the reference a token that the vocabulary has keeps the vocabulary's id, and the
/// others are numbered from the vocabulary's size on in the order of the file; where the file says another id, a warning tells. Of equal
/// contents the last one counts. Throws Error (input) for an entry without id or text.
std::vector<AddedToken> read_added_tokens(const JsonFields& root, const Vocabulary& vocabulary, std::vector<std::string>& warnings);

}  // namespace headlight
