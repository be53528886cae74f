// Byte pair encoding: a piece starts as characters, and the pair of neighbours that was learnt first is merged until none is left.
// Sennrich, Haddow, Birch 2016 (arXiv 1508.07909); details as in Hugging Face's tokenizers.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "engine/text/byte_tokens.h"
#include "engine/text/flat_index.h"
#include "engine/text/models/token_model.h"

namespace headlight {

/// The rules in the order they were learnt. `place` names a rule by its index, for messages: "line 12", "model.merges[10]".
struct BpeMerges {
  struct Rule {
    std::string left;
    std::string right;
  };
  std::vector<Rule> rules;
  std::string file;
  std::function<std::string(std::size_t)> place;
};

/// From the "merges" array of a tokenizer.json: ["a b", …] or [["a", "b"], …].
BpeMerges read_merges(const JsonFields& model);
/// From a merges.txt: one rule per line; a first line "#version …", blank lines, a byte order mark and CR LF are skipped.
BpeMerges read_merges(std::string_view bytes, const std::string& file, std::vector<std::string>& warnings);

struct BpeOptions {
  std::string unknown_token;  ///< empty: none
  std::string continuing_prefix;
  std::string end_suffix;
  bool fuses_unknown = false;
  bool has_byte_fallback = false;  ///< a character that is not in the vocabulary becomes tokens <0x00> … <0xFF>
  bool ignores_merges = false;     ///< a piece that is a token is that token, whatever the merges say
};

/// Time grows as n log n with the length of a piece.
class BpeModel final : public TokenModel {
 public:
  /// Throws Error (input) naming the merge for unknown tokens, and for a byte token such as <0xZZ>. Of equal merges the last one counts, as
  /// in the reference, and `warnings` says so.
  BpeModel(Vocabulary vocabulary, const BpeMerges& merges, BpeOptions options, std::vector<std::string>& warnings);

  void tokenize(std::string_view piece, ModelTokens& into) const override;
  const Vocabulary& vocabulary() const override { return vocabulary_; }
  std::string name() const override { return "BPE"; }
  std::optional<std::int64_t> unknown_id() const override {
    return options_.unknown_token.empty() ? std::nullopt : vocabulary_.id_of(options_.unknown_token);
  }

 private:
  struct Merge {
    std::uint64_t pair = 0;  // the ids of both sides
    std::uint32_t rank = 0;  // the position in merges_
    std::uint32_t id = 0;
  };
  struct Symbol;
  class Word;

  const Merge* merge_of(std::uint64_t pair) const;
  void add_joint(const BpeMerges::Rule& rule);
  bool can_join(char32_t left, char32_t right) const;

  /// A character as it is looked up: from the second on with the prefix, the last one with the suffix.
  struct Decorated {
    std::string_view character;
    std::string joined;        // empty: the character alone
    std::uint32_t before = 0;  // bytes of the prefix
    std::string_view text() const { return joined.empty() ? character : joined; }
  };
  Decorated decorate(std::string_view piece, ByteRange range) const;
  void add_bytes(const Decorated& decorated, ByteRange range, Word& word) const;
  std::uint32_t unknown_for(std::string_view piece, ByteRange range) const;

  Vocabulary vocabulary_;
  BpeOptions options_;
  std::string file_;
  std::vector<Merge> merges_;
  FlatIndex by_pair_;
  // Between which characters a merge can ever happen: elsewhere a piece falls into independent parts. For vocabularies without a
  // pre-tokenizer a text is one piece; cut at "▁", each part fits a processor's cache.
  std::unordered_set<std::uint64_t> joints_;
  bool has_joints_ =
      true;  // off where merges name prefixes, suffixes, bytes or the unknown token: their edges are not character boundaries
  ByteTokens bytes_;
};

}  // namespace headlight
