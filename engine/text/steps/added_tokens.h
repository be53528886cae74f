// Tokens that are found as text before anything else happens: <|endoftext|>, [MASK], and words that were added to a vocabulary.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/text/byte_trie.h"
#include "engine/text/steps/normalizer.h"
#include "engine/text/unicode/aligned_text.h"
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

/// Which of two tokens that overlap in a text is found.
enum class Precedence : std::uint8_t {
  leftmost,  ///< the one that begins first, of those the longest: as tokenizer.json has it
  longest,   ///< the longer one, wherever it begins: as llama.cpp has it (llama-vocab.cpp, tokenizer_st_partition)
};

/// Immutable after construction; split may be called from any thread.
class AddedTokens {
 public:
  AddedTokens() = default;
  AddedTokens(std::vector<AddedToken> tokens, const Normalizer* normalizer, Precedence precedence = Precedence::leftmost);

  /// Cuts the added tokens out of a text that is one open piece, and normalizes what lies between them. Special ones are left in the
  /// text where finds_special is off; what they cover is not searched for others, as in the reference. Throws Error (limit) as TrieSteps
  /// does.
  PieceList split(AlignedText text, const Normalizer* normalizer, bool finds_special = true) const;

  const AddedToken* find(std::int64_t id) const;  ///< nullptr when there is none
  const std::vector<AddedToken>& all() const { return tokens_; }

 private:
  struct Match {
    ByteRange range;
    std::uint32_t value = 0;  // index of tokens_
  };
  struct Contents {
    ByteTrie all;  // values are indices of tokens_
    /// The same tokens, a trie for each length, the longest first; empty where the leftmost token is wanted.
    std::vector<std::pair<std::size_t, ByteTrie>> by_length;
  };
  static Contents make_contents(const std::vector<ByteTrie::Item>& items, Precedence precedence);
  static std::vector<Match> find_leftmost(const ByteTrie& texts, std::string_view subject);
  std::vector<Match> find_longest(const Contents& contents, std::string_view subject, bool finds_special) const;
  std::vector<Piece> cut(std::string_view text, const Contents& contents, bool finds_special) const;

  std::vector<AddedToken> tokens_;
  std::unordered_map<std::int64_t, std::size_t> by_id_;
  Precedence precedence_ = Precedence::leftmost;
  Contents plain_, normalized_;
};

/// Reads the "added_tokens" of a tokenizer.json. As in the reference a token that the vocabulary has keeps the vocabulary's id, and the
/// others are numbered from the vocabulary's size on in the order of the file; where the file gives another id, a warning says so. Of equal
/// contents the last one counts. Throws Error (input) for an entry without id or text.
std::vector<AddedToken> read_added_tokens(const JsonFields& root, const Vocabulary& vocabulary, std::vector<std::string>& warnings);

}  // namespace headlight
