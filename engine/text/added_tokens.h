// Tokens that are found as text before anything else happens: <|endoftext|>, [MASK], and words that were added to a vocabulary.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/text/aligned_text.h"
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
};

/// Finds a set of texts: the longest at the leftmost place.
class TextFinder {
 public:
  void add(std::string_view text, std::size_t value);
  struct Match {
    ByteRange range;
    std::size_t value = 0;
  };
  std::vector<Match> find_all(std::string_view subject) const;
  bool empty() const { return nodes_.size() == 1; }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Node {
    std::vector<std::pair<unsigned char, std::uint32_t>> children;  // sorted by byte
    std::size_t value = kNone;
  };
  const std::uint32_t* child_of(std::uint32_t node, unsigned char byte) const;
  std::vector<Node> nodes_ = {{}};
};

class AddedTokens {
 public:
  AddedTokens() = default;
  AddedTokens(std::vector<AddedToken> tokens, const Normalizer* normalizer);

  /// Cuts the added tokens out of a text that is one open piece, and normalizes what lies between them. Special ones are left in the
  /// text where finds_special is off; what they cover is not searched for others, as in the reference.
  PieceList split(AlignedText text, const Normalizer* normalizer, bool finds_special = true) const;

  const AddedToken* find(std::int64_t id) const;  ///< nullptr when there is none
  const std::vector<AddedToken>& all() const { return tokens_; }

 private:
  std::vector<Piece> cut(std::string_view text, const TextFinder& finder, bool finds_special) const;

  std::vector<AddedToken> tokens_;
  std::unordered_map<std::int64_t, std::size_t> by_id_;
  TextFinder plain_;  // values are indices of tokens_
  TextFinder normalized_;
};

/// Reads the "added_tokens" of a tokenizer.json. A token that the vocabulary has under another id keeps the vocabulary's, with a warning.
/// Throws Error (input) for an entry without id or text.
std::vector<AddedToken> read_added_tokens(const JsonFields& root, const Vocabulary& vocabulary, std::vector<std::string>& warnings);

}  // namespace headlight
