// The unigram language model: of all ways to cut a piece into tokens, the one with the highest sum of scores.
// Kudo 2018 (arXiv 1804.10959); details as in SentencePiece and Hugging Face's tokenizers.
#pragma once

#include <string>
#include <vector>

#include "engine/text/byte_trie.h"
#include "engine/text/models/sentence_piece.h"

namespace headlight {

struct UnigramOptions {
  UnknownPieces unknown;
  /// Sums in single precision, as SentencePiece keeps them; Hugging Face's are double. It matters only where two ways are nearly equal.
  bool sums_in_single = false;
};

/// Time grows with the length of a piece times the length of the tokens that overlap in it.
class UnigramModel final : public TokenModel {
 public:
  /// Pieces by id, scores beside them (in double precision, as tokenizer.json has them). Throws Error (input) for an unknown id outside
  /// the vocabulary, and as ByteTrie and UnknownWriter do. Repeated pieces are added to `warnings`.
  UnigramModel(std::vector<SentencePiece> pieces, std::vector<double> scores, UnigramOptions options, const std::string& file,
               std::vector<std::string>& warnings);
  /// The same with the pieces' own scores; an unknown piece, where there is one and options name none, is the unknown token.
  UnigramModel(std::vector<SentencePiece> pieces, UnigramOptions options, const std::string& file, std::vector<std::string>& warnings);

  /// Throws Error (limit) as TrieSteps does.
  void tokenize(std::string_view piece, ModelTokens& into) const override;
  const Vocabulary& vocabulary() const override { return vocabulary_; }
  std::string name() const override { return "Unigram"; }

 private:
  struct Arrival;
  void find_best(std::string_view piece, std::vector<Arrival>& best) const;
  std::int64_t id_of(std::string_view text) const;  // -1: not a token
  void arrive(Arrival& at, double score, std::uint32_t begin, std::int32_t id) const;

  Vocabulary vocabulary_;
  UnigramOptions options_;
  UnknownWriter unknown_;
  std::string file_;
  ByteTrie trie_;               // values are ids
  std::vector<double> scores_;  // by id; of user-defined pieces the bonus per byte
  std::vector<bool> is_user_defined_;
  double unknown_score_ = 0;
};

}  // namespace headlight
