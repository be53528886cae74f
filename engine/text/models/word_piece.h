// WordPiece: the longest token that a word starts with, then the longest that the rest continues with, and so on.
// Wu et al. 2016 (arXiv 1609.08144), as in BERT.
#pragma once

#include <string>

#include "engine/text/byte_trie.h"
#include "engine/text/models/token_model.h"

namespace headlight {

struct WordPieceOptions {
  std::string unknown_token = "[UNK]";
  std::string continuing_prefix = "##";
  std::int64_t longest_word = 100;  ///< in code points; a longer one is the unknown token
};

class WordPieceModel final : public TokenModel {
 public:
  /// Throws Error (input) when the unknown token is not in the vocabulary; `field` is where the file has the options.
  WordPieceModel(Vocabulary vocabulary, WordPieceOptions options, const std::string& file, const std::string& field);

  /// A word of which any part is unknown is one unknown token. Throws Error (limit) as TrieSteps does.
  void tokenize(std::string_view piece, ModelTokens& into) const override;
  const Vocabulary& vocabulary() const override { return vocabulary_; }
  std::string name() const override { return "WordPiece"; }

 private:
  bool cut(std::string_view piece, ModelTokens& into) const;

  Vocabulary vocabulary_;
  WordPieceOptions options_;
  std::string file_;
  std::int64_t unknown_id_ = 0;
  ByteTrie trie_;
  std::uint32_t continuing_ = ByteTrie::kNone;  // the node after the prefix
};

}  // namespace headlight
