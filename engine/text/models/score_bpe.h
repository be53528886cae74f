// SentencePiece's kind of byte pair encoding: no list of merges; of all neighbours that together are a piece, those with the highest
// score are joined first. github.com/google/sentencepiece, bpe_model.cc.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "engine/text/byte_trie.h"
#include "engine/text/models/sentence_piece.h"

namespace headlight {

/// Time grows as n log n with the length of a piece.
class ScoreBpeModel final : public TokenModel {
 public:
  /// Pieces by id. Where `unknown` names no id, the piece of that type is the unknown token. Throws Error (input) as UnknownWriter does;
  /// repeated pieces are added to `warnings`.
  ScoreBpeModel(std::vector<SentencePiece> pieces, UnknownPieces unknown, const std::string& file, std::vector<std::string>& warnings);

  /// Throws Error (limit) as TrieSteps does.
  void tokenize(std::string_view piece, ModelTokens& into) const override;
  const Vocabulary& vocabulary() const override { return vocabulary_; }
  std::string name() const override { return "BPE by scores"; }

 private:
  class Word;
  struct Known {
    float score = 0;
    PieceType type = PieceType::normal;
  };
  /// The id of a text that can be found, or nothing: control tokens are not found in text.
  std::optional<std::uint32_t> find(std::string_view text) const;
  void write(std::string_view piece, ByteRange range, const std::unordered_map<std::string_view, std::uint32_t>& cuts,
             ModelTokens& into) const;

  Vocabulary vocabulary_;
  UnknownWriter unknown_;
  std::vector<Known> known_;  // by id
  std::string file_;
  ByteTrie user_defined_;
};

}  // namespace headlight
