// The vocabulary of SentencePiece: pieces with scores and types (github.com/google/sentencepiece, sentencepiece_model.proto). Tokenizers
// of that kind come as tokenizer.json, as *.model and inside GGUF files; the models in unigram.h and score_bpe.h serve them all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/byte_tokens.h"
#include "engine/text/models/token_model.h"

namespace headlight {

/// What a piece is for; the numbers are those of the files.
enum class PieceType : std::uint8_t {
  normal = 1,
  unknown = 2,       ///< stands for what the vocabulary lacks; one per vocabulary
  control = 3,       ///< <s>, </s>: never found in text
  user_defined = 4,  ///< always found in text, whatever the scores say
  unused = 5,        ///< known, never the result
  byte = 6,          ///< <0x00> … <0xFF>
};

struct SentencePiece {
  std::string text;
  float score = 0;
  PieceType type = PieceType::normal;
};

/// What becomes of text that no piece matches.
struct UnknownPieces {
  std::optional<std::int64_t> id = {};  ///< the unknown token's; without one such text is left out and counted
  bool has_byte_fallback = false;       ///< bytes first, where the vocabulary has them all
  bool are_fused = true;                ///< neighbours make one unknown token
};

/// Writes text that no piece matches.
class UnknownWriter {
 public:
  /// Throws Error (input) for a byte token such as <0xZZ>, where byte tokens are asked for.
  UnknownWriter(const Vocabulary& vocabulary, UnknownPieces rules, const std::string& file, std::vector<std::string>& warnings);

  /// Adds the tokens of `range` of the piece; byte tokens all stand for the whole range.
  void write(std::string_view piece, ByteRange range, ModelTokens& into) const;
  const UnknownPieces& rules() const { return rules_; }

 private:
  UnknownPieces rules_;
  ByteTokens bytes_;
};

/// The pieces by id; repeated ones are added to `warnings`.
Vocabulary vocabulary_of(const std::vector<SentencePiece>& pieces, const std::string& file, std::vector<std::string>& warnings);
/// The rules with the piece of type unknown as the unknown token, where they name none.
UnknownPieces with_unknown_id(UnknownPieces rules, const std::vector<SentencePiece>& pieces);
/// Whether the piece can be found in text.
bool is_matched(PieceType type);

}  // namespace headlight
